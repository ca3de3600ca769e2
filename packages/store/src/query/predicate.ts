/**
 * Conditions that a filter turns into, and how they combine. A condition may let too much through where
 * the database cannot say more, and never too little.
 * @module
 */
import { constantSql, joinSql, type Sql, sql } from "../sql.ts";

/**
 * How much a look-up may find: `one` resource, those with an equal value, those in a range of values.
 */
export type LookupSize = "one" | "equal" | "range";

/** A way to find candidates by index instead of testing each resource. */
export interface Lookup {
  /** A query for a column `id`: those of all matches, and possibly others. */
  readonly ids: Sql;
  /** The same with ids that come more than once, where it is read up to a limit without all being gathered first. Default: `ids`. */
  readonly entries?: Sql;
  readonly size: LookupSize;
  /** Whether it finds just what the condition lets through, so that nothing needs testing. */
  readonly complete: boolean;
  /** What is looked up, for operators: attribute paths. */
  readonly name: string;
  /** Other ways to find candidates of the same condition. Default: none. */
  readonly others?: readonly Lookup[];
}

/** A condition on the resource `r`. */
export interface Predicate {
  /** Holds for every match. */
  readonly test: Sql;
  /** Whether it holds for matches alone. */
  readonly exact: boolean;
  readonly lookup: Lookup | null;
}

/** The condition of what the database cannot tell: everything may match. */
export const UNKNOWN: Predicate = { test: constantSql(true), exact: false, lookup: null };

/** A condition whose outcome is known. */
export function constantPredicate(value: boolean): Predicate {
  return { test: constantSql(value), exact: true, lookup: null };
}

/** Whether a condition holds for everything, or for nothing; null where that depends on the resource. */
export function knownOutcome({ test }: Predicate): boolean | null {
  if (test === constantSql(true)) return true;
  return test === constantSql(false) ? false : null;
}

/** All of the conditions. The best look-up among them serves. */
export function allOf(operands: readonly Predicate[]): Predicate {
  const exact = operands.every((operand) => operand.exact);
  if (operands.some((operand) => knownOutcome(operand) === false)) return constantPredicate(false);
  const telling = operands.filter((operand) => knownOutcome(operand) === null);
  if (telling.length === 0) return { ...constantPredicate(true), exact };
  const [only, ...others] = telling;
  if (only !== undefined && others.length === 0) return { ...only, exact };
  return { test: group(telling, "AND"), exact, lookup: smallest(telling) };
}

/** Any of the conditions. A look-up serves only where each has one. */
export function anyOf(operands: readonly Predicate[]): Predicate {
  const exact = operands.every((operand) => operand.exact);
  if (operands.some((operand) => operand.exact && knownOutcome(operand) === true))
    return constantPredicate(true);
  const possible = operands.filter((operand) => knownOutcome(operand) !== false);
  if (possible.length === 0) return constantPredicate(false);
  if (possible.some((operand) => knownOutcome(operand) === true)) return UNKNOWN;
  const [only, ...others] = possible;
  if (only !== undefined && others.length === 0) return { ...only, exact };
  return { test: group(possible, "OR"), exact, lookup: union(possible) };
}

/** The opposite of a condition, which only an exact one has. */
export function negated(operand: Predicate): Predicate {
  if (!operand.exact) return UNKNOWN;
  const outcome = knownOutcome(operand);
  if (outcome !== null) return constantPredicate(!outcome);
  return { test: sql`NOT ${operand.test}`, exact: true, lookup: null };
}

/** Terms that stand side by side in one condition: databases limit how deep a condition nests. */
const TERMS = 100;

/** Joins conditions; many of them in groups of groups. */
function group(operands: readonly Predicate[], word: "AND" | "OR"): Sql {
  const tests = operands.map((operand) => operand.test);
  return inGroups(tests, (part) => sql`(${joinSql(part, ` ${word} `)})`);
}

/** Combines parts, at most so many at a time, until one is left. */
function inGroups(parts: readonly Sql[], combine: (group: readonly Sql[]) => Sql): Sql {
  if (parts.length <= TERMS) return combine(parts);
  const groups: Sql[] = [];
  for (let start = 0; start < parts.length; start += TERMS)
    groups.push(combine(parts.slice(start, start + TERMS)));
  return inGroups(groups, combine);
}

const SIZES: readonly LookupSize[] = ["one", "equal", "range"];

function smallest(operands: readonly Predicate[]): Lookup | null {
  const lookups = operands.flatMap((operand) => operand.lookup ?? []);
  const [best, ...others] = lookups
    .toSorted((a, b) => SIZES.indexOf(a.size) - SIZES.indexOf(b.size))
    .map((lookup) => ({ ...lookup, complete: false }));
  return best === undefined ? null : { ...best, others };
}

function union(operands: readonly Predicate[]): Lookup | null {
  const lookups = operands.flatMap((operand) => operand.lookup ?? []);
  if (lookups.length < operands.length) return null;
  return {
    ids: joined(
      lookups.map(({ ids }) => ids),
      "UNION",
    ),
    entries: joined(
      lookups.map(({ ids, entries = ids }) => entries),
      "UNION ALL",
    ),
    size: lookups.some((lookup) => lookup.size === "range") ? "range" : "equal",
    complete: lookups.every((lookup) => lookup.complete),
    name: [...new Set(lookups.map((lookup) => lookup.name))].join(", "),
  };
}

function joined(queries: readonly Sql[], word: "UNION" | "UNION ALL"): Sql {
  return inGroups(queries, (part) =>
    part.length === 1 ? joinSql(part, "") : sql`SELECT id FROM (${joinSql(part, ` ${word} `)}) either`,
  );
}
