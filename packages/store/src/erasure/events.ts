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
  type Outcome,
  type Row,
  type Steps,
  textOf,
  textOrNullOf,
} from "../steps.ts";
import { type EventKey, keyOf, walkEvents } from "./event-walk.ts";
import { eraseNamesOf } from "./guard-names.ts";
import { withoutCopies } from "./without-copies.ts";

interface EventSetting {
  readonly executor: Executor;
  readonly dialect: Dialect;
}

/** Goes through the events that are kept. Resolves to how many were changed. */
export async function eraseEvents({ executor, dialect }: EventSetting, subject: Subject): Promise<number> {
  let changed = 0;
  const walk = { tenant: subject.tenant, columns: sql``, condition: tellsOf(dialect, subject) };
  for await (const rows of walkEvents(executor, walk)) {
    const keys = rows.map(keyOf);
    if (keys.length > 0) changed += await executor.write(() => eraseIn(dialect, subject, keys));
  }
  return changed;
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
  { tenant, id, type }: Subject,
  { transaction, sequence }: EventKey,
  images: Row[],
): Steps<number> {
  const named = sql`tenant = ${tenant} AND transaction_number = ${transaction} AND sequence = ${sequence}`;
  const { rows }: Answer =
    yield sql`SELECT type, id, subject, before, after, changed, collections, origin FROM events
    WHERE ${named}`;
  const [row] = rows;
  if (row === undefined) return 0;
  const own = textOf(row, "id") === id && (type === undefined || textOf(row, "type") === type);
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
