/**
 * Makes one operation of those that add to, or remove from, the same reference collection: clients send one operation a
 * member, and a thousand of them must cost what one with a thousand values costs.
 * @module
 */
import type { FilterNode } from "@scim/filter";
import { isJsonArray, isJsonObject, type JsonValue } from "@scim/schemas";
import { identityOf } from "../attributes/identity.ts";
import type { BoundOperation, RequestOperation } from "./apply.ts";
import { makesPrimary } from "./makes-primary.ts";

/** Operations of one op on one collection. */
class Run {
  readonly operations: RequestOperation[];
  /** Whom the operations name that were looked at; null where one of them does not tell. */
  #named: Set<string> | null = new Set();
  #looked = 0;

  constructor(first: RequestOperation) {
    this.operations = [first];
  }

  /** Whether an operation is of the same op on the same collection. */
  isOf({ target, change }: BoundOperation): boolean {
    const [first] = this.operations;
    return first?.target.attribute === target.attribute && first.change.op === change.op;
  }

  /** Whether an operation names none of those that the run names. */
  isApart(operation: BoundOperation): boolean {
    for (const own of this.operations.slice(this.#looked)) {
      const names = namedBy(own);
      if (names === null) this.#named = null;
      else for (const name of names) this.#named?.add(name);
    }
    this.#looked = this.operations.length;
    const named = this.#named;
    return named !== null && namedBy(operation)?.every((name) => !named.has(name)) === true;
  }
}

/** What may still join what adds to a collection, or removes from it: the run that began first, and the one of the other op. */
interface OpenRuns {
  readonly first: Run;
  readonly other: Run | null;
}

/**
 * The same operations, fewer of them. One goes ahead of others where they are about another member of the resource, or
 * about other values of the same collection.
 */
export function coalesce(operations: readonly RequestOperation[]): readonly RequestOperation[] {
  const [first] = operations;
  // Most requests have one operation, which joins none.
  if (first !== undefined && operations.length === 1 && listOf(asList(first)) === null) return operations;
  const runs: (Run | RequestOperation)[] = [];
  const open = new Map<string, OpenRuns>();
  for (const each of operations) {
    const operation = asList(each);
    const member = operation.target.attribute.keys[0] ?? "";
    if (listOf(operation) === null) {
      runs.push(operation);
      // What is said of `schemas` is about extensions, whatever stands in them.
      if (member === "schemas") open.clear();
      else open.delete(member);
      continue;
    }
    const known = open.get(member);
    const joinable = known === undefined ? null : runFor(operation, known);
    if (joinable !== null) {
      joinable.operations.push(operation);
      continue;
    }
    const run = new Run(operation);
    runs.push(run);
    open.set(member, opened(run, known));
  }
  return runs.flatMap((run) => (run instanceof Run ? joined(run.operations) : [run]));
}

/** The run that an operation joins; null where there is none, or it must not go ahead of the other one. */
function runFor(operation: BoundOperation, { first, other }: OpenRuns): Run | null {
  const run = first.isOf(operation) ? first : other?.isOf(operation) === true ? other : null;
  if (run === null || (run === first && other?.isApart(operation) === false)) return null;
  // In one list that is added, what stands beside equal values is put together; one that is there stays as it is.
  return operation.change.op === "remove" || run.isApart(operation) ? run : null;
}

/** A run that begins joins an open one on the same collection that is alone. */
function opened(run: Run, known: OpenRuns | undefined): OpenRuns {
  const [begun] = run.operations;
  const isSame = known?.first.operations[0]?.target.attribute === begun?.target.attribute;
  return known !== undefined && known.other === null && isSame
    ? { first: known.first, other: run }
    : { first: run, other: null };
}

/** The references that an operation names, as they are compared; null where one is not told by its `value` alone. */
function namedBy(operation: BoundOperation): readonly string[] | null {
  const identify = identityOf(operation.target.attribute);
  const names: string[] = [];
  for (const value of listOf(operation) ?? []) {
    const id = isJsonObject(value) ? idOf(value) : value;
    if (typeof id !== "string") return null;
    names.push(identify({ value: id }));
  }
  return names;
}

function idOf(reference: Readonly<Record<string, JsonValue>>): JsonValue | undefined {
  const [name, ...others] = Object.keys(reference).filter((each) => each.toLowerCase() === "value");
  return name === undefined || others.length > 0 ? undefined : reference[name];
}

/** A run of operations as one. It falls apart into halves, so that a fault is found in few steps. */
function joined(run: readonly RequestOperation[]): readonly RequestOperation[] {
  const [first, ...others] = run;
  if (first === undefined) return [];
  const change = { op: first.change.op, value: run.flatMap((operation) => listOf(operation) ?? []) };
  if (others.length === 0) return [{ ...first, change }];
  const middle = Math.ceil(run.length / 2);
  const parts = () => [...joined(run.slice(0, middle)), ...joined(run.slice(middle))];
  return [{ ...first, change, parts }];
}

/** The list of references that an operation adds or removes; null for every other operation. */
function listOf(operation: BoundOperation): readonly JsonValue[] | null {
  const { target, change } = operation;
  const isList = target.attribute.storage === "collection" && target.sub === null && target.filter === null;
  if (!isList || change.op === "replace" || change.value === undefined) return null;
  // Of several that make a reference primary the last counts, and in one list that is added there can be only one.
  if (makesPrimary(operation)) return null;
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

/** The id of a filter that is just `value eq "id"`, or `not (value ne "id")`; null for any other. */
export function namedId(filter: FilterNode): string | null {
  const [asked, operator] = filter.kind === "not" ? ([filter.operand, "ne"] as const) : [filter, "eq"];
  if (asked.kind !== "comparison" || asked.operator !== operator || typeof asked.value !== "string")
    return null;
  return asked.path.attribute.toLowerCase() === "value" ? asked.value : null;
}
