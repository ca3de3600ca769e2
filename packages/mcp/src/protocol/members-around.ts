/**
 * How much messages hold beside what tools are given: the SDK looks at each member of it several times, and at all of them in one
 * turn, in which nobody else is answered.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonValue } from "@scim/schemas";

/** Members of objects, and entries of lists, that the messages of one body may hold at most, the values of arguments left out. */
export const MOST_AROUND = 10_000;

/** Whether messages hold more than that. Of arguments their names count: what they are called is looked at, not what they hold. */
export function holdsTooMuch(messages: readonly JsonValue[]): boolean {
  const given = new Set<JsonValue | undefined>(messages.map(argumentsOf));
  const within: JsonValue[] = [...messages];
  let held = messages.length;
  for (let value = within.pop(); value !== undefined; value = within.pop()) {
    const inner = innerOf(value);
    held += inner.length;
    if (held > MOST_AROUND) return true;
    if (!given.has(value)) within.push(...inner);
  }
  return false;
}

function innerOf(value: JsonValue): readonly JsonValue[] {
  if (isJsonArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}

/** What the call of a tool gives it. */
function argumentsOf(message: JsonValue): JsonValue | undefined {
  const params = isJsonObject(message) ? message["params"] : undefined;
  return isJsonObject(params) ? params["arguments"] : undefined;
}
