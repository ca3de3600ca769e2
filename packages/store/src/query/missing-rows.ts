/**
 * The resources of a type that have no value of an indexed attribute, in order of id.
 * @module
 */
import type { Dialect } from "../dialect.ts";
import { missingPath } from "../indexes/missing.ts";
import { isSettled } from "../indexes/view.ts";
import type { RowSource } from "../resources/read.ts";
import { liveResources } from "../resources/rows.ts";
import { type Sql, sql } from "../sql.ts";
import type { Steps } from "../steps.ts";

/** Where they are found. */
export interface MissingRows {
  /** What stands behind FROM, with its condition. */
  readonly rows: Sql;
  readonly id: Sql;
  /** Whether an index holds them and no others. */
  readonly isIndexed: boolean;
}

/**
 * Where the resources without a value are found: by entries of their own, unless a program wrote that does not know of
 * these. Then they are looked for among all.
 */
export function* missingRows(
  source: RowSource,
  path: string,
  { keys, rowByRow }: Dialect,
): Steps<MissingRows> {
  const { tenant, type } = source;
  if (yield* isSettled(source)) {
    const rows = sql`attribute_index x WHERE x.tenant = ${tenant} AND x.type = ${type}
      AND x.path = ${missingPath(path)} AND x.key = ${keys.bounded("")}`;
    return { rows, id: sql`x.id`, isIndexed: true };
  }
  const rows = sql`${liveResources(tenant, type)}
    AND NOT EXISTS (SELECT 1 FROM attribute_index x WHERE x.tenant = ${tenant} AND x.type = ${type}
      AND x.id = r.id AND x.path = ${path}${rowByRow})`;
  return { rows, id: sql`r.id`, isIndexed: false };
}
