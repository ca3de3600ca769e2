/**
 * Makes one operation of neighbours that add to, or remove from, the same reference collection: clients send one
 * operation a member, and a thousand of them must cost what one with a thousand values costs.
 * @module
 */
import type { FilterNode } from "@scim/filter";
import { isJsonArray, isJsonObject, type JsonValue } from "@scim/schemas";
import type { BoundOperation } from "./apply.ts";

/** The same operations, fewer of them. */
export function coalesce(operations: readonly BoundOperation[]): readonly BoundOperation[] {
  const result: BoundOperation[] = [];
  let run: { readonly first: BoundOperation; readonly values: JsonValue[] } | null = null;
  for (const operation of operations.map(asList)) {
    const values = listOf(operation);
    if (run !== null && values !== null && isSameTarget(run.first, operation)) {
      // A list is as long as a body allows: too long to be arguments of a call.
      for (const value of values) run.values.push(value);
      continue;
    }
    if (run !== null) result.push(withValues(run.first, run.values));
    run = values === null ? null : { first: operation, values: [...values] };
    if (values === null) result.push(operation);
  }
  if (run !== null) result.push(withValues(run.first, run.values));
  return result;
}

function isSameTarget(left: BoundOperation, right: BoundOperation): boolean {
  return left.target.attribute === right.target.attribute && left.change.op === right.change.op;
}

function withValues(operation: BoundOperation, value: readonly JsonValue[]): BoundOperation {
  return { target: operation.target, change: { op: operation.change.op, value } };
}

/** The list of references that an operation adds or removes; null for every other operation. */
function listOf({ target, change }: BoundOperation): readonly JsonValue[] | null {
  const isList = target.attribute.storage === "collection" && target.sub === null && target.filter === null;
  if (!isList || change.op === "replace" || change.value === undefined) return null;
  const values = isJsonArray(change.value) ? change.value : oneReference(change.value);
  return values.length === 0 ? null : values;
}

/** One object in the place of a list; empty for what is no reference. */
function oneReference(value: JsonValue): readonly JsonValue[] {
  const isReference =
    isJsonObject(value) && Object.keys(value).some((name) => name.toLowerCase() === "value");
  return isReference ? [value] : [];
}

/** `remove members[value eq "x"]` as `remove members [{value: "x"}]`. */
function asList(operation: BoundOperation): BoundOperation {
  const { target, change } = operation;
  if (change.op !== "remove" || target.filter === null || target.sub !== null) return operation;
  const id = target.attribute.storage === "collection" ? namedId(target.filter.written) : null;
  if (id === null) return operation;
  return { target: { ...target, filter: null }, change: { op: "remove", value: [{ value: id }] } };
}

/** The id of a filter that is just `value eq "id"`; null for any other. */
export function namedId(filter: FilterNode): string | null {
  if (filter.kind !== "comparison" || filter.operator !== "eq" || typeof filter.value !== "string")
    return null;
  return filter.path.attribute.toLowerCase() === "value" ? filter.value : null;
}
