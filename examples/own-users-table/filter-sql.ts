/**
 * Turns what the table can look up of a SCIM filter into SQL. The rest is left to the service: it filters what the
 * statement finds, as long as nothing that matches is missing.
 * @module
 */
import type { CompareOperator, ComparisonNode, PresenceNode } from "@scim/filter";
import { foldFilter } from "@scim/filter/ast";
import type { HandlerQuery } from "@scim/core";

/** A condition on rows of the table. */
export interface Condition {
  readonly sql: string;
  readonly params: readonly (string | number)[];
  /** Whether it finds matches alone; else it finds more. */
  readonly exact: boolean;
}

/** Finds every row. */
const EVERY: Condition = { sql: "1", params: [], exact: false };

/** Columns by attribute path. Text in them is ASCII and NOCASE, or exact: `=` compares as SCIM does. */
const COLUMNS: ReadonlyMap<string, string> = new Map([
  ["userName", "login"],
  ["emails.value", "email"],
  ["externalId", "external_id"],
]);

/** The condition that every match of a filter meets. */
export function conditionOf(filter: HandlerQuery["filter"]): Condition {
  if (filter === null) return { ...EVERY, exact: true };
  return foldFilter<Condition>(filter, {
    comparison,
    presence,
    // What is not known of one operand, the others narrow down.
    and: (operands) => joined(operands, " AND "),
    // Here one operand that finds every row finds every row.
    or: (operands) => joined(operands, " OR "),
    // The opposite of a condition that finds too much would find too little.
    not: (operand) => (operand.exact ? { ...operand, sql: `NOT (${operand.sql})` } : EVERY),
    valuePath: () => EVERY,
  });
}

function joined(operands: readonly Condition[], word: string): Condition {
  return {
    sql: operands.map(({ sql }) => `(${sql})`).join(word),
    params: operands.flatMap(({ params }) => params),
    exact: operands.every(({ exact }) => exact),
  };
}

function comparison({ path, operator, value }: ComparisonNode): Condition {
  const name = nameOf(path);
  if (name === "active" && operator === "eq") {
    return { sql: "is_active = ?", params: [value === true ? 1 : 0], exact: true };
  }
  const column = COLUMNS.get(name);
  if (column === undefined || typeof value !== "string") return EVERY;
  const sql = testOf(operator, column);
  if (sql === null) return EVERY;
  return { sql, params: [operator === "sw" ? `${escaped(value)}%` : value], exact: operator !== "sw" };
}

/** Never NULL, so that `NOT` turns it round. */
function testOf(operator: CompareOperator, column: string): string | null {
  switch (operator) {
    case "eq":
      return `${column} IS NOT NULL AND ${column} = ?`;
    case "ne":
      return `${column} IS NULL OR ${column} <> ?`;
    case "sw":
      return `${column} LIKE ? ESCAPE '\\'`;
    default:
      return null;
  }
}

/** `%` and `_` are letters like any other. */
function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

function presence({ path }: PresenceNode): Condition {
  const column = COLUMNS.get(nameOf(path));
  return column === undefined ? EVERY : { sql: `ifnull(${column}, '') <> ''`, params: [], exact: true };
}

function nameOf({ urn, attribute, subAttribute }: ComparisonNode["path"]): string {
  if (urn !== null) return `${urn}:${attribute}`;
  return subAttribute === null ? attribute : `${attribute}.${subAttribute}`;
}
