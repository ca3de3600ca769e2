/**
 * What the operations of one PATCH work on.
 * @module
 */
import type { JsonValue } from "@scim/schemas";
import type { DecodeContext } from "../attributes/decode.ts";
import type { MutableObject } from "../attributes/json-object.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { Validator } from "../validation/validator.ts";
import type { Effort } from "./effort.ts";
import type { TargetBinder } from "./target-cache.ts";
import type { TargetContext } from "./target.ts";

/** How operations are read, before the resource is known. */
export interface BindingContext {
  /** Id of the resource. */
  readonly id: string;
  readonly decode: DecodeContext;
  readonly target: TargetContext;
  readonly binder: TargetBinder;
}

/** The resource under change. */
export interface PatchState extends BindingContext {
  readonly effort: Effort;
  /** In normal form, with the values of reference collections that the operations name. Changed in place. */
  readonly resource: MutableObject;
  readonly validator: Validator;
}

/** An attribute and the object that holds its value: the resource, or an extension. */
export interface Place {
  readonly holder: MutableObject;
  readonly node: AttributeNode;
}

/** What an operation that sets something brings. */
export interface SetChange {
  readonly op: "add" | "replace";
  readonly value: JsonValue;
}

/** What an operation that removes something brings: the values to remove, or undefined. */
export interface RemoveChange {
  readonly op: "remove";
  readonly value: JsonValue | undefined;
  /** Whether the extension goes as a whole: then what it requires goes with it. */
  readonly withExtension?: boolean;
}
