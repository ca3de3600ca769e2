/**
 * Adds references to a resource and removes them, by PATCH in pieces that the target accepts.
 * @module
 */
import { ServiceError, type DynamicResource, type ScimClient } from "@scim/client";
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type PatchOperation,
} from "@scim/schemas";
import type { TargetPath } from "../mapping/target-path.ts";
import { assign, valueAt } from "../plan/assign.ts";
import type { TargetResources } from "../target-resources.ts";

/** What is added and removed. */
export interface ReferencesChange {
  readonly id: string;
  readonly path: TargetPath;
  /** Ids. */
  readonly add: readonly string[];
  readonly remove: readonly string[];
  /** Greatest number of references in one request. */
  readonly chunk: number;
  readonly client: ScimClient;
}

/** What a reference takes in a request at most, in bytes: a path with an id, and the words around it. */
const BYTES_OF_REFERENCE = 160;

/** Adds and removes references. Done twice, it comes to the same. */
export async function changeReferences(resources: TargetResources, change: ReferencesChange): Promise<void> {
  const { client, id, path } = change;
  const { patch, bulk } = await client.discovery.capabilities();
  if (!patch) return replaceReferences(resources, change);
  if (!path.attribute.multiValued) return changeReference(resources, change);
  const fitting = Math.floor((bulk?.maxPayloadSize ?? Number.POSITIVE_INFINITY) / BYTES_OF_REFERENCE);
  const chunk = Math.max(1, Math.min(change.chunk, fitting));
  const items: readonly Item[] = [
    ...change.remove.map((value) => ({ op: "remove", value }) as const),
    ...change.add.map((value) => ({ op: "add", value }) as const),
  ];
  for (let at = 0; at < items.length; at += chunk)
    await send(resources, { id, path: path.text, items: items.slice(at, at + chunk) });
}

/** Changes the one reference that an attribute holds, such as `manager`. */
async function changeReference(
  resources: TargetResources,
  { id, path: { text: path }, add: [value] }: ReferencesChange,
): Promise<void> {
  const operation: PatchOperation =
    value === undefined ? { op: "remove", path } : { op: "replace", path, value: { value } };
  await resources.patch(id, [operation], { version: null });
}

interface Item {
  readonly op: "add" | "remove";
  readonly value: string;
}

interface Piece {
  readonly id: string;
  readonly path: string;
  readonly items: readonly Item[];
}

/** Sends a piece; in halves, where the target finds it too large. */
async function send(resources: TargetResources, piece: Piece): Promise<void> {
  const { id, path, items } = piece;
  try {
    // References of others are left alone, so that a change by another does no harm.
    await resources.patch(id, operationsOf(path, items), { version: null });
  } catch (error) {
    const isTooMuch = error instanceof ServiceError && (error.status === 413 || error.scimType === "tooMany");
    if (!isTooMuch || items.length < 2) throw error;
    const half = Math.ceil(items.length / 2);
    await send(resources, { ...piece, items: items.slice(0, half) });
    await send(resources, { ...piece, items: items.slice(half) });
  }
}

function operationsOf(path: string, items: readonly Item[]): readonly PatchOperation[] {
  const added = items.filter(({ op }) => op === "add").map(({ value }) => ({ value }));
  return [
    ...items
      .filter(({ op }) => op === "remove")
      .map(({ value }) => ({ op: "remove", path: `${path}[value eq ${JSON.stringify(value)}]` }) as const),
    ...(added.length === 0 ? [] : [{ op: "add", path, value: added } as const]),
  ];
}

async function replaceReferences(resources: TargetResources, change: ReferencesChange): Promise<void> {
  const { id, path, add, remove } = change;
  const removed = new Set(remove);
  const changed = (current: DynamicResource): JsonObject => {
    const held = valueAt(current, path) ?? [];
    const list: readonly JsonValue[] = isJsonArray(held) ? held : [held];
    const kept = list.filter((each) => !removed.has(idIn(each)));
    const known = new Set(kept.map(idIn));
    const added = add.filter((value) => !known.has(value)).map((value) => ({ value }));
    const next = [...kept, ...added];
    // Nothing of another reference is to stay beside it.
    if (!path.attribute.multiValued) return assign(assign(current, path, undefined), path, added[0]);
    return assign(current, path, next.length === 0 ? undefined : next);
  };
  await resources.update(id, changed, { by: "replace", unguarded: true });
}

function idIn(value: JsonValue): string {
  const id = isJsonObject(value) ? value["value"] : undefined;
  return typeof id === "string" ? id : "";
}
