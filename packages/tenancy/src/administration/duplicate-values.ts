/**
 * The refusal of a rule that resources break.
 * @module
 */
import type { ConstraintSwitch, HeldTwice } from "@scim/core";
import type { JsonValue } from "@scim/schemas";
import { TenancyError } from "./tenancy-error.ts";

/** Resources of one value. */
export interface DuplicateValue {
  readonly value: string;
  /** Their ids: of those that were named, in no order. */
  readonly ids: readonly string[];
}

/** What was found. */
export interface FoundDuplicates {
  readonly constraint: ConstraintSwitch;
  readonly connection: string;
  /** Resources whose value another holds. */
  readonly refused: number;
  /** The first of them. */
  readonly first: readonly HeldTwice[];
}

/** Characters of a value that a refusal repeats. */
const MOST_CHARACTERS = 100;

/** Code `refused`: a switch cannot be on, since resources of the connection have one value. */
export class DuplicateValues extends TenancyError {
  /** The switch. */
  readonly rule: ConstraintSwitch["name"];
  /** How many resources have the value of another. */
  readonly count: number;
  /** The first values, each with the resources that have it. */
  readonly duplicates: readonly DuplicateValue[];

  constructor({ constraint, connection, refused, first }: FoundDuplicates) {
    const duplicates = byValue(constraint, first);
    const { name, type, attribute } = constraint;
    const named = duplicates.map(({ value, ids }) => `${JSON.stringify(value)} (${ids.join(", ")})`);
    const rest = refused > first.length ? `, and ${refused - first.length} more` : "";
    const has = refused === 1 ? "one has" : `${refused} have`;
    super(
      "refused",
      `'${name}' cannot be on for connection '${connection}': of its resources of type ${type} ${has} the ${attribute} of another: ` +
        `${named.join(", ")}${rest}. Give all but one of each another ${attribute}, or delete them, and try again.`,
    );
    this.rule = name;
    this.count = refused;
    this.duplicates = duplicates;
  }
}

function byValue({ attribute }: ConstraintSwitch, first: readonly HeldTwice[]): readonly DuplicateValue[] {
  const byHolder = new Map<string, { readonly value: string; readonly ids: string[] }>();
  for (const { id, body, holder } of first) {
    const known = byHolder.get(holder) ?? { value: shortText(body[attribute]), ids: [holder] };
    byHolder.set(holder, known);
    known.ids.push(id);
  }
  return [...byHolder.values()];
}

function shortText(value: JsonValue | undefined): string {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}
