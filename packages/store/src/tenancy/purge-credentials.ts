/**
 * Removes credentials that are over, some at a time, each found by when that was.
 * @module
 */
import { STARTED_BY } from "@scim/tenancy";
import { type OrderedRows, removeFirst } from "../first-rows.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, type Executor, type Outcome, type Steps, textOf } from "../steps.ts";

type Credentials = Pick<Executor, "read" | "write">;

/** Which go: those of a tenant that were over before an instant, and at most so many. */
interface CredentialPurge {
  readonly tenant: string;
  readonly before: string;
  readonly limit: number;
}

/** When a token is over. */
const ENDS = [sql`revoked`, sql`expires`];

/** Removes tokens: see `TokenStore.purgeTokens`. */
export async function purgeTokens(executor: Credentials, purge: CredentialPurge): Promise<number> {
  const over = ENDS.map((end) => sql`tokens WHERE tenant = ${purge.tenant} AND ${end} < ${purge.before}`);
  return (await executor.read(hasSome(over))) ? executor.write(() => removeTokens(purge)) : 0;
}

function* removeTokens({ tenant, before, limit }: CredentialPurge): Steps<Outcome<number>> {
  // What nobody is told to have made was made by a start of an earlier release.
  const made = sql`tenant = ${tenant} AND created_by <> ${STARTED_BY}`;
  const { rows }: Answer =
    yield sql`SELECT id FROM tokens WHERE ${made} ORDER BY created DESC, id DESC LIMIT 1`;
  const [latest] = rows;
  if (latest === undefined) return { keep: false, result: 0 };
  let removed = 0;
  for (const end of ENDS) {
    if (removed >= limit) break;
    const of = sql`${made} AND id <> ${textOf(latest, "id")} AND ${end} < ${before}`;
    removed += yield* removeFirst({ table: sql`tokens`, of, order: [end, sql`id`] }, limit - removed);
  }
  return { keep: removed > 0, result: removed };
}

/** Removes secrets of clients: see `ClientStore.purgeSecrets`. No index has their ends: a tenant has few. */
export async function purgeSecrets(executor: Credentials, purge: CredentialPurge): Promise<number> {
  const { tenant, before, limit } = purge;
  const secrets: OrderedRows = {
    table: sql`client_secrets`,
    of: sql`tenant = ${tenant} AND expires < ${before}`,
    order: [sql`expires`, sql`client`, sql`id`],
  };
  if (!(await executor.read(hasSome([sql`${secrets.table} WHERE ${secrets.of}`])))) return 0;
  return executor.write(function* remove() {
    return { keep: true, result: yield* removeFirst(secrets, limit) };
  });
}

/** Removes access tokens, and notes of assertions: see `ClientStore.purgeExpired`. */
export async function purgeExpired(executor: Credentials, purge: CredentialPurge): Promise<number> {
  const { tenant, before, limit } = purge;
  const of = sql`tenant = ${tenant} AND expires < ${before}`;
  const order = (...key: readonly Sql[]): readonly Sql[] => [sql`expires`, ...key];
  const tokens: OrderedRows = { table: sql`access_tokens`, of, order: order(sql`hash`) };
  const assertions: OrderedRows = { table: sql`used_assertions`, of, order: order(sql`client`, sql`jti`) };
  const over = [tokens, assertions].map(({ table }) => sql`${table} WHERE ${of}`);
  if (!(await executor.read(hasSome(over)))) return 0;
  return executor.write(function* remove() {
    yield* removeFirst(assertions, limit);
    return { keep: true, result: yield* removeFirst(tokens, limit) };
  });
}

/** Whether one of some tables, each with its condition, has a row. */
function* hasSome(tables: readonly Sql[]): Steps<boolean> {
  for (const table of tables) {
    const { rows }: Answer = yield sql`SELECT 1 AS one FROM ${table} LIMIT 1`;
    if (rows.length > 0) return true;
  }
  return false;
}
