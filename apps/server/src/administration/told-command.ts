/**
 * Commands that no transaction of the store tells of: they are told in the trail of administration before they begin, and
 * when it is known what came of them.
 * @module
 */
import { isScimError } from "@scim/schemas";
import type { Store } from "@scim/store/sqlite";
import { actOf, type AdminAct } from "@scim/tenancy";
import { type Reader, tell } from "../output.ts";
import { instantNow } from "../sources.ts";

/** A command that does what no transaction of the store holds. */
export interface ToldCommand {
  /** Such as `scim erase`. */
  readonly command: string;
  /** What it does it to, with the tenant before it: `acme/0197…`. */
  readonly about: string;
}

/** Does the work of a command, and tells in the trail of administration that it begins, and what came of it. */
export async function toldAtBothEnds<Result>(
  { trail }: Pick<Store, "trail">,
  { command, about }: ToldCommand,
  work: () => Promise<Result>,
): Promise<Result> {
  const tellStates = async (states: Pick<AdminAct, "before" | "after" | "revision">): Promise<void> =>
    trail.tell(actOf({ actor: { command }, now: instantNow }, { type: "Command", id: about, ...states }));
  const end = (outcome: "done" | "failed"): Promise<void> =>
    tellStates({ before: { command }, after: { command, outcome }, revision: 2 });
  await tellStates({ before: null, after: { command }, revision: 1 });
  const result = await work().catch(async (error: unknown) => {
    await end("failed");
    throw error;
  });
  await end("done");
  return result;
}

/**
 * Does the work of a command that reads what is kept of persons, and tells of it as {@link toldAtBothEnds} does. What may be
 * the last way to the data goes on where the database takes no writes, and says so.
 */
export async function toldReading<Result>(
  { trail }: Pick<Store, "trail">,
  told: ToldCommand,
  { reader, work }: { readonly reader: Reader; readonly work: () => Promise<Result> },
): Promise<Result> {
  let isSaid = false;
  const tellOrSay = async (act: AdminAct): Promise<void> => {
    try {
      await trail.tell(act);
    } catch (error) {
      if (!isScimError(error)) throw error;
      if (!isSaid) tell(reader, `This is not in the audit log: ${error.message}`);
      isSaid = true;
    }
  };
  return toldAtBothEnds({ trail: { tell: tellOrSay } }, told, work);
}
