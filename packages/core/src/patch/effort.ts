/**
 * How much one PATCH may compare, and when others have their turn meanwhile.
 * @module
 */
import { type FilterNode, foldFilter } from "@scim/filter/ast";
import { isJsonArray, ScimError } from "@scim/schemas";
import type { MutableValue } from "../attributes/json-object.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { BoundOperation } from "./apply.ts";
import { nestedValue } from "./multi-valued.ts";

/** Comparisons of short values that one PATCH may take. */
const MOST_COMPARISONS = 4_000_000;

/** How often a value that came or changed is compared, beside what filters and lists ask: with all values of its list. */
const COMPARISONS_OF_NEW = 4;

/** Comparisons after which others have their turn: some twenty milliseconds of them. */
const BETWEEN_TURNS = 100_000;

/** Comparisons that an operation costs whatever it does, and each value that it brings. */
const [OF_OPERATION, OF_VALUE] = [20, 20];

/** Characters that are compared in the time of one short value: of ASCII, and of text that must be composed first. */
const [PLAIN_CHARACTERS, COMPOSED_CHARACTERS] = [128, 8];

// eslint-disable-next-line no-control-regex -- the range is that of ASCII
const BEYOND_ASCII = /[^\u0000-\u007f]/;

/** Operations of which no value is remembered: most messages have no more, and to remember costs as much as to compare. */
const FEW_OPERATIONS = 8;

/** Counts the comparisons that one PATCH takes. */
export class Effort {
  #left = MOST_COMPARISONS;
  #sinceTurn = 0;
  #operations = 0;
  /** What was weighed: values in lists are replaced, never changed. Null where operations are few. */
  #weights: WeakMap<object, number> | null = null;

  /**
   * Counts what an operation compares: each value that is there with each term of a filter, or with each of a list.
   * @throws ScimError `payloadTooLarge` where there are too many
   */
  spend(node: AttributeNode, held: MutableValue | undefined, { target, change }: BoundOperation): void {
    this.#operations += 1;
    this.#sinceTurn += OF_OPERATION;
    const ofValues = OF_VALUE * (isJsonArray(change.value) ? change.value.length : 0);
    if (this.#operations > FEW_OPERATIONS) this.#weights ??= new WeakMap();
    // References are as many as they are, and compared by their `value`: one operation may go through all of them.
    if (node.storage === "collection") {
      this.#sinceTurn += ofValues;
      const terms = target.filter === null ? 1 : termsOf(target.filter.written);
      this.#take(Math.min((Array.isArray(held) ? held.length : 0) * terms, MOST_COMPARISONS));
      return;
    }
    this.#take(ofValues);
    const weight = this.#weightOfHeld(node, held);
    if (target.filter !== null) this.#take(weight * termsOf(target.filter.written));
    else this.#take(weight * valuesListed(node, change));
  }

  /** Whether so much was done that others should have their turn; it counts anew from then on. */
  takesTurn(): boolean {
    if (this.#sinceTurn < BETWEEN_TURNS) return false;
    this.#sinceTurn = 0;
    return true;
  }

  #take(comparisons: number): void {
    this.#sinceTurn += comparisons;
    this.#left -= comparisons;
    if (this.#left >= 0) return;
    throw new ScimError(
      "payloadTooLarge",
      "The operations of this PATCH compare too many values with each other: send them in several requests.",
    );
  }

  #weightOfHeld(node: AttributeNode, held: MutableValue | undefined): number {
    if (held === undefined) return 0;
    if (!Array.isArray(held)) return hasLists(node) ? weightOf(held) : 0;
    let sum = 0;
    for (const value of held) sum += this.#weightInList(value);
    return sum;
  }

  #weightInList(value: MutableValue): number {
    if (typeof value !== "object" || value === null) return weightOf(value);
    const known = this.#weights?.get(value);
    if (known !== undefined) return known;
    const weight = weightOf(value);
    this.#weights?.set(value, weight);
    if (this.#operations === 1 || this.#weights !== null) this.#take(weight * COMPARISONS_OF_NEW);
    return weight;
  }
}

/** How many values an operation adds or removes one by one; one where it is about all of them. */
function valuesListed(node: AttributeNode, { op, value }: BoundOperation["change"]): number {
  const nested = op === "remove" && value !== undefined ? nestedValue(node, value) : undefined;
  const listed = nested ?? value;
  return op !== "replace" && isJsonArray(listed) ? listed.length : 1;
}

function hasLists(node: AttributeNode): boolean {
  for (const sub of node.subAttributes.values()) if (sub.attribute.multiValued) return true;
  return false;
}

/** How many short values take as long to compare. What stands in a value beside lists is compared together. */
function weightOf(value: MutableValue): number {
  if (typeof value === "string") {
    if (value.length < COMPOSED_CHARACTERS) return 1;
    return 1 + Math.floor(value.length / (BEYOND_ASCII.test(value) ? COMPOSED_CHARACTERS : PLAIN_CHARACTERS));
  }
  if (typeof value !== "object" || value === null) return 1;
  let sum = 0;
  if (Array.isArray(value)) {
    for (const each of value) sum += weightOf(each);
    return sum;
  }
  for (const name of Object.keys(value)) {
    const part = value[name];
    if (part !== undefined) sum += weightOf(part) - (Array.isArray(part) ? 0 : 1);
  }
  return 1 + sum;
}

function termsOf(filter: FilterNode): number {
  const sum = (counts: readonly number[]): number => counts.reduce((all, each) => all + each, 0);
  return foldFilter<number>(filter, {
    comparison: () => 1,
    presence: () => 1,
    and: sum,
    or: sum,
    not: (count) => count,
    valuePath: (count) => count,
  });
}
