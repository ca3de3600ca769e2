/**
 * The parts of `@scim/core` that no public name reaches, put together as its operations do: what a PATCH does
 * to a resource and what a POST does to a body, without index entries, answers and store.
 * @module
 */
import { PROFILES } from "@scim/core";
import { createDefaultRegistry, type JsonObject, type JsonValue, type SchemaRegistry } from "@scim/schemas";
import { decodeMembers } from "../packages/core/dist/attributes/decode.js";
import { copyObject, type MutableObject } from "../packages/core/dist/attributes/json-object.js";
import { settleResource } from "../packages/core/dist/attributes/settle.js";
import { DEFAULT_LIMITS } from "../packages/core/dist/limits.js";
import { createModelCatalog } from "../packages/core/dist/model/catalog.js";
import { applyOperations, bindOperations } from "../packages/core/dist/patch/apply.js";
import { coalesce } from "../packages/core/dist/patch/coalesce.js";
import { readOperations } from "../packages/core/dist/patch/operation.js";
import { Effort } from "../packages/core/dist/patch/effort.js";
import { createTargetBinder } from "../packages/core/dist/patch/target-cache.js";
import { createFilterParser } from "../packages/core/dist/query/parser.js";
import { createValidator } from "../packages/core/dist/validation/validator.js";

/** What happens to one User after another. */
export interface UserWork {
  /** Checks a User in normal form against the schemas. */
  validate(resource: MutableObject): void;
  /** A User as sent, in normal form and valid. */
  read(body: JsonObject): MutableObject;
  /** A stored User after a PatchOp message, valid as a whole. */
  patch(stored: JsonObject, message: JsonValue): JsonObject;
}

/** Puts the parts together for the User of a registry. */
export function insideCore(registry: SchemaRegistry = createDefaultRegistry()): UserWork {
  const model = createModelCatalog(registry).model("User");
  const validator = createValidator(DEFAULT_LIMITS);
  const parser = createFilterParser({
    maxLength: DEFAULT_LIMITS.filterLength,
    maxDepth: DEFAULT_LIMITS.filterDepth,
  });
  const binder = createTargetBinder();
  const request = { profile: PROFILES.tolerant, onSwitch: () => undefined };
  const decode = {
    model,
    ...request,
    unknownCode: "invalidValue" as const,
    onReadOnly: () => undefined,
  };
  const settle = { ...request, maxValues: DEFAULT_LIMITS.attributeValues };
  return {
    validate: (resource) => {
      validator.resource(model, resource, "input");
    },
    read: ({ schemas: _schemas, ...attributes }) => {
      const resource = decodeMembers(attributes, { members: model.members, prefix: "" }, decode);
      validator.resource(model, resource, "input");
      settleResource(model, resource, { ...settle, touched: null });
      return resource;
    },
    patch: (stored, message) => {
      const binding = { id: "u1", decode, target: { model, request, parser }, binder };
      const steps = bindOperations(readOperations(message, request), binding);
      let step = steps.next();
      while (step.done !== true) step = steps.next();
      const operations = coalesce(step.value);
      const resource = copyObject(stored);
      const applying = applyOperations(operations, { ...binding, resource, validator, effort: new Effort() });
      while (applying.next().done !== true) continue;
      validator.resource(model, resource, "result");
      const touched = new Set(operations.map(({ target }) => target.attribute.keys[0] ?? ""));
      settleResource(model, resource, { ...settle, touched });
      return resource;
    },
  };
}
