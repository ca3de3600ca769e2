/**
 * Conditions on attributes that have an index.
 * @module
 */
import type { AttributeNode } from "@scim/core";
import type { BoundComparison, BoundPath, BoundPresence, ComparisonKey } from "@scim/filter";
import { type Sql, sql } from "../sql.ts";
import type { FilterSetting } from "./compile-filter.ts";
import { EVERY_ROW, isComparable, positiveOperator, seekOf } from "./key-condition.ts";
import { type LookupSize, type Predicate, UNKNOWN } from "./predicate.ts";

type Setting = Pick<FilterSetting, "tenant" | "type" | "dialect" | "serves">;
type Target = BoundPath<AttributeNode>;

/** A comparison: RFC 7644 §3.4.2.2; a missing value meets `ne` alone. */
export function attributeComparison(setting: Setting, comparison: BoundComparison<AttributeNode>): Predicate {
  const { target, key } = comparison;
  if (!setting.serves(target.handle) || !isComparable(comparison)) return UNKNOWN;
  const operator = positiveOperator(comparison);
  if (operator === null) return differs(setting, target, setting.dialect.keys.condition("eq", key));
  const condition = setting.dialect.keys.condition(operator, key);
  return found(setting, { target, condition, size: sizeOf(target, seekOf(operator)) });
}

/** Whether the attribute has one of several keys: a look-up for all of them. */
export function attributeOneOf(setting: Setting, target: Target, among: readonly ComparisonKey[]): Predicate {
  if (!setting.serves(target.handle)) return UNKNOWN;
  return found(setting, { target, condition: setting.dialect.keys.oneOf(among), size: "equal" });
}

/** `pr`: an empty text does not count. Complex attributes have no index of their own. */
export function attributePresence(setting: Setting, { target }: BoundPresence<AttributeNode>): Predicate {
  if (!setting.serves(target.handle)) return UNKNOWN;
  const isText = target.type !== "boolean" && target.type !== "integer" && target.type !== "decimal";
  return found(setting, { target, condition: isText ? sql`x.key > ''` : EVERY_ROW, size: "range" });
}

function sizeOf(target: Target, seek: "equal" | "range" | null): LookupSize | null {
  if (seek !== "equal") return seek;
  return target.handle.attribute.uniqueness === "none" ? "equal" : "one";
}

interface Entries {
  readonly target: Target;
  readonly condition: Sql;
  readonly size: LookupSize | null;
}

function found(setting: Setting, { target, condition, size }: Entries): Predicate {
  const name = target.handle.path;
  const ids = sql`SELECT x.id FROM attribute_index x WHERE x.tenant = ${setting.tenant} AND x.type = ${setting.type}
    AND x.path = ${name} AND ${condition}`;
  return {
    test: hasEntry(setting, name, condition),
    exact: true,
    lookup: size === null ? null : { ids, size, name, complete: true },
  };
}

/** `ne`: a value that differs, or none at all. */
function differs(setting: Setting, target: Target, equal: Sql): Predicate {
  const { path } = target.handle;
  const test = target.multiValued
    ? sql`(${hasEntry(setting, path, sql`NOT ${equal}`)} OR NOT ${hasEntry(setting, path, EVERY_ROW)})`
    : sql`NOT ${hasEntry(setting, path, equal)}`;
  return { test, exact: true, lookup: null };
}

function hasEntry({ tenant, type, dialect }: Setting, path: string, condition: Sql): Sql {
  return sql`EXISTS (SELECT 1 FROM attribute_index x WHERE x.tenant = ${tenant} AND x.type = ${type}
    AND x.path = ${path} AND x.id = r.id AND ${condition}${dialect.rowByRow})`;
}
