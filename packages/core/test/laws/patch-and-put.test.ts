import { isCollection, isWritten, own, resources, worlds, type TypeShape } from "@scim/fixtures/arbitraries";
import { isJsonObject, ScimError, type Attribute, type JsonObject, type JsonValue } from "@scim/schemas";
import fc from "fast-check";
import { expect, test } from "vitest";
import { idOf, type TestClient } from "../support/client.ts";
import { tryWorld } from "./try-world.ts";

/** Pairs of resources for each schema. */
const PAIRS = 3;

/**
 * The operations that make a resource what a PUT would make it: what the wanted one has is replaced, what it lacks
 * is removed, sub-attributes of complex attributes with one value included, since replacing merges these.
 */
function operationsTo(wanted: JsonObject, shape: TypeShape): readonly JsonObject[] {
  const parts = [
    { prefix: "", attributes: shape.attributes, values: wanted },
    ...shape.extensions.flatMap(({ urn, attributes }) => {
      const values = own(wanted, urn);
      return isJsonObject(values) ? [{ prefix: `${urn}:`, attributes, values }] : [];
    }),
  ];
  const removals = shape.extensions
    .filter(({ urn }) => own(wanted, urn) === undefined)
    .map(({ urn }) => ({ op: "remove", path: urn }));
  const changes = parts.flatMap(({ prefix, attributes, values }) =>
    attributes
      .filter(isWritten)
      .flatMap((attribute) =>
        operationsOn(attribute, `${prefix}${attribute.name}`, own(values, attribute.name)),
      ),
  );
  return [...removals, ...changes];
}

function operationsOn(
  attribute: Attribute,
  path: string,
  value: JsonValue | undefined,
): readonly JsonObject[] {
  if (value === undefined) return isRemovable(attribute) ? [{ op: "remove", path }] : [];
  const missing = isJsonObject(value)
    ? attribute.subAttributes.filter((sub) => isRemovable(sub) && own(value, sub.name) === undefined)
    : [];
  return [
    { op: "replace", path, value },
    ...missing.map((sub) => ({ op: "remove", path: `${path}.${sub.name}` })),
  ];
}

/** What is immutable cannot be removed, and a PUT leaves it as it is. */
function isRemovable(attribute: Attribute): boolean {
  return isWritten(attribute) && attribute.mutability !== "immutable" && attribute.name !== "$ref";
}

function isImmutable({ mutability }: Attribute): boolean {
  return mutability === "immutable";
}

function holdsImmutable(attribute: Attribute): boolean {
  return isImmutable(attribute) || attribute.subAttributes.some(isImmutable);
}

/** Whether an attribute is kept and never returned: who cannot see it leaves it as it is in a PUT. */
function isUnseen({ returned, mutability }: Attribute): boolean {
  return returned === "never" && mutability !== "writeOnly";
}

/** Whether nothing of a value is ever returned. */
function isUnseenWithin(attribute: Attribute, value: JsonValue): boolean {
  if (attribute.returned === "never") return true;
  if (Array.isArray(value)) return value.every((each: JsonValue) => isUnseenWithin(attribute, each));
  return isJsonObject(value) && areUnseen(attribute.subAttributes, value);
}

function areUnseen(attributes: readonly Attribute[], values: JsonObject): boolean {
  return attributes.every((attribute) => {
    const value = own(values, attribute.name);
    return value === undefined || isUnseenWithin(attribute, value);
  });
}

/** Whether a PUT keeps something of the present value of an attribute that is no matter of its immutable parts. */
function keepsUnseen(attribute: Attribute, present: JsonValue, next: JsonValue | undefined): boolean {
  if (next === undefined) return isUnseenWithin(attribute, present);
  return attribute.multiValued && attribute.subAttributes.some(isUnseen);
}

/** The wanted resource with the immutable values that the present one has, and with those that nobody sees. */
function keepingImmutables(
  before: JsonObject,
  wanted: JsonObject,
  attributes: readonly Attribute[],
): JsonObject {
  const kept: Record<string, JsonValue> = { ...wanted };
  for (const attribute of attributes) {
    const [present, next] = [own(before, attribute.name), own(wanted, attribute.name)];
    if (present !== undefined && attribute.mutability === "immutable") kept[attribute.name] = present;
    else if (present !== undefined && keepsUnseen(attribute, present, next)) kept[attribute.name] = present;
    else if (isJsonObject(present) && isJsonObject(next))
      kept[attribute.name] = keepingImmutables(present, next, attribute.subAttributes);
    // A complex value that holds an immutable one stays.
    else if (isJsonObject(present) && attribute.subAttributes.some(isImmutable))
      kept[attribute.name] = present;
  }
  return kept;
}

function withImmutablesOf(before: JsonObject, wanted: JsonObject, shape: TypeShape): JsonObject {
  const whole = keepingImmutables(before, wanted, shape.attributes);
  const extensions = shape.extensions.flatMap(({ urn, attributes }) => {
    const [present, next] = [own(before, urn), own(wanted, urn)];
    if (!isJsonObject(present)) return [];
    if (isJsonObject(next)) return [[urn, keepingImmutables(present, next, attributes)] as const];
    // An extension with an immutable value stays, and so does one that nobody sees.
    return attributes.some(holdsImmutable) || areUnseen(attributes, present) ? [[urn, present] as const] : [];
  });
  const held = { ...whole, ...Object.fromEntries(extensions) };
  const schemas = [shape.type.schema, ...shape.extensions.map(({ urn }) => urn)];
  return { ...held, schemas: schemas.filter((urn) => urn === shape.type.schema || Object.hasOwn(held, urn)) };
}

/** What became of a change: the error's code, or whether the resource has another version and date. */
async function outcomeOf(client: TestClient, id: string, change: () => Promise<unknown>): Promise<unknown> {
  const before = await client.get("Thing", id);
  try {
    await change();
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    expect(await client.get("Thing", id)).toEqual(before);
    return error.code;
  }
  const after = await client.get("Thing", id);
  return { isChanged: after.version !== before.version };
}

test("a PATCH that removes every writable attribute absent from R and replaces every one present is PUT R", async () => {
  await fc.assert(
    fc.asyncProperty(worlds({ hidden: true, defaults: false }), fc.gen(), async (world, draw) => {
      const { as, store, thing } = tryWorld(world);
      const select = { collections: collectionPaths(thing), inverses: [] };
      for (let pair = 0; pair < PAIRS; pair += 1) {
        const start = draw(resources, thing);
        const wanted = withImmutablesOf(start, draw(resources, thing), thing);
        const outcome = async (
          side: string,
          change: (client: TestClient, id: string) => Promise<unknown>,
        ): Promise<unknown> => {
          const tenant = `${side} ${String(pair)}`;
          const client = as("strict", { tenant });
          const id = idOf(await client.post("Thing", start));
          const became = await outcomeOf(client, id, () => change(client, id));
          const stored = await store.read({ tenant, connection: "default" }, { type: "Thing", id }, select);
          return { became, body: stored?.body, collections: stored?.collections };
        };
        const put = await outcome("put", (client, id) => client.put("Thing", id, wanted));
        const operations = operationsTo(wanted, thing);
        expect(await outcome("patch", (client, id) => client.patch("Thing", id, operations))).toEqual(put);
      }
    }),
    { numRuns: 80 },
  );
});

function collectionPaths(shape: TypeShape): readonly string[] {
  return [
    ...shape.attributes.filter(isCollection).map(({ name }) => name),
    ...shape.extensions.flatMap(({ urn, attributes }) =>
      attributes.filter(isCollection).map(({ name }) => `${urn}:${name}`),
    ),
  ];
}
