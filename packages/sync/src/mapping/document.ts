/**
 * A mapping as its file states it, before the target was asked for its schemas.
 * @module
 */
import type { JsonValue } from "@scim/schemas";
import type { ValueRule } from "../expression/evaluate.ts";
import type { Tables } from "../expression/functions.ts";
import type { Expression } from "../expression/parse.ts";

/** A place in a mapping file, for messages. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly path: string;
}

/** An attribute path with the rule of its value. */
export interface StatedRule {
  readonly target: string;
  readonly rule: ValueRule;
  readonly place: Place;
}

/** An attribute that refers to other resources of the mapping. */
export interface StatedReference {
  readonly target: string;
  /** Resource type of what is referred to. */
  readonly to: string;
  /** Keys of the records that are referred to. */
  readonly keys: ValueRule;
  readonly place: Place;
}

/** What is done with resources whose record is gone. */
export type LeaverAction = "deactivate" | "delete" | "ignore";

/** How the records of one source become resources of one type. */
export interface StatedSection {
  /** What tells it from the others, wherever it stands: which records are its own. */
  readonly identity: string;
  readonly type: string;
  /** Name of the source; null for the only one. */
  readonly from: string | null;
  /** Records for which this is false, or nothing, are left out; null for all. */
  readonly where: Expression | null;
  /** What tells a record from the others of its type. */
  readonly key: Expression;
  /** Path of the attribute by which resources are found that the sync has not met before. */
  readonly match: string;
  /** What the sync owns. */
  readonly set: readonly StatedRule[];
  /** What is given to new resources, and left alone afterwards. */
  readonly initial: readonly StatedRule[];
  readonly references: readonly StatedReference[];
  readonly leavers: LeaverAction;
  readonly place: Place;
  readonly matchPlace: Place;
}

/** How many changes are let through: the greater one of a number and a part. */
export interface ChangeLimit {
  /** A number of resources. */
  readonly most: number;
  /** Part of the resources that are known, 0 to 100. */
  readonly percent: number;
}

/** Limits of a plan. */
export interface ChangeLimits {
  /** Deactivations and deletions. Default: 10, or 5 %. */
  readonly leavers: ChangeLimit;
  /** Updates. Default: 100, or 20 %. */
  readonly updates: ChangeLimit;
}

/** A mapping. */
export interface Mapping {
  /** Name of its file, for messages. */
  readonly file: string;
  /** What tells this mapping from others: its content. */
  readonly fingerprint: string;
  readonly tables: Tables;
  readonly limits: ChangeLimits;
  readonly sections: readonly StatedSection[];
}

/** Lookup tables while they are read. */
export type MutableTables = Map<string, Map<string, JsonValue>>;
