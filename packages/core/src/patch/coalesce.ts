/**
 * Makes one operation of neighbours that add to, or remove from, the same reference collection: clients send one
 * operation a member, and a thousand of them must cost what one with a thousand values costs.
 * @module
 */
import type { FilterNode } from "@scim/filter";
import { isJsonArray, isJsonObject, type JsonValue } from "@scim/schemas";
import type { BoundOperation, RequestOperation } from "./apply.ts";

/** The same operations, fewer of them. */
export function coalesce(operations: readonly RequestOperation[]): readonly RequestOperation[] {
  const runs: RequestOperation[][] = [];
  let open: RequestOperation[] | null = null;
  for (const operation of operations.map(asList)) {
    const isList = listOf(operation) !== null;
    const [first] = open ?? [];
    if (isList && first !== undefined && isSameTarget(first, operation)) {
      open?.push(operation);
      continue;
    }
    const run = [operation];
    runs.push(run);
    open = isList ? run : null;
  }
  return runs.flatMap(joined);
}

/** A run of operations as one. It falls apart into halves, so that a fault is found in few steps. */
function joined(run: readonly RequestOperation[]): readonly RequestOperation[] {
  const [first, ...others] = run;
  if (first === undefined || listOf(first) === null) return run;
  const change = { op: first.change.op, value: run.flatMap((operation) => listOf(operation) ?? []) };
  if (others.length === 0) return [{ ...first, change }];
  const middle = Math.ceil(run.length / 2);
  const parts = () => [...joined(run.slice(0, middle)), ...joined(run.slice(middle))];
  return [{ ...first, change, parts }];
}

function isSameTarget(left: BoundOperation, right: BoundOperation): boolean {
  return left.target.attribute === right.target.attribute && left.change.op === right.change.op;
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
function asList(operation: RequestOperation): RequestOperation {
  const { target, change } = operation;
  if (change.op !== "remove" || target.filter === null || target.sub !== null) return operation;
  const id = target.attribute.storage === "collection" ? namedId(target.filter.written) : null;
  if (id === null) return operation;
  return {
    ...operation,
    target: { ...target, filter: null },
    change: { op: "remove", value: [{ value: id }] },
  };
}

/** The id of a filter that is just `value eq "id"`; null for any other. */
export function namedId(filter: FilterNode): string | null {
  if (filter.kind !== "comparison" || filter.operator !== "eq" || typeof filter.value !== "string")
    return null;
  return filter.path.attribute.toLowerCase() === "value" ? filter.value : null;
}
