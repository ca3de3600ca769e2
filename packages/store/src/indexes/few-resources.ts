/**
 * How many resources one step reads and writes: so few that no request waits long for it, also where each is long, as with a
 * photo in it.
 * @module
 */
import type { Dialect } from "../dialect.ts";
import type { RowSource } from "../resources/read.ts";
import { liveResources } from "../resources/rows.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, numberOf, type Steps, textOf } from "../steps.ts";

/** Bytes of bodies behind which no more are read at once. */
const BYTES = 524_288;

/**
 * The ids of the first resources of some.
 * @param which where they are, and their order: `FROM resources r WHERE … ORDER BY …`
 * @param most at most so many
 */
export function* fewIds(which: Sql, most: number): Steps<readonly string[]> {
  // Lengths are known without reading the texts.
  const { rows }: Answer = yield sql`SELECT r.id, octet_length(r.body) AS size ${which} LIMIT ${most}`;
  const ids: string[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (bytes >= BYTES) break;
    bytes += numberOf(row, "size");
    ids.push(textOf(row, "id"));
  }
  return ids;
}

/** The query of live resources with their bodies, which nobody changes until the transaction ends. */
export function heldBodies({ tenant, type }: RowSource, ids: readonly string[], dialect: Dialect): Sql {
  const named = dialect.among(sql`r.id`, sql`SELECT l.value FROM ${dialect.idList(ids)} l`);
  return sql`SELECT r.id, r.body FROM ${liveResources(tenant, type)} AND ${named}
    ORDER BY r.id ${dialect.lockedRows}`;
}
