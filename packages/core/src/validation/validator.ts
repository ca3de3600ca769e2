/**
 * Validators compiled from the attribute tree through ajv, on first use.
 * @module
 */
import type { ErrorObject, ValidateFunction } from "ajv";
import type { CacheCounts } from "@scim/filter";
import { isJsonObject, ScimError, type JsonObject } from "@scim/schemas";
import { own, type MutableValue } from "../attributes/json-object.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { compileSchema } from "./compile.ts";
import {
  attributeSchema,
  MAX_LENGTH,
  PRECISION,
  type ResourceContext,
  resourceSchemas,
  type SchemaPart,
  SCALE,
  valueSchema,
  type ValueLimits,
} from "./json-schema.ts";

/** Checks values against the schemas of resource types. */
export interface Validator {
  /**
   * Checks a whole resource in normal form, as sent, as a PATCH leaves it or as an import brings it: types, and that
   * required attributes are present.
   * @throws ScimError `invalidValue` naming the attribute
   */
  resource(model: ResourceModel, resource: JsonObject, context: ResourceContext): void;
  /**
   * Makes what a resource is checked by that has the attributes of this one, in steps: for a type of thousands of attributes it
   * takes so long that others should have their turn between two of them. Null where nothing long is to be made.
   */
  prepare(
    model: ResourceModel,
    resource: JsonObject,
    context: ResourceContext,
  ): Generator<undefined, void, undefined> | null;
  /**
   * Checks the value of an attribute that a PATCH operation sets; parts of it may be missing.
   * @throws ScimError `invalidValue` naming the attribute
   */
  attribute(node: AttributeNode, value: MutableValue): void;
  /**
   * Checks one value of a list of a whole resource, as sent. `path` names it, with its index.
   * @throws ScimError `invalidValue` naming the attribute
   */
  given(node: AttributeNode, value: MutableValue, path: string): void;
  /**
   * Checks one value of a multi-valued attribute.
   * @throws ScimError `invalidValue` naming the attribute
   */
  value(node: AttributeNode, value: MutableValue): void;
  /**
   * Checks one value of an attribute of a whole resource that a change leads to, as an import could bring it. `path` names it,
   * with its index.
   * @throws ScimError `invalidValue` naming the attribute
   */
  changed(node: AttributeNode, value: MutableValue, path: string): void;
  /** How often a compiled validator was there already. */
  counts(): CacheCounts;
}

/** Makes a validator with a cache of its own. */
export function createValidator(limits: ValueLimits): Validator {
  const resources = {
    input: new KeptValidators<SchemaPart>(),
    result: new KeptValidators<SchemaPart>(),
    import: new KeptValidators<SchemaPart>(),
  };
  const parts = {
    input: new WeakMap<ResourceModel, readonly SchemaPart[]>(),
    result: new WeakMap<ResourceModel, readonly SchemaPart[]>(),
    import: new WeakMap<ResourceModel, readonly SchemaPart[]>(),
  };
  const partsOf = (model: ResourceModel, context: ResourceContext): readonly SchemaPart[] => {
    const known = parts[context].get(model);
    if (known !== undefined) return known;
    const made = resourceSchemas(model, { context, limits });
    parts[context].set(model, made);
    return made;
  };
  const validatorOf = (part: SchemaPart, context: ResourceContext): ValidateFunction =>
    resources[context].of(part, () => compileSchema(part.schema));
  const attributes = new KeptValidators<AttributeNode>();
  const values = new KeptValidators<AttributeNode>();
  const given = new KeptValidators<AttributeNode>();
  const changed = new KeptValidators<AttributeNode>();
  const all = [...Object.values(resources), attributes, values, given, changed];
  return {
    resource: (model, resource, context) => {
      for (const part of partsOf(model, context)) {
        if (!speaksOf(part, resource)) continue;
        const validate = validatorOf(part, context);
        if (!validate(resource)) fail(validate.errors?.[0], "");
      }
    },
    prepare: (model, resource, context) => {
      const missing = partsOf(model, context).filter(
        (part) => part.names !== null && !resources[context].has(part) && speaksOf(part, resource),
      );
      return missing.length === 0
        ? null
        : eachInTurn(missing, (part) => {
            // What is compiled is made ready with its first call.
            validatorOf(part, context)({});
          });
    },
    attribute: (node, value) => {
      const validate = attributes.of(node, () =>
        compileSchema(attributeSchema(node, { context: "value", limits })),
      );
      if (!validate(value)) fail(validate.errors?.[0], node.path);
    },
    given: (node, value, path) => {
      const validate = given.of(node, () => compileSchema(valueSchema(node, { context: "input", limits })));
      if (!validate(value)) fail(validate.errors?.[0], path);
    },
    value: (node, value) => {
      const validate = values.of(node, () => compileSchema(valueSchema(node, { context: "value", limits })));
      if (!validate(value)) fail(validate.errors?.[0], node.path);
    },
    changed: (node, value, path) => {
      const validate = changed.of(node, () =>
        compileSchema(valueSchema(node, { context: "import", limits })),
      );
      if (!validate(value)) fail(validate.errors?.[0], path);
    },
    counts: () => ({
      hits: all.reduce((sum, { hits }) => sum + hits, 0),
      misses: all.reduce((sum, { misses }) => sum + misses, 0),
    }),
  };
}

