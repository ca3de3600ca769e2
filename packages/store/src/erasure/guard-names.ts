/**
 * Takes the names of a subject out of the guards of its tenant's connections, where they may let it pass by a unique name such
 * as its userName.
 * @module
 */
import { nextRevision, type UniqueEntry } from "@scim/core";
import type { Subject } from "@scim/events";
import { comparisonKey } from "@scim/filter";
import { isJsonObject, type JsonValue } from "@scim/schemas";
import type { Dialect } from "../dialect.ts";
import { parseObject } from "../resources/rows.ts";
import { sql } from "../sql.ts";
import { type Answer, numberOf, type Row, type Steps, textOf, textOrNullOf } from "../steps.ts";
import { limitsOf } from "../tenancy/connection-limits.ts";

/** Removes those that its tombstones have, and its events that have no position yet. */
export function* eraseGuardNames(dialect: Dialect, { tenant, id }: Subject, type: string): Steps<void> {
  const tombstones: Answer = yield sql`SELECT body AS after, NULL AS before FROM resources
    WHERE tenant = ${tenant} AND type = ${type} AND id = ${id} AND deleted IS NOT NULL`;
  const waiting: Answer = yield sql`SELECT before, after FROM events
    WHERE tenant = ${tenant} AND position IS NULL AND type = ${type} AND id = ${id}`;
  yield* eraseNamesOf(dialect, tenant, [...tombstones.rows, ...waiting.rows]);
}

/** Removes those that images of a subject have, and that nobody else bears by now. Ids stay, here as everywhere. */
export function* eraseNamesOf(dialect: Dialect, tenant: string, images: readonly Row[]): Steps<void> {
  const own = new Set(images.flatMap((row) => [...imageTexts(row, "before"), ...imageTexts(row, "after")]));
  if (own.size === 0) return;
  const { rows }: Answer = yield sql`SELECT connection, limits, revision FROM connections
    WHERE tenant = ${tenant} ORDER BY connection ${dialect.lockedRows}`;
  for (const row of rows) {
    const text = textOf(row, "limits");
    const { guard } = limitsOf(text);
    if (guard === null) continue;
    const named: string[] = [];
    for (const name of guard.named) {
      const isGone = own.has(foldedKey(name)) && !(yield* isBorne(dialect, tenant, name));
      if (!isGone) named.push(name);
    }
    if (named.length === guard.named.length) continue;
    const limits = JSON.stringify({ ...parseObject(text), guard: { ...guard, named } });
    const revision = nextRevision(numberOf(row, "revision"), Math.random());
    yield sql`UPDATE connections SET limits = ${limits}, revision = ${revision}
      WHERE tenant = ${tenant} AND connection = ${textOf(row, "connection")}`;
  }
}

/** Whether a live resource has it as a unique value: looked up in each place that may hold it, of which there are few. */
function* isBorne({ keys }: Dialect, tenant: string, name: string): Steps<boolean> {
  // Attributes with and without letter case have their places side by side.
  const written = new Set([foldedKey(name), name]);
  for (
    let place = yield* placeBehind(tenant, null);
    place !== null;
    place = yield* placeBehind(tenant, place)
  ) {
    for (const key of written) {
      const { rows }: Answer = yield sql`SELECT id FROM unique_values WHERE tenant = ${tenant}
        AND scope = ${place.scope} AND path = ${place.path} AND key = ${keys.bounded(key)}`;
      if (rows.length > 0) return true;
    }
  }
  return false;
}

/** Where values of an attribute are unique. */
type UniquePlace = Pick<UniqueEntry, "scope" | "path">;

/** The next place of a tenant that holds values, behind another; null where there is none. */
function* placeBehind(tenant: string, last: UniquePlace | null): Steps<UniquePlace | null> {
  const behind = last === null ? sql`` : sql` AND (scope, path) > (${last.scope}, ${last.path})`;
  const { rows }: Answer = yield sql`SELECT scope, path FROM unique_values WHERE tenant = ${tenant}${behind}
    ORDER BY scope, path LIMIT 1`;
  const [row] = rows;
  return row === undefined ? null : { scope: textOf(row, "scope"), path: textOf(row, "path") };
}

function imageTexts(row: Row, column: string): readonly string[] {
  const text = textOrNullOf(row, column);
  return text === null ? [] : [...textsIn(parseObject(text))];
}

/** The key by which guards find a name, however it is written. */
function foldedKey(name: string): string {
  return String(comparisonKey("string", false, name));
}

/** The keys of the texts at the top of a body, where unique names stand. */
function* textsIn(body: Readonly<Record<string, JsonValue>>): Generator<string, void, undefined> {
  for (const value of Object.values(body)) {
    if (typeof value === "string") yield foldedKey(value);
    // The attributes of an extension.
    else if (isJsonObject(value)) yield* textsIn(value);
  }
}
