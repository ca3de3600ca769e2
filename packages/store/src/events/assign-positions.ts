/**
 * Gives positions to events, tenant by tenant. A number drawn inside a transaction is not the order of commits: an
 * event is given its position once it is committed, and once no transaction that began before it is under way.
 * @module
 */
import type { FeedPage } from "@scim/core";
import { TenantHeldUp } from "@scim/events";
import type { Dialect } from "../dialect.ts";
import { isOfAllTenants, type LeftOut } from "../left-out.ts";
import { type OpenTransactions, readOpenTransactions } from "../open-transactions.ts";
import { sql } from "../sql.ts";
import {
  type Answer,
  type Executor,
  numberOf,
  type Outcome,
  type Row,
  type Steps,
  textOf,
} from "../steps.ts";
import { headMoved, holdHead, type Placing, placing } from "./placing.ts";

/**
 * What else becomes of events in the transaction that gives them positions, such as the link of a chain of hashes:
 * nobody else has the tenant's events in hand meanwhile. The page holds those that were given theirs.
 */
export type PlacedEvents = (tenant: string, page: FeedPage) => Steps<void>;

/** What giving positions needs. */
export interface PositionSetting {
  readonly executor: Pick<Executor, "read" | "write">;
  readonly dialect: Pick<Dialect, "openTransactions" | "heldRow" | "orRollBack">;
  readonly onPlaced?: PlacedEvents;
  /** Called before events of a tenant are placed. */
  readonly prepare?: ((tenant: string) => Promise<void>) | undefined;
  /** Tenants that failed lately. Default: each is tried. */
  readonly leftOut?: LeftOut;
  /** Places the events of tenants that have many beside the requests. Default: nothing does. */
  readonly beside?: PlacingBeside | undefined;
}

/** Gives positions with most of the work done beside the requests. */
export interface PlacingBeside {
  /** How many events of a tenant are placed without it: the rest is worth its work. None while it is at work anyway. */
  readonly fewest: number;
  /** Places the first events of a tenant: at most `limit`. Answers how many; 0, or an error, where they have to be placed without it. */
  place(tenant: string, limit: number): Promise<number>;
}

/** Tenants whose events are in hand at once. */
const TENANTS_AT_ONCE = 8;

/**
 * Gives positions to the events that may have one: at most `limit` to each tenant. A tenant that fails does not
 * hold up the others.
 * @returns how many it gave
 * @throws behind all others what failed first; TenantHeldUp where nothing else did
 */
export async function assignPositions(setting: PositionSetting, limit: number): Promise<number> {
  const { executor } = setting;
  const open = await openNow(setting);
  let given = 0;
  const failures: unknown[] = [];
  let after: string | null = "";
  while (after !== null) {
    const waiting: WaitingTenants = await executor.read(waitingTenants(after, open));
    const outcomes = await Promise.allSettled(
      waiting.tenants
        .filter((tenant) => setting.leftOut?.has(tenant) !== true)
        .map((tenant) => placeApart(setting, tenant, limit)),
    );
    for (const outcome of outcomes) {
      if (outcome.status === "fulfilled") given += outcome.value;
      else failures.push(outcome.reason);
    }
    after = waiting.last;
  }
  if (failures.length === 0) return given;
  throw failures.find((failure) => !(failure instanceof TenantHeldUp)) ?? failures[0];
}

/** Gives positions to the first events of a tenant. What is wrong with it, and not with the database, holds up no other. */
async function placeApart(setting: PositionSetting, tenant: string, limit: number): Promise<number> {
  try {
    await setting.prepare?.(tenant);
    return await placeTenant(setting, tenant, limit);
  } catch (cause) {
    if (isOfAllTenants(cause)) throw cause;
    setting.leftOut?.add(tenant);
    throw new TenantHeldUp(tenant, cause);
  }
}

/** Gives positions to the first events of a tenant: where there are more than a few, with what does so beside the requests. */
async function placeTenant(setting: PositionSetting, tenant: string, limit: number): Promise<number> {
  const { executor, beside } = setting;
  const place = async (most: number): Promise<number> =>
    executor.write(() => placeEvents(setting, tenant, most));
  const few = Math.min(limit, beside?.fewest ?? limit);
  const given = few === 0 ? 0 : await place(few);
  const rest = limit - given;
  if (beside === undefined || given < few || rest === 0) return given;
  // What is wrong with the database is told by the next try.
  const placed = await beside.place(tenant, rest).catch(() => 0);
  return given + (placed || (await place(rest)));
}

/** Null where any event may have a position. */
async function openNow({
  executor,
  dialect: { openTransactions },
}: PositionSetting): Promise<OpenTransactions | null> {
  if (openTransactions === null) return null;
  const open = await executor.read(readOpenTransactions(openTransactions));
  if (open === null) throw new TypeError("The database did not say which transactions are under way");
  return open;
}

interface WaitingTenants {
  readonly tenants: readonly string[];
  /** The tenant that the search goes on behind; null where there are no more. */
  readonly last: string | null;
}

/** Tenants with events that may have a position. Each is sought by index, behind the one before. */
function* waitingTenants(after: string, open: OpenTransactions | null): Steps<WaitingTenants> {
  const tenants: string[] = [];
  let last = after;
  while (tenants.length < TENANTS_AT_ONCE) {
    const { rows }: Answer = yield sql`SELECT tenant, transaction_number FROM events
      WHERE position IS NULL AND tenant > ${last} ORDER BY tenant, transaction_number, sequence LIMIT 1`;
    const [row] = rows;
    if (row === undefined) return { tenants, last: null };
    last = textOf(row, "tenant");
    if (mayHavePosition(row, open)) tenants.push(last);
  }
  return { tenants, last };
}

function mayHavePosition(row: Row, open: OpenTransactions | null): boolean {
  if (open === null) return true;
  const number = numberOf(row, "transaction_number");
  return number < open.first || number >= open.end;
}

/** Gives positions to the events of one tenant, unless somebody else is doing so. */
function* placeEvents(
  { dialect, onPlaced }: PositionSetting,
  tenant: string,
  limit: number,
): Steps<Outcome<number>> {
  const head = yield* holdHead(tenant, dialect);
  if (head === null) return { keep: false, result: 0 };
  const given = yield* placeBehind({ tenant, after: head, limit }, dialect);
  if (given === 0) return { keep: false, result: 0 };
  yield headMoved(tenant, head + given);
  if (onPlaced !== undefined) yield* onPlaced(tenant, { after: head, limit: given });
  return { keep: true, result: given };
}

/**
 * Events that a server gives positions with one statement: few enough to be looked at for each other, which it does where it
 * takes the events for few.
 */
const AT_ONCE = 256;

function* placeBehind(
  { tenant, after, limit }: Placing,
  dialect: Pick<Dialect, "openTransactions" | "orRollBack">,
): Steps<number> {
  const most = dialect.openTransactions === null ? limit : AT_ONCE;
  let given = 0;
  while (given < limit) {
    const size = Math.min(most, limit - given);
    const { changes }: Answer = yield placing({ tenant, after: after + given, limit: size }, dialect);
    given += changes;
    if (changes < size) break;
  }
  return given;
}
