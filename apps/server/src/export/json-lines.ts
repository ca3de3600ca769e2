/**
 * Resources as JSON lines, long collections piece by piece.
 * @module
 */
import type { ExportedCollection, ExportedResource } from "@scim/core";
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";

/** The line of a resource, in pieces. Collections stand behind the other attributes, before `meta`. */
export async function* jsonLine({
  resource,
  collections,
}: ExportedResource): AsyncGenerator<string, void, undefined> {
  const { meta = null, ...attributes } = await withinExtensions(resource, collections);
  yield JSON.stringify(attributes).slice(0, -1);
  for (const { keys, batches } of collections) {
    const [name = "", ...more] = keys;
    if (more.length > 0) continue;
    let before = `,${JSON.stringify(name)}:[`;
    for await (const batch of batches) {
      if (batch.length === 0) continue;
      yield before + batch.map((value) => JSON.stringify(value)).join(",");
      before = ",";
    }
    if (before === ",") yield "]";
  }
  yield `,"meta":${JSON.stringify(meta)}}\n`;
}

/** A resource with all values of its collections. */
export async function wholeResource({ resource, collections }: ExportedResource): Promise<JsonObject> {
  let whole = resource;
  for (const { keys, batches } of collections) whole = put(whole, keys, await valuesOf(batches));
  return whole;
}

/** Collections of extensions are put in their place: they are read whole. */
async function withinExtensions(
  resource: JsonObject,
  collections: readonly ExportedCollection[],
): Promise<JsonObject> {
  return wholeResource({ resource, collections: collections.filter(({ keys }) => keys.length > 1) });
}

async function valuesOf(batches: ExportedCollection["batches"]): Promise<readonly JsonValue[]> {
  const values: JsonValue[] = [];
  for await (const batch of batches) for (const value of batch) values.push(value);
  return values;
}

function put(
  object: JsonObject,
  [key = "", ...rest]: readonly string[],
  values: readonly JsonValue[],
): JsonObject {
  if (rest.length === 0) return values.length === 0 ? object : { ...object, [key]: values };
  const held = object[key];
  const inner = put(isJsonObject(held) ? held : {}, rest, values);
  const { [key]: _, ...others } = object;
  return Object.keys(inner).length === 0 ? others : { ...object, [key]: inner };
}
