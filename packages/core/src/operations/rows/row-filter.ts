/**
 * What a filter says about rows: which ends it names, so that an index finds them, and what is left to compare.
 * @module
 */
import type { BoundComparison } from "@scim/filter";
import type { AttributeNode } from "../../model/attribute-node.ts";
import type { RowSource } from "../../model/row-source.ts";
import type { ResourceFilter } from "../../store/port.ts";
import { rowEnds } from "./row-id.ts";

/** Rows that a filter lets through. */
export interface RowFilter {
  /** The owner that it names; null where it names none. */
  readonly owner: string | null;
  /** The value that it names; null where it names none. */
  readonly value: string | null;
  /** What of it each row is still compared with; null where the ends say it all. */
  readonly rest: ResourceFilter | null;
}

/** The rows that `eq` on the two ends or on `id` names, alone or joined by `and`. */
export function readRowFilter(source: RowSource, filter: ResourceFilter | null): RowFilter {
  let owner: string | null = null;
  let value: string | null = null;
  const rest: ResourceFilter[] = [];
  for (const term of filter === null ? [] : termsOf(filter)) {
    const ends = endsOf(source, term);
    // Of two ends that differ one is compared, so that no row passes.
    const fits = isSame(owner, ends.owner) && isSame(value, ends.value);
    if (!fits || !ends.complete) rest.push(term);
    if (!fits) continue;
    owner = ends.owner ?? owner;
    value = ends.value ?? value;
  }
  const [only, ...others] = rest;
  if (only === undefined) return { owner, value, rest: null };
  return { owner, value, rest: others.length === 0 ? only : { kind: "and", operands: rest } };
}

/** The conditions that must all hold. */
function termsOf(filter: ResourceFilter): readonly ResourceFilter[] {
  return filter.kind === "and" ? filter.operands.flatMap(termsOf) : [filter];
}

function isSame(known: string | null, named: string | undefined): boolean {
  return known === null || named === undefined || known === named;
}

/** What a condition says about the ends. */
interface TermEnds {
  readonly owner?: string;
  readonly value?: string;
  /** Whether it says nothing else. */
  readonly complete: boolean;
}

const SOMETHING_ELSE: TermEnds = { complete: false };

function endsOf(source: RowSource, term: ResourceFilter): TermEnds {
  switch (term.kind) {
    case "comparison":
      return comparedEnds(source, term);
    case "valuePath":
      // `group[value eq "x"]`: of one value, the brackets say the same as a path.
      return endsOf(source, term.filter);
    case "and": {
      const named = term.operands.map((operand) => endsOf(source, operand)).find(namesOne);
      return named === undefined ? SOMETHING_ELSE : { ...named, complete: false };
    }
    default:
      return SOMETHING_ELSE;
  }
}

function namesOne({ owner, value }: TermEnds): boolean {
  return owner !== undefined || value !== undefined;
}

function comparedEnds({ owner, value }: RowSource, term: BoundComparison<AttributeNode>): TermEnds {
  const { operator, key, target } = term;
  if (operator !== "eq" || typeof key !== "string") return SOMETHING_ELSE;
  if (target.handle === idOf(owner)) return { owner: key, complete: true };
  if (target.handle === idOf(value)) return { value: key, complete: true };
  const ends = target.handle.storage === "column" && target.path === "id" ? rowEnds(key) : null;
  return ends === null ? SOMETHING_ELSE : { ...ends, complete: true };
}

function idOf({ subAttributes }: AttributeNode): AttributeNode | undefined {
  return subAttributes.get("value");
}
