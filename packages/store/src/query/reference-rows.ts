/**
 * The rows behind a collection and behind an inverse: the same table, read from either end.
 * @module
 */
import type { AttributeNode, InverseSource } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { isOfCollection } from "../resources/collections.ts";
import { joinSql, type Sql, sql } from "../sql.ts";
import type { FilterSetting } from "./compile-filter.ts";

/** Rows `m` that hold the values of an attribute of the resource `r`. */
export interface ReferenceRows {
  /** Attribute path, for operators. */
  readonly name: string;
  /** Column of the `value` sub-attribute. */
  readonly value: Sql;
  /** Condition: the value of the row `m` is one of several. */
  isOneOf(values: readonly string[]): Sql;
  /** Condition: `r` has a row that meets a condition; one of values that it names is found by those. */
  exists(condition: Sql, namesValues?: boolean): Sql;
  /** Query for the ids of resources that have one of the values. */
  holders(values: readonly string[]): Sql;
  readonly dialect: Dialect;
}

/** The rows of a collection of `r`. */
export function collectionRows(
  { tenant, type, dialect }: FilterSetting,
  { path }: AttributeNode,
): ReferenceRows {
  const isOf = sql`m.type = ${type} AND m.path = ${path}`;
  const isOfByValue = isOfCollection({ type, path }, dialect);
  return {
    name: path,
    value: sql`m.value`,
    isOneOf: (values) => oneOf(sql`m.value`, values, dialect),
    exists: (condition, namesValues = false) => sql`EXISTS (SELECT 1 FROM reference_values m
      WHERE m.tenant = ${tenant} AND ${namesValues ? isOfByValue : isOf} AND m.owner = r.id
        AND ${condition}${dialect.rowByRow})`,
    holders: (values) => sql`SELECT m.owner AS id FROM reference_values m WHERE m.tenant = ${tenant}
      AND ${oneOf(sql`m.value`, values, dialect)} AND ${isOfByValue}`,
    dialect,
  };
}

/** The rows of others that name `r`; those of deleted resources do not count. */
export function inverseRows(
  { tenant, dialect }: FilterSetting,
  sources: readonly InverseSource[],
): ReferenceRows {
  const isSource =
    sources.length === 0
      ? sql`1 = 0`
      : sql`(${joinSql(
          sources.map((source) => sql`m.type = ${source.type} AND m.path = ${source.collection}`),
          " OR ",
        )})`;
  const owner = sql`EXISTS (SELECT 1 FROM resources o WHERE o.tenant = ${tenant} AND o.type = m.type
    AND o.id = m.owner AND o.deleted IS NULL)`;
  return {
    name: [...new Set(sources.map((source) => source.collection))].join(", "),
    value: sql`m.owner`,
    isOneOf: (values) => oneOf(sql`m.owner`, values, dialect),
    exists: (condition) => sql`EXISTS (SELECT 1 FROM reference_values m WHERE m.tenant = ${tenant}
      AND m.value = r.id AND ${isSource} AND ${condition} AND ${owner}${dialect.rowByRow})`,
    holders: (values) => sql`SELECT m.value AS id FROM reference_values m WHERE m.tenant = ${tenant}
      AND ${isSource} AND ${oneOf(sql`m.owner`, values, dialect)} AND ${owner}`,
    dialect,
  };
}

/** A column is one of several texts, which are one parameter where they are more than one. */
function oneOf(column: Sql, values: readonly string[], dialect: Dialect): Sql {
  const [only, ...others] = values;
  if (only !== undefined && others.length === 0) return sql`${column} IN (${only})`;
  return dialect.among(column, sql`SELECT l.value FROM ${dialect.idList(values)} l`);
}
