/**
 * The fields that a mapping names, compared with those that records have: a name that is misspelt, or a column that is gone,
 * would clear what it is mapped to.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { cutsOf, fieldOf, type ValueRule } from "../expression/evaluate.ts";
import type { Expression } from "../expression/parse.ts";
import type { BoundSection } from "../mapping/bind.ts";
import { SourceError, type SourceReading } from "../sources/source.ts";

/** What is asked of a reading. */
type Columned = Pick<SourceReading, "hasColumns" | "columns" | "changesOnly">;

/** The fields that sections name, as far as no record had them yet. */
export class NamedFields {
  readonly #source: string;
  readonly #reading: Columned;
  readonly #unseen: Set<string>;
  #isFirst = true;

  constructor(source: string, sections: readonly BoundSection[], reading: Columned) {
    this.#source = source;
    this.#reading = reading;
    this.#unseen = new Set(sections.flatMap((section) => [...namesIn(section)]));
  }

  /**
   * Takes a record in.
   * @throws {@link SourceError} where all records have the same columns, and one that is named is not among them
   */
  see(fields: JsonObject): void {
    if (this.#isFirst && this.#reading.hasColumns === true) this.#checkColumns(Object.keys(fields));
    this.#isFirst = false;
    for (const name of this.#unseen) if (fieldOf(name, fields) !== undefined) this.#unseen.delete(name);
  }

  /**
   * Takes in that the source is at its end.
   * @throws {@link SourceError} as {@link see}, where there was no record
   */
  end(): void {
    const columns = this.#isFirst ? (this.#reading.columns?.() ?? null) : null;
    if (columns !== null) this.#checkColumns(columns);
  }

  /** Tells of fields that no record had. */
  *notes(): Generator<string, void, undefined> {
    if (this.#isFirst || this.#reading.hasColumns === true || this.#reading.changesOnly) return;
    for (const name of this.#unseen)
      yield `The mapping reads '${name}', which no record of ${this.#source} has.`;
  }

  #checkColumns(names: readonly string[]): void {
    const columns = new Set(names);
    const has = (name: string): boolean => columns.has(name);
    // Within a column there may be more, as in one of JSON.
    const missing = [...this.#unseen].find(
      (name) => !has(name) && ![...cutsOf(name)].some(([outer]) => has(outer)),
    );
    if (missing === undefined) return;
    throw new SourceError(
      `The mapping reads '${missing}', which is no column of ${this.#source}; its columns are ${names.join(", ")}.`,
    );
  }
}

/** The fields that a section names: to tell whose record it is, or at all. */
export function* namesIn(
  section: BoundSection,
  what: "key" | "all" = "all",
): Generator<string, void, undefined> {
  const { where, key, set, initial, references } = section;
  if (where !== null) yield* namesOf(where);
  yield* namesOf(key);
  if (what === "key") return;
  for (const { rule } of [...set, ...initial]) yield* namesOfRule(rule);
  for (const { keys } of references) yield* namesOfRule(keys);
}

function* namesOfRule(rule: ValueRule): Generator<string, void, undefined> {
  switch (rule.kind) {
    case "constant":
      return;
    case "expression":
      return yield* namesOf(rule.expression);
    case "list":
      for (const item of rule.items) yield* namesOfRule(item);
      return;
    case "object":
      for (const [, member] of rule.members) yield* namesOfRule(member);
  }
}

function* namesOf({ parts }: Expression): Generator<string, void, undefined> {
  for (const part of parts) if (typeof part !== "string") yield part.field;
}
