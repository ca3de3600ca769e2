/**
 * Takes what is a subject's out of the events of its tenant: the content of its own, and what others tell of it.
 * @module
 */
import type { Subject } from "@scim/events";
import type { Dialect } from "../dialect.ts";
import { parseObject } from "../resources/rows.ts";
import { joinSql, sql } from "../sql.ts";
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
import { withoutCopies } from "./without-copies.ts";

/** Positions that are looked through at once. */
const RANGE = 1000;

interface EventSetting {
  readonly executor: Executor;
  readonly dialect: Dialect;
}

/** Goes through the events that are kept. Resolves to how many were changed. */
export async function eraseEvents({ executor, dialect }: EventSetting, subject: Subject): Promise<number> {
  const bounds = await executor.read(boundsOf(subject.tenant));
  let changed = 0;
  for (let first = bounds.first; first <= bounds.last; first += RANGE) {
    const positions = await executor.read(telling(dialect, subject, first));
    if (positions.length > 0) changed += await executor.write(() => eraseIn(subject, positions));
    await executor.pause();
  }
  return changed;
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

/** Positions of events that are the subject's, that it asked for, or that name it in their JSON. */
function* telling(dialect: Dialect, { tenant, id }: Subject, first: number): Steps<readonly number[]> {
  const named = JSON.stringify(id);
  const names = joinSql(
    [sql`before`, sql`after`].map((column) => dialect.contains(column, named)),
    " OR ",
  );
  const { rows }: Answer = yield sql`SELECT position FROM events
    WHERE tenant = ${tenant} AND position >= ${first} AND position < ${first + RANGE}
    AND (id = ${id} OR subject = ${id} OR ${names})`;
  return rows.map((row) => numberOf(row, "position"));
}

function* eraseIn(subject: Subject, positions: readonly number[]): Steps<Outcome<number>> {
  let changed = 0;
  for (const position of positions) changed += yield* eraseEvent(subject, position);
  return { keep: changed > 0, result: changed };
}

function* eraseEvent({ tenant, id }: Subject, position: number): Steps<number> {
  const { rows }: Answer = yield sql`SELECT id, subject, before, after, changed, origin FROM events
    WHERE tenant = ${tenant} AND position = ${position}`;
  const [row] = rows;
  if (row === undefined) return 0;
  const own = textOf(row, "id") === id;
  const kept = {
    before: own ? null : imageOf(row, "before", id),
    after: own ? null : imageOf(row, "after", id),
    changed: own ? "[]" : textOf(row, "changed"),
    // It tells the address that the person came from.
    origin: textOrNullOf(row, "subject") === id ? null : textOrNullOf(row, "origin"),
  };
  const isSame = (["before", "after", "changed", "origin"] as const).every(
    (name) => row[name] === kept[name],
  );
  if (isSame) return 0;
  const { changes }: Answer = yield sql`UPDATE events SET before = ${kept.before}, after = ${kept.after},
      changed = ${kept.changed}, origin = ${kept.origin}
    WHERE tenant = ${tenant} AND position = ${position}`;
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
