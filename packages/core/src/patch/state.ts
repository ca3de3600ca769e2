/**
 * What the operations of one PATCH work on.
 * @module
 */
import type { DecodeContext } from "../attributes/decode.ts";
import type { MutableObject } from "../attributes/json-object.ts";
import type { Validator } from "../validation/validator.ts";
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
  /** In normal form, with the values of reference collections that the operations name. Changed in place. */
  readonly resource: MutableObject;
  readonly validator: Validator;
}
