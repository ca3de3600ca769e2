/**
 * POST operations of a bulk job that run at the same time, so that the store writes them in one go. Others have their turn between
 * those whose data is long.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonValue } from "@scim/schemas";
import { pause } from "../../pause.ts";
import type { BulkJob } from "./job.ts";
import { perform } from "./perform.ts";

/** Values in the data of operations that begin in one turn: some milliseconds. More than 64 ordinary users have together. */
const VALUES_IN_TURN = 4000;

/**
 * Does operations whose references are all known.
 * @throws the reason of the signal, when those that began are done
 */
export async function performTogether(job: BulkJob, indexes: readonly number[]): Promise<void> {
  const begun: Promise<void>[] = [];
  let values = 0;
  try {
    for (const index of indexes) {
      const more = valuesIn(job.task(index)?.data ?? null);
      if (values > 0 && values + more > VALUES_IN_TURN) {
        await pause(job.setting.context);
        values = 0;
      }
      values += more;
      begun.push(perform(job, index));
    }
  } finally {
    await Promise.all(begun);
  }
}

/** How many values stand in JSON, however deep. */
function valuesIn(json: JsonValue): number {
  const parts = isJsonArray(json) ? json : isJsonObject(json) ? Object.values(json) : [];
  return parts.reduce<number>((sum, part) => sum + valuesIn(part), 1);
}
