/**
 * Whether a database answers, and has the schema that this program works on.
 * @module
 */
import type { Migration } from "./migrations.ts";
import { sql } from "./sql.ts";
import { type Answer, countOf, type Executor, type Steps } from "./steps.ts";
import { unavailable } from "./unavailable.ts";

/**
 * Resolves where it does.
 * @throws ScimError `unavailable`
 */
export async function checkDatabase(
  executor: Pick<Executor, "read">,
  migrations: readonly Migration[],
): Promise<void> {
  const newest = await newestOf(executor);
  const lacking = migrations.find(({ number }) => number > newest);
  // An older backup was restored beneath the running program, say.
  if (lacking !== undefined) throw unavailable(`The database lacks ${lacking.name}; run: scim migrate`);
}

async function newestOf(executor: Pick<Executor, "read">): Promise<number> {
  try {
    return await executor.read(readNewest());
  } catch (error) {
    throw unavailable("The database does not answer.", error);
  }
}

function* readNewest(): Steps<number> {
  const answer: Answer = yield sql`SELECT max(number) AS n FROM migrations`;
  return countOf(answer, "n");
}

/**
 * Resolves where a server takes writes: one that only reads refuses to hold rows, of which there need not be any.
 * @throws ScimError `unavailable`
 */
export async function checkWritable(executor: Pick<Executor, "read">): Promise<void> {
  await executor.read(holdNothing());
}

function* holdNothing(): Steps<void> {
  yield sql`SELECT position FROM event_heads WHERE tenant = '' FOR UPDATE`;
}
