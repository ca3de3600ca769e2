/**
 * Reads the values of one reference collection some at a time, by the rules that a whole body is read by, and keeps
 * nothing of them but what the rest of the body is read with.
 * @module
 */
import { isScimError, type JsonObject, type JsonValue, type ScimError } from "@scim/schemas";
import { isCanonical } from "../../attributes/settle.ts";
import { decodeOne } from "../../attributes/decode.ts";
import { distinct } from "../../attributes/identity.ts";
import { isMutableObject, type MutableObject, type MutableValue } from "../../attributes/json-object.ts";
import type { AttributeNode } from "../../model/attribute-node.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import type { Profile } from "../../profiles/profile.ts";
import type { SwitchName } from "../../profiles/switch.ts";
import { referenceBatch, type ReferenceBatch } from "../../store/reference-stage.ts";
import type { ReferenceValue } from "../../store/stored-resource.ts";
import type { Validator } from "../../validation/validator.ts";
import { applyWithin } from "../body.ts";
import { toReference } from "../../plan/collections.ts";

/** What was found in a collection that was read some values at a time. */
export interface FoundReferences {
  /** How many values it has, before equal ones become one. */
  readonly count: number;
  /** What is wrong with the first value that cannot be read. */
  readonly unreadable: ScimError | null;
  /** What is wrong with the first value that is not valid. */
  readonly invalid: ScimError | null;
  /** Stand for the values where the rest of the body is read: with what is wrong with them, there is one for each fault. */
  readonly examples: readonly JsonObject[];
  /** The tolerances that the values made use of, each once; not more than a log lists. */
  readonly switches: readonly (readonly [SwitchName, string])[];
}

/** By which rules values are read. */
export interface ReferenceRules {
  /** What gives them: a whole resource, which has defaults, or an operation of a PATCH. */
  readonly givenBy: "resource" | "operation";
  readonly model: ResourceModel;
  readonly node: AttributeNode;
  readonly profile: Profile;
  readonly validator: Validator;
}

/** Most tolerances that are told of. */
const MOST_SWITCHES = 100;

/** Reads the values of one collection of one body. */
export class ReferenceReader {
  readonly #rules: ReferenceRules;
  readonly #switches = new Map<string, readonly [SwitchName, string]>();
  readonly #examples: MutableObject[] = [];
  readonly #canonical: Set<AttributeNode>;
  readonly #onSwitch = (name: SwitchName, path: string): void => {
    const use = `${name} ${path}`;
    if (this.#switches.size < MOST_SWITCHES && !this.#switches.has(use))
      this.#switches.set(use, [name, path]);
  };
  #index = 0;
  #count = 0;
  #unreadable: ScimError | null = null;
  #invalid: ScimError | null = null;

  constructor(rules: ReferenceRules) {
    this.#rules = rules;
    this.#canonical = new Set(
      [...rules.node.subAttributes.values()].filter(({ attribute }) => attribute.canonicalValues.length > 0),
    );
  }

  /** Reads the next values; null where nothing is to be staged, since there are none or the body is refused anyway. */
  read(values: readonly JsonValue[]): ReferenceBatch | null {
    const found: MutableValue[] = [];
    for (const value of values) {
      const read = this.#readOne(value);
      if (read !== undefined) found.push(read);
    }
    if (this.#unreadable !== null || this.#invalid !== null || found.length === 0) return null;
    return referenceBatch(
      distinct(this.#rules.node, found).flatMap((value): readonly ReferenceValue[] => toReference(value)),
    );
  }

  /** What was found in all of them. */
  found(): FoundReferences {
    return {
      count: this.#count,
      unreadable: this.#unreadable,
      invalid: this.#invalid,
      examples: this.#examples,
      switches: [...this.#switches.values()],
    };
  }

  #readOne(raw: JsonValue): MutableObject | undefined {
    const index = this.#index;
    this.#index += 1;
    if (this.#unreadable !== null) return undefined;
    const path = `${this.#rules.node.path}[${index}]`;
    try {
      const value = this.#decode(raw, path);
      if (!isMutableObject(value)) return undefined;
      this.#count += 1;
      this.#check(value, path);
      return value;
    } catch (error) {
      if (!isScimError(error)) throw error;
      this.#unreadable = error;
      return undefined;
    }
  }

  #decode(raw: JsonValue, path: string): MutableValue | undefined {
    const { model, node, profile, givenBy } = this.#rules;
    const value = decodeOne({ node, path }, raw, {
      model,
      profile,
      onSwitch: this.#onSwitch,
      unknownCode: givenBy === "resource" ? "invalidSyntax" : "invalidValue",
      onReadOnly: () => undefined,
    });
    if (givenBy === "operation") return value;
    for (const { parent, keys, annotation } of model.defaulted) {
      if (parent === node && annotation.default !== undefined)
        applyWithin(value, keys.slice(node.keys.length), annotation.default);
    }
    return value;
  }

  #check(value: MutableObject, path: string): void {
    if (this.#invalid !== null) return;
    const { node, validator } = this.#rules;
    try {
      validator.given(node, value, path);
    } catch (error) {
      if (!isScimError(error)) throw error;
      this.#invalid = error;
      // It alone is looked at, in the place of the first.
      this.#examples.splice(0, this.#examples.length, value);
      return;
    }
    if (this.#examples.length === 0 || this.#isNews(value)) this.#examples.push(value);
  }

  /** Whether a value is the first with one that is not canonical. */
  #isNews(value: MutableObject): boolean {
    let isNews = false;
    for (const sub of this.#canonical) {
      const given = value[sub.attribute.name];
      if (given === undefined || isCanonical(sub, given)) continue;
      this.#canonical.delete(sub);
      isNews = true;
    }
    return isNews;
  }
}