/** Whether a resource has attributes that a part of a schema speaks of. */
function speaksOf({ holder, names }: SchemaPart, resource: JsonObject): boolean {
  if (names === null) return true;
  const held = holder === null ? resource : own(resource, holder);
  return held !== undefined && (!isJsonObject(held) || names.some((name) => Object.hasOwn(held, name)));
}

function* eachInTurn<Item>(
  items: readonly Item[],
  step: (item: Item) => void,
): Generator<undefined, void, undefined> {
  for (const item of items) {
    step(item);
    yield;
  }
}

/** Validators that were compiled once, by what they check. */
class KeptValidators<Key extends object> {
  hits = 0;
  misses = 0;
  readonly #kept = new WeakMap<Key, ValidateFunction>();

  has(key: Key): boolean {
    return this.#kept.has(key);
  }

  of(key: Key, make: () => ValidateFunction): ValidateFunction {
    const known = this.#kept.get(key);
    if (known !== undefined) {
      this.hits += 1;
      return known;
    }
    this.misses += 1;
    const made = make();
    this.#kept.set(key, made);
    return made;
  }
}

/** The refusal of a resource that lacks a required value. */
export function lackingValue(path: string): ScimError {
  return new ScimError("invalidValue", `Attribute '${path}' is required: give it a value.`);
}

function fail(error: ErrorObject | undefined, prefix: string): never {
  if (error === undefined) throw new TypeError("A validator failed without an error");
  if (error.keyword === "required") {
    const missing = attributePath(prefix, [
      ...segments(error.instancePath),
      String(error.params["missingProperty"]),
    ]);
    throw lackingValue(missing);
  }
  const path = attributePath(prefix, segments(error.instancePath));
  throw new ScimError("invalidValue", `Attribute '${path}' ${remedy(error)}.`);
}

/** What a value must be, by the ajv keyword that failed. */
function remedy(error: ErrorObject): string {
  const limit = String(error.params["limit"]);
  switch (error.keyword) {
    case "type":
      return TYPE_REMEDIES.get(String(error.params["type"])) ?? "has the wrong type";
    case "format":
      return FORMAT_REMEDIES.get(String(error.params["format"])) ?? "has the wrong form";
    case "minLength":
      return limit === "1" ? "must not be empty" : `must have at least ${limit} characters`;
    case MAX_LENGTH:
      return `must have at most ${limit} characters`;
    case "maxItems":
      return `has more than ${limit} values: send fewer`;
    case "minimum":
      return `must be at least ${limit}`;
    case "maximum":
      return `must be at most ${limit}`;
    case PRECISION:
      return `must have at most ${limit} digits`;
    case SCALE:
      return `must have at most ${limit} digits after the point`;
    default:
      return "is not valid";
  }
}

const TYPE_REMEDIES: ReadonlyMap<string, string> = new Map([
  ["string", "must be a string"],
  ["boolean", "must be true or false"],
  ["number", "must be a number"],
  ["integer", "must be a whole number"],
  ["object", "must be an object with sub-attributes"],
  ["array", "must be a list"],
]);
const FORMAT_REMEDIES: ReadonlyMap<string, string> = new Map([
  ["scim-date-time", "must be a date and time such as 2026-01-31T08:00:00Z"],
  ["scim-binary", "must be Base64 (RFC 4648 section 4)"],
  ["scim-reference", "must be a URI"],
]);

function segments(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** `["emails", "0", "value"]` → `emails[0].value`; an extension's URN is joined by a colon. */
function attributePath(prefix: string, names: readonly string[]): string {
  let path = prefix;
  for (const [index, name] of names.entries()) {
    const behindUrn = prefix === "" && index === 1 && path.includes(":");
    if (/^\d+$/.test(name)) path += `[${name}]`;
    else path += `${path === "" ? "" : behindUrn ? ":" : "."}${name}`;
  }
  return path;
}
