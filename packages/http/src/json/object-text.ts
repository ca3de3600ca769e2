/**
 * JSON text of resources whose long collections come in batches.
 * @module
 */
import type { StreamedCollection } from "@scim/core";
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";

/** The text of a resource, its collections behind the rest. A collection without values is left out, and what would hold no other. */
export async function* resourceText(
  resource: JsonObject,
  collections: readonly StreamedCollection[],
): AsyncGenerator<string, void, undefined> {
  const holders = Map.groupBy(collections, ({ keys }) => (keys.length > 1 ? (keys[0] ?? null) : null));
  const whole = Object.entries(resource).filter(([name]) => !holders.has(name));
  const head = JSON.stringify(Object.fromEntries(whole)).slice(0, -1);
  yield head;
  let separator = head === "{" ? "" : ",";
  for (const [holder, held] of holders) {
    if (holder === null) {
      for (const { keys, batches } of held) {
        if (yield* listMemberText(`${separator}${JSON.stringify(keys[0])}:[`, batches)) separator = ",";
      }
    } else {
      const value = resource[holder];
      const rest = held.map(({ keys, batches }) => ({ keys: keys.slice(1), batches }));
      const pieces = resourceText(isJsonObject(value) ? value : {}, rest);
      if (yield* objectMemberText(`${separator}${JSON.stringify(holder)}:`, pieces)) separator = ",";
    }
  }
  yield "}";
}

/** The text of a member that is an object, given its text; tells whether it has any members. */
async function* objectMemberText(
  opening: string,
  pieces: AsyncIterable<string>,
): AsyncGenerator<string, boolean, undefined> {
  let before = opening;
  for await (const piece of pieces) {
    if (piece === "{") before += piece;
    else if (piece === "}" && before !== "") return false;
    else {
      yield before + piece;
      before = "";
    }
  }
  return true;
}

/** The text of a member that holds a list; tells whether it has any value. */
async function* listMemberText(
  opening: string,
  batches: AsyncIterable<readonly JsonValue[]>,
): AsyncGenerator<string, boolean, undefined> {
  let before = opening;
  for await (const values of batches) {
    if (values.length === 0) continue;
    yield before + JSON.stringify(values).slice(1, -1);
    before = ",";
  }
  if (before === opening) return false;
  yield "]";
  return true;
}

/** The text of a list message, with the resources in the place of its last member. */
export async function* listText(
  message: JsonObject,
  resources: readonly {
    readonly resource: JsonObject;
    readonly collections: readonly StreamedCollection[];
  }[],
): AsyncGenerator<string, void, undefined> {
  yield `${JSON.stringify(message).slice(0, -1)},"Resources":[`;
  for (const [index, { resource, collections }] of resources.entries()) {
    if (index > 0) yield ",";
    yield* resourceText(resource, collections);
  }
  yield "]}";
}
