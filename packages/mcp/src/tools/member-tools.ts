/**
 * The tools that add references to a collection and take them out, such as the members of a Group, without sending the
 * collection.
 * @module
 */
import type { ClientResourceType } from "@scim/client/fetch";
import { eq, patchPath, printPatchPath } from "@scim/filter/ast";
import {
  isJsonObject,
  isReferenceCollection,
  PATCH_OP_URN,
  referencedTypes,
  resolveAttribute,
  type Attribute,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import { namesOf, snakeCase } from "../names.ts";
import { listOf, requiredText } from "../parameters.ts";
import { offers, type ToolResourceType } from "../resource-types.ts";
import { invalidParams } from "../tool-error.ts";
import { CHANGES, takes, type Tool, type ValueSchema } from "../tool.ts";
import { EXPECTED_VERSION, expectedVersion } from "../versions.ts";
import { RESOURCE, TENANT_ID } from "./tool-parameters.ts";
import { changed, DRY_RUN, pathOf, send } from "./requests.ts";

/** References that one call may add or take out at most: what one PATCH may carry. */
const MOST = 1000;

/** A collection of references. */
interface Collection {
  readonly type: ClientResourceType;
  readonly attribute: Attribute;
  /** What the tools are called after: `members`. */
  readonly noun: string;
}

/**
 * The tools of every collection of references. They are called after the collection; where two types have one of the
 * same name, after both from the second on.
 */
export function memberTools(types: readonly ToolResourceType[]): readonly Tool[] {
  const taken = new Set<string>();
  const patched = types.filter((type) => offers(type, "patch"));
  return patched.flatMap((type) =>
    type.schema.attributes
      .map(resolveAttribute)
      .filter((attribute) => isReferenceCollection(attribute) && attribute.mutability !== "immutable")
      .flatMap((attribute) => {
        const plain = snakeCase(attribute.name);
        const noun = taken.has(plain) ? `${namesOf(type).one}_${plain}` : plain;
        taken.add(plain);
        return [ADD, REMOVE].map((change) => memberTool({ type, attribute, noun }, change));
      }),
  );
}

/** What one of the two tools does. */
interface Change {
  readonly verb: "add" | "remove";
  readonly title: string;
  readonly does: string;
  readonly operations: (attribute: Attribute, references: readonly JsonValue[]) => readonly JsonObject[];
}

const ADD: Change = {
  verb: "add",
  title: "Add to",
  does: "Adds references to",
  operations: ({ name }, references) => [{ op: "add", path: name, value: references.map(referenceOf) }],
};

const REMOVE: Change = {
  verb: "remove",
  title: "Take out of",
  does: "Takes references, not the resources themselves, out of",
  // The form of the RFC, one for each: other forms are not read by every service.
  operations: ({ name }, references) =>
    references.map((each) => ({
      op: "remove",
      path: printPatchPath(patchPath(name, { filter: eq("value", valueOf(each)) })),
    })),
};

function memberTool({ type, attribute, noun }: Collection, change: Change): Tool {
  const id = `${namesOf(type).one}_id`;
  const parameter = snakeCase(attribute.name);
  return {
    name: `scim_${change.verb}_${noun}`,
    title: `${change.title} ${attribute.name} of a ${type.name}`,
    description: `${change.does} '${attribute.name}' of a ${type.name}. The collection may be large: it is neither read nor sent.`,
    inputSchema: takes({
      [id]: { type: "string", minLength: 1, description: `The 'id' of the ${type.name}.` },
      [parameter]: referencesOf(attribute),
      expected_version: EXPECTED_VERSION,
      "tenant_id?": TENANT_ID,
      "dry_run?": DRY_RUN,
    }),
    outputSchema: RESOURCE,
    annotations: { ...CHANGES, destructiveHint: change.verb === "remove" },
    right: { verb: "write", type: type.name },
    run: async (call) => {
      const target = requiredText(call.params, id);
      const references = listOf(call.params, parameter);
      const answer = await send(call, {
        method: "PATCH",
        path: `${pathOf(type, target)}?excludedAttributes=${encodeURIComponent(attribute.name)}`,
        body: { schemas: [PATCH_OP_URN], Operations: change.operations(attribute, references) },
        version: expectedVersion(call.params),
      });
      // Some services answer with the whole collection all the same.
      return without(attribute, changed(call, type, { answer, id: target }));
    },
  };
}

function referencesOf(attribute: Attribute): ValueSchema {
  const types = referencedTypes(attribute).join(" or ");
  return {
    type: "array",
    minItems: 1,
    maxItems: MOST,
    items: { anyOf: [{ type: "string" }, { type: "object" }] },
    description: `Ids of ${types} resources, or objects with 'value' and 'type'; at most ${MOST}.`,
  };
}

/** @throws ToolError `invalidParams` where it names nothing */
function valueOf(reference: JsonValue): string {
  const value = isJsonObject(reference) ? reference["value"] : reference;
  if (typeof value === "string" && value !== "") return value;
  throw invalidParams("Each reference is an id, or an object whose 'value' is one.");
}

function referenceOf(reference: JsonValue): JsonObject {
  const value = valueOf(reference);
  return isJsonObject(reference) ? reference : { value };
}

function without({ name }: Attribute, result: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(result).filter(([key]) => key !== name));
}
