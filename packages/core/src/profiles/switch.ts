/**
 * The four kinds of switches. A switch is one deviation of a known client from the RFC: named, documented, tested.
 * @module
 */
import type { JsonValue } from "@scim/schemas";
import type { AttributeNode } from "../model/attribute-node.ts";

/** Names of the switches; each stands in a file of its own in this folder. */
export type SwitchName =
  | "bare-token"
  | "empty-operations"
  | "empty-second-primary"
  | "excessive-count"
  | "group-name-unique"
  | "ignore-read-only"
  | "lenient-literals"
  | "malformed-references"
  | "missing-patch-schemas"
  | "missing-schemas"
  | "nested-remove-value"
  | "no-content-for-group-patch"
  | "non-canonical-values"
  | "object-as-text"
  | "patch-path-required"
  | "plain-answers"
  | "reference-as-string"
  | "replace-creates-on-no-match"
  | "replace-whole-complex"
  | "require-version"
  | "search-as-strings"
  | "single-element-array"
  | "singular-value-path"
  | "string-booleans"
  | "string-numbers"
  | "unknown-attributes"
  | "unknown-invalid-syntax"
  | "unknown-projection-names"
  | "unqualified-extension-names"
  | "value-path-comparison"
  | "value-path-sub-attribute";

interface SwitchCommon {
  readonly name: SwitchName;
  /** What the service does where the switch is on. */
  readonly does: string;
  /** What it does where the switch is off. */
  readonly otherwise: string;
  /** Which clients need it. */
  readonly sentBy: string;
  /** What the RFC says. */
  readonly rfc: string;
}

/** Turns a value that does not fit its attribute into the one that the client meant. */
export interface RewriteSwitch extends SwitchCommon {
  readonly kind: "rewrite";
  /** The meant value, or undefined where the switch does not know the form. Called only for values that do not fit. */
  readonly rewrite: (node: AttributeNode, value: JsonValue) => JsonValue | undefined;
}

/** An option of parser, validator or PATCH engine. */
export interface OptionSwitch extends SwitchCommon {
  readonly kind: "option";
}

/**
 * A uniqueness rule handed to the store: of the resources of a type that one connection created, no two have one value of
 * an attribute.
 */
export interface ConstraintSwitch extends SwitchCommon {
  readonly kind: "constraint";
  /** Name of the resource type that the rule is for. */
  readonly type: string;
  /** Name of an attribute of the type. */
  readonly attribute: string;
}

/** Status or shape of an answer. */
export interface AnswerSwitch extends SwitchCommon {
  readonly kind: "answer";
}

/** One deviation from the RFC. */
export type ProfileSwitch = RewriteSwitch | OptionSwitch | ConstraintSwitch | AnswerSwitch;
