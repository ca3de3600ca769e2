/**
 * Turns plans into calls of a handler.
 * @module
 */
import { ScimError, type JsonObject } from "@scim/schemas";
import type { CollectionValues } from "../plan/collections.ts";
import type { StoreScope } from "../store/port.ts";
import type { ReferenceValue } from "../store/stored-resource.ts";
import type {
  CollectionDelta,
  CreatePlan,
  DeletePlan,
  UpdatePlan,
  WritePlan,
  WriteResult,
  WrittenState,
} from "../store/write-plan.ts";
import { handledState, storedState, wholeAttributes, type HandledState } from "./handled-state.ts";
import { collectionNode, readState } from "./handler-reads.ts";
import { callHandler, type HandlerType } from "./handler-type.ts";
import type { HandledResource, HandlerReplace } from "./resource-handler.ts";

/** A plan, and whether nothing may stay of it. */
export interface HandledWrite<Plan extends WritePlan = WritePlan> {
  readonly plan: Plan;
  readonly dryRun: boolean;
}

/**
 * Has a handler carry out a plan.
 * @throws ScimError `notImplemented` for a dry run that the handler has no way to do; what the handler throws
 */
export async function writeHandled(
  type: HandlerType,
  { tenant, connection }: StoreScope,
  { plan, dryRun }: HandledWrite,
): Promise<WriteResult> {
  // Without the signal of the client: what has begun to be written is not left to itself.
  const scope = { tenant, connection };
  if (dryRun && type.handler.previews !== true) throw noPreview(type);
  switch (plan.kind) {
    case "create":
      return create(type, scope, { plan, dryRun });
    case "update":
      return update(type, scope, { plan, dryRun });
    case "delete":
      return remove(type, scope, { plan, dryRun });
    case "restore":
      throw keepsNothing(type);
  }
}

function noPreview({ model }: HandlerType): ScimError {
  return new ScimError(
    "notImplemented",
    `Changes of ${model.name} cannot be tried out: the database that holds them does not offer it.`,
  );
}

/** What a handler is told to delete is for the database behind it to bring back. */
export function keepsNothing({ model }: Pick<HandlerType, "model">): ScimError {
  return new ScimError(
    "notImplemented",
    `Deleted resources of type ${model.name} cannot be restored here: the application's own database holds them.`,
  );
}

async function create(
  type: HandlerType,
  scope: StoreScope,
  { plan, dryRun }: HandledWrite<CreatePlan>,
): Promise<WriteResult> {
  const { id, at, body, unique, collections: references } = plan;
  const attributes = wholeAttributes(type, body, withDeltas(type, new Map(), references));
  const resource = { id, attributes, references, unique, at, dryRun };
  const handled = await callHandler(type, scope, (context) => type.handler.create(context, resource));
  return written(type, scope, handledState(type, handled));
}

async function update(
  type: HandlerType,
  scope: StoreScope,
  { plan, dryRun }: HandledWrite<UpdatePlan>,
): Promise<WriteResult> {
  const { id, at, unique, collections: references } = plan;
  const { comparesVersions } = type.handler;
  const attributes = await attributesAfter(type, scope, plan);
  if (attributes === null) return conflict(type, scope, id);
  const change: HandlerReplace = {
    id,
    attributes,
    references,
    unique,
    changed: plan.event.changed.filter((path) => !type.model.secrets.some((secret) => secret.path === path)),
    expectedVersion: comparesVersions ? plan.expectedVersion : null,
    versionOf: versionReader(type),
    at,
    dryRun,
  };
  const handled = await callHandler(type, scope, (context) => type.handler.replace(context, change));
  if (handled === "conflict") return conflict(type, scope, id);
  const state = handledState(type, handled);
  if (state.id !== id) throw new TypeError(`The handler of ${type.model.name} replaced another resource`);
  return written(type, scope, state);
}

/** The attributes that an update leads to; null where the resource is gone, or is not the one that was planned on. */
async function attributesAfter(
  type: HandlerType,
  scope: StoreScope,
  { id, body, collections, expectedVersion }: UpdatePlan,
): Promise<JsonObject | null> {
  const { handler, model } = type;
  const holdsReferences = handler.references === undefined && model.collections.length > 0;
  if (body !== null && !holdsReferences) return wholeAttributes(type, body, new Map());
  const current = await readState(type, scope, id);
  if (current === null || (handler.comparesVersions && current.version !== expectedVersion)) return null;
  const references = withDeltas(type, current.collections, collections);
  return wholeAttributes(type, body ?? current.body, references);
}

async function remove(
  type: HandlerType,
  scope: StoreScope,
  { plan, dryRun }: HandledWrite<DeletePlan>,
): Promise<WriteResult> {
  const { id, at, expectedVersion } = plan;
  const deletion = {
    id,
    expectedVersion: type.handler.comparesVersions ? expectedVersion : null,
    versionOf: versionReader(type),
    at,
    dryRun,
  };
  const outcome = await callHandler(type, scope, (context) => type.handler.delete(context, deletion));
  if (outcome === "conflict") return conflict(type, scope, id);
  if (outcome !== "deleted")
    throw new TypeError(`The handler of ${type.model.name} said neither "deleted" nor "conflict"`);
  return { kind: "written", version: expectedVersion };
}

async function conflict(type: HandlerType, scope: StoreScope, id: string): Promise<WriteResult> {
  const current = await readState(type, scope, id);
  return { kind: "conflict", current: current?.version ?? null };
}

function written(type: HandlerType, { connection }: StoreScope, state: HandledState): WriteResult {
  const paths = type.model.collections.map(({ node }) => node.path);
  const { id, created, lastModified, body, collections } = storedState(type, state, { connection, paths });
  // References that are read apart are those of the plan.
  const held: Pick<WrittenState, "collections"> =
    type.handler.references === undefined ? { collections } : {};
  return { kind: "written", version: state.version, state: { id, created, lastModified, body, ...held } };
}

function versionReader(type: HandlerType): (current: HandledResource) => string {
  return (current) => handledState(type, current).version;
}

/** Collections after what comes and goes. */
function withDeltas(
  type: HandlerType,
  before: CollectionValues,
  deltas: readonly CollectionDelta[],
): CollectionValues {
  const after = new Map(before);
  for (const { path, remove: gone, add } of deltas) {
    const node = collectionNode(type, path);
    const kept = gone === "all" ? [] : (before.get(node) ?? []).filter(({ value }) => !gone.includes(value));
    const values = new Map<string, ReferenceValue>(kept.map((each) => [each.value, each]));
    for (const each of add) values.set(each.value, each);
    after.set(node, [...values.values()]);
  }
  return after;
}
