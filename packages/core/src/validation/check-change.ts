/**
 * Checks what a change makes of a resource.
 * @module
 */
import { isScimError, type JsonObject } from "@scim/schemas";
import type { ResourceModel } from "../model/resource-model.ts";
import type { Validator } from "./validator.ts";

/**
 * Checks the resource that a change leads to. One that was imported may lack required values that are never returned:
 * a change of others does not demand them.
 * @throws ScimError `invalidValue` naming the attribute
 */
export function checkChange(
  validator: Validator,
  model: ResourceModel,
  { before, after }: { readonly before: JsonObject; readonly after: JsonObject },
): void {
  try {
    validator.resource(model, after, "result");
  } catch (error) {
    if (model.hidden.length === 0 || isValid(validator, model, before)) throw error;
    validator.resource(model, after, "import");
  }
}

function isValid(validator: Validator, model: ResourceModel, resource: JsonObject): boolean {
  try {
    validator.resource(model, resource, "result");
    return true;
  } catch (error) {
    if (!isScimError(error)) throw error;
    return false;
  }
}
