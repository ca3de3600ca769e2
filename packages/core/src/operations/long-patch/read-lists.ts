/**
 * Reads the long lists of references that a PATCH adds some values at a time, before its operations are applied: others have their
 * turn meanwhile.
 * @module
 */
import { isJsonArray, isScimError, type JsonValue, type ScimError } from "@scim/schemas";
import { decodeOne, type DecodeContext } from "../../attributes/decode.ts";
import type { MutableValue } from "../../attributes/json-object.ts";
import type { RequestContext } from "../../context.ts";
import type { AttributeNode } from "../../model/attribute-node.ts";
import type { RequestOperation } from "../../patch/apply.ts";
import { pause } from "../../pause.ts";
import type { SwitchName } from "../../profiles/switch.ts";

/** Values of a list that is read at once. */
const SHORT = 2000;

/** Values that are read between two turns of others. */
const BATCH = 2000;

/** What was found in a list. */
interface ReadList {
  readonly values: MutableValue[];
  /** What is wrong with the first value that cannot be read. */
  readonly unreadable: ScimError | null;
  /** The tolerances that the values made use of, as often as they did. */
  readonly switches: readonly (readonly [SwitchName, string])[];
}

/** What is told where a list stands that was read before. */
type ReadBefore = NonNullable<DecodeContext["readBefore"]>;

/** Whether an operation brings so many values that others should have their turn while it is applied. */
export function bringsMany({ change }: RequestOperation): boolean {
  return isJsonArray(change.value) && change.value.length > SHORT;
}

/**
 * Reads the long lists of operations. What is wrong with one is told, and tolerances are noted, where the operation is applied.
 */
export async function readLists(
  context: RequestContext,
  operations: readonly RequestOperation[],
  decode: DecodeContext,
): Promise<ReadBefore> {
  const lists = new Map<JsonValue, ReadList>();
  for (const { target, change } of operations.filter(bringsMany)) {
    const { attribute: node, filter, sub } = target;
    const isWhole = node.storage === "collection" && filter === null && sub === null;
    if (isWhole && change.op !== "remove" && isJsonArray(change.value))
      lists.set(change.value, await readList(context, { node, list: change.value, decode }));
  }
  return (node, raw) => {
    const read = lists.get(raw);
    if (read === undefined) return decode.readBefore?.(node, raw);
    for (const [name, path] of read.switches) decode.onSwitch(name, path);
    if (read.unreadable !== null) throw read.unreadable;
    return read.values.length === 0 ? null : read.values;
  };
}

interface GivenList {
  readonly node: AttributeNode;
  readonly list: readonly JsonValue[];
  readonly decode: DecodeContext;
}

async function readList(context: RequestContext, { node, list, decode }: GivenList): Promise<ReadList> {
  const values: MutableValue[] = [];
  const switches: (readonly [SwitchName, string])[] = [];
  const noting: DecodeContext = { ...decode, onSwitch: (name, path) => switches.push([name, path]) };
  for (const [index, raw] of list.entries()) {
    try {
      const value = decodeOne({ node, path: `${node.path}[${String(index)}]` }, raw, noting);
      if (value !== undefined) values.push(value);
    } catch (error) {
      if (!isScimError(error)) throw error;
      return { values, unreadable: error, switches };
    }
    if (index % BATCH === BATCH - 1) await pause(context);
  }
  return { values, unreadable: null, switches };
}
