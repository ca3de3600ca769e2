/**
 * Puts what columns and constants hold into a resource.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { holderOf, putInList, type Made, type Members, type Place } from "./list-places.ts";
import { hasKey, type Target } from "./target.ts";

/** Sets the values of a target in a resource under construction. */
export function putValues(target: Target, places: readonly Place[], made: Made): void {
  const { resource, gaps } = made;
  const { top, sub, key } = target;
  const values = places.filter((value) => value !== undefined);
  const [first] = values;
  if (first === undefined) return;
  const holder = top.extension === null ? resource : membersOf(resource, top.extension);
  const name = top.attribute.name;
  if (sub === null) holder[name] = top.attribute.multiValued ? values : first;
  else if (top.attribute.multiValued) putInList({ name, sub: sub.attribute.name, key, places }, holder, gaps);
  else membersOf(holder, name)[sub.attribute.name] = sub.attribute.multiValued ? values : first;
}

/** Sets a value where a column made the value of the list that it belongs to. */
export function putConstant(target: Target, value: JsonValue, made: Made): void {
  const { top, sub, key } = target;
  if (sub === null || !top.attribute.multiValued) return putValues(target, [value], made);
  const list = holderOf(top, made.resource)?.[top.attribute.name];
  if (!isJsonArray(list)) return;
  for (const each of list) {
    if (!isJsonObject(each) || !hasKey(each, key)) continue;
    // Made by `putInList`, and so an object of our own.
    (each as Members)[sub.attribute.name] ??= value;
  }
}

function membersOf(holder: Members, name: string): Members {
  const held = holder[name];
  if (isJsonObject(held)) return held;
  const made: Members = {};
  // The members that are set have values.
  holder[name] = made as JsonObject;
  return made;
}
