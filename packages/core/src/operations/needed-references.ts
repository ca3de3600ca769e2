/**
 * Reads the references that a PATCH needs: those that its operations name, and those that its removals select, however
 * many there are beside. Of a long collection that it exchanges as a whole, it reads none.
 * @module
 */
import { copyObject } from "../attributes/json-object.ts";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { RequestOperation } from "../patch/apply.ts";
import { collectionNeeds, type SomeValues } from "../patch/needs.ts";
import { pause } from "../pause.ts";
import type { CollectionValues } from "../plan/collections.ts";
import { capabilitiesOf } from "../store/capabilities.ts";
import type { RowPlace } from "../store/reference-rows.ts";
import { scopeOf } from "../store/scope.ts";
import type { ReferenceValue, StoredResource } from "../store/stored-resource.ts";

/** A collection of a resource. */
interface Owner {
  readonly type: string;
  readonly id: string;
  readonly path: string;
}

/** Values that are read at once before the others are gone through. */
const FEW = 1000;

/** Values that one step of a walk looks at. */
const WINDOW = 500;

/** Steps of a walk before others have their turn. */
const BETWEEN_TURNS = 4;

/** How many times what an answer holds is read to be compared: to stage what takes its place takes longer than that. */
const TIMES_HELD = 10;

/** What is known of the collections that operations are about. */
export interface NeededReferences {
  /** The values that were read. */
  readonly known: CollectionValues;
  /** The collections of which no value was read, since there are many, and the operations say all that they will hold. */
  readonly exchanged: ReadonlySet<AttributeNode>;
}

/** Reads the values of collections that the operations name or select. */
export async function readNeeded(
  environment: Environment,
  context: RequestContext,
  input: { readonly stored: StoredResource; readonly operations: readonly RequestOperation[] },
): Promise<NeededReferences> {
  const known = new Map<AttributeNode, readonly ReferenceValue[]>();
  const exchanged = new Set<AttributeNode>();
  const { type, id } = input.stored;
  const scope = scopeOf(context);
  for (const [node, need] of collectionNeeds(input.operations)) {
    const owner = { type, id, path: node.path };
    if (need === "whole") {
      const values = await readShort(environment, context, { owner, node });
      if (values === null) exchanged.add(node);
      else known.set(node, values);
    } else if (need === "all") known.set(node, await environment.store.references(scope, owner, need));
    else if (need.selected.length > 0)
      known.set(node, await readSelected(environment, context, { owner, need }));
    else if (need.ids.length === 0) known.set(node, []);
    else known.set(node, await environment.store.references(scope, owner, need.ids));
  }
  return { known, exchanged };
}

/**
 * The values of a collection; null where they are so many that it is exchanged in the store. What is immutable has to be
 * compared, and a trial tells each value that comes and goes.
 */
async function readShort(
  { store, limits, isTrial }: Environment,
  context: RequestContext,
  { owner, node }: { readonly owner: Owner; readonly node: AttributeNode },
): Promise<readonly ReferenceValue[] | null> {
  const scope = scopeOf(context);
  const isHeld = node.attribute.mutability === "immutable" || !capabilitiesOf(store, owner.type).staging;
  if (isTrial || isHeld) return store.references(scope, owner, "all");
  const most = limits.heldReferences * TIMES_HELD;
  const values = await store.references(scope, owner, { first: most + 1 });
  return values.length > most ? null : values;
}

/**
 * Goes through the values, and keeps those that are selected or named. They may change meanwhile: so does the version
 * of their resource then, which the store compares as it writes.
 */
async function readSelected(
  { store }: Environment,
  context: RequestContext,
  { owner, need }: { readonly owner: Owner; readonly need: SomeValues },
): Promise<readonly ReferenceValue[]> {
  const scope = scopeOf(context);
  const few = await store.references(scope, owner, { first: FEW + 1 });
  if (few.length <= FEW) return few;
  const named = new Set(need.ids);
  const query = { type: owner.type, path: owner.path, owner: owner.id, value: null, displayKey: null };
  const kept: ReferenceValue[] = [];
  let after: RowPlace | null = null;
  for (let step = 1; ; step += 1) {
    const page = { ...query, descending: false, after, offset: 0, limit: WINDOW };
    const rows: Awaited<ReturnType<typeof store.referenceRows>> = await store.referenceRows(scope, page);
    for (const { value, rest } of rows) {
      const looked = { value, ...copyObject(rest) };
      if (named.has(value) || need.selected.some((test) => test(looked))) kept.push({ value, rest });
    }
    after = rows.at(-1) ?? null;
    if (rows.length < WINDOW || after === null) return kept;
    if (step % BETWEEN_TURNS === 0) await pause(context);
  }
}
