/**
 * Takes what is a subject's out of the events of its tenant: the content of its own, and what others tell of it.
 * @module
 */
import type { Subject } from "@scim/events";
import type { Dialect } from "../dialect.ts";
import { parseObject } from "../resources/rows.ts";
import { joinSql, type Sql, sql } from "../sql.ts";
import {
  type Answer,
  type Executor,
  numberOf,
  type Outcome,
  type Row,
  type Steps,
  textOf,
  textOrNullOf,
} from "../steps.ts";
import { eraseNamesOf } from "./guard-names.ts";
import { withoutCopies } from "./without-copies.ts";

/** Events that are looked through at once. */
const RANGE = 1000;

interface EventSetting {
  readonly executor: Executor;
  readonly dialect: Dialect;
}

/** What an event is found by, whether it has a position or not. */
interface EventKey {
  readonly transaction: number;
  readonly sequence: number;
}

const BEFORE_ALL: EventKey = { transaction: -1, sequence: -1 };

/** Goes through the events that are kept. Resolves to how many were changed. */
export async function eraseEvents(setting: EventSetting, subject: Subject): Promise<number> {
  // In this order: what is given its position meanwhile is come upon once more, and never missed.
  const waiting = await eraseWaiting(setting, subject);
  return waiting + (await erasePlaced(setting, subject));
}

/** Goes through the events that have no position yet. */
async function eraseWaiting({ executor, dialect }: EventSetting, subject: Subject): Promise<number> {
  let changed = 0;
  let after: EventKey | null = BEFORE_ALL;
  while (after !== null) {
    const page: WaitingPage = await executor.read(waitingBehind(dialect, subject, after));
    if (page.telling.length > 0)
      changed += await executor.write(() => eraseIn(dialect, subject, page.telling));
    after = page.last;
    await executor.pause();
  }
  return changed;
}

/** Goes through the events that have their position. */
async function erasePlaced({ executor, dialect }: EventSetting, subject: Subject): Promise<number> {
  const bounds = await executor.read(boundsOf(subject.tenant));
  let changed = 0;
  for (let first = bounds.first; first <= bounds.last; first += RANGE) {
    const keys = await executor.read(placedFrom(dialect, subject, first));
    if (keys.length > 0) changed += await executor.write(() => eraseIn(dialect, subject, keys));
    await executor.pause();
  }
  return changed;
}

interface WaitingPage {
  /** Those that tell of the subject. */
  readonly telling: readonly EventKey[];
  /** The last of the page; null where there are no more. */
  readonly last: EventKey | null;
}

function* waitingBehind(dialect: Dialect, subject: Subject, after: EventKey): Steps<WaitingPage> {
  const { rows }: Answer = yield sql`SELECT transaction_number, sequence,
      CASE WHEN ${tellsOf(dialect, subject)} THEN 1 ELSE 0 END AS tells FROM events
    WHERE tenant = ${subject.tenant} AND position IS NULL
      AND (transaction_number, sequence) > (${after.transaction}, ${after.sequence})
    ORDER BY transaction_number, sequence LIMIT ${RANGE}`;
  const last = rows.at(-1);
  return {
    telling: rows.filter((row) => numberOf(row, "tells") === 1).map(keyOf),
    last: last === undefined ? null : keyOf(last),
  };
}

function* boundsOf(tenant: string): Steps<{ readonly first: number; readonly last: number }> {
  const { rows }: Answer =
    yield sql`SELECT coalesce(min(position), 1) AS first, coalesce(max(position), 0) AS last
    FROM events WHERE tenant = ${tenant} AND position IS NOT NULL`;
  const [row] = rows;
  return row === undefined
    ? { first: 1, last: 0 }
    : { first: numberOf(row, "first"), last: numberOf(row, "last") };
}

function* placedFrom(dialect: Dialect, subject: Subject, first: number): Steps<readonly EventKey[]> {
  const { rows }: Answer = yield sql`SELECT transaction_number, sequence FROM events
    WHERE tenant = ${subject.tenant} AND position >= ${first} AND position < ${first + RANGE}
    AND (${tellsOf(dialect, subject)})`;
  return rows.map(keyOf);
}

/** Whether an event is the subject's, was asked for by it, or names it in its JSON. */
function tellsOf(dialect: Dialect, { id }: Subject): Sql {
  const named = JSON.stringify(id);
  const names = joinSql(
    [sql`before`, sql`after`].map((column) => dialect.contains(column, named)),
    " OR ",
  );
  return sql`id = ${id} OR subject = ${id} OR ${names}`;
}

function keyOf(row: Row): EventKey {
  return { transaction: numberOf(row, "transaction_number"), sequence: numberOf(row, "sequence") };
}

function* eraseIn(dialect: Dialect, subject: Subject, keys: readonly EventKey[]): Steps<Outcome<number>> {
  let changed = 0;
  const own: Row[] = [];
  for (const key of keys) changed += yield* eraseEvent(subject, key, own);
  // Guards may let it pass by a name that it had before.
  yield* eraseNamesOf(dialect, subject.tenant, own);
  return { keep: changed > 0, result: changed };
}

/** @param images takes what is removed of the subject itself */
function* eraseEvent(
  { tenant, id }: Subject,
  { transaction, sequence }: EventKey,
  images: Row[],
): Steps<number> {
  const named = sql`tenant = ${tenant} AND transaction_number = ${transaction} AND sequence = ${sequence}`;
  const { rows }: Answer =
    yield sql`SELECT id, subject, before, after, changed, collections, origin FROM events
    WHERE ${named}`;
  const [row] = rows;
  if (row === undefined) return 0;
  const own = textOf(row, "id") === id;
  const kept = {
    before: own ? null : imageOf(row, "before", id),
    after: own ? null : imageOf(row, "after", id),
    changed: own ? "[]" : textOf(row, "changed"),
    collections: own ? null : textOrNullOf(row, "collections"),
    // It tells the address that the person came from.
    origin: textOrNullOf(row, "subject") === id ? null : textOrNullOf(row, "origin"),
  };
  const isSame = (["before", "after", "changed", "collections", "origin"] as const).every(
    (name) => row[name] === kept[name],
  );
  if (isSame) return 0;
  if (own) images.push(row);
  const { changes }: Answer = yield sql`UPDATE events SET before = ${kept.before}, after = ${kept.after},
      changed = ${kept.changed}, collections = ${kept.collections}, origin = ${kept.origin}
    WHERE ${named}`;
  return changes;
}

/** The text of an image of another resource, without what it held of the subject. */
function imageOf(row: Row, column: string, id: string): string | null {
  const text = textOrNullOf(row, column);
  if (text === null) return null;
  const image = parseObject(text);
  const kept = withoutCopies(image, id);
  return kept === image ? text : JSON.stringify(kept);
}
