/**
 * The plan of a new resource.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import { askPlanHook } from "../hooks/plan-hook.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { collectionDeltas, type CollectionValues } from "../plan/collections.ts";
import { entriesOf } from "../plan/entries.ts";
import { indexedAttributes } from "../plan/indexed-attributes.ts";
import type { PlannedSecrets } from "../secrets/request-secrets.ts";
import type { CreatePlan } from "../store/write-plan.ts";
import { instantText } from "./write-instant.ts";

/** The state of a new resource. */
export interface NewState {
  readonly model: ResourceModel;
  /** Without collections. */
  readonly body: JsonObject;
  readonly collections: CollectionValues;
  /** The id that it brings along. Default: a new one. */
  readonly id?: string;
  /** What is made of it before. Default: a new id, and now. */
  readonly made?: { readonly id: string; readonly at: string };
  /** When it was created elsewhere. Default: now. */
  readonly created?: string;
  /** Secrets that come with it. Default: none. */
  readonly secrets?: PlannedSecrets;
  /** The entries of the body, where they are known. */
  readonly entries?: StateEntries | undefined;
}

/** The entries of a body, and the revision of the catalog of indexes that they cover. */
export type StateEntries = Pick<CreatePlan, "index" | "indexRevision" | "unique" | "whereHeld">;

/** Plans a new resource. */
export function planCreation(environment: Environment, context: RequestContext, state: NewState): CreatePlan {
  const { sources } = environment;
  const { model, collections, id, made, created, secrets } = state;
  return {
    // First: the engine then copies the parts as they are, and not one by one.
    ...statePlan(environment, context, state),
    kind: "create",
    type: model.name,
    id: id ?? made?.id ?? sources.newId(),
    at: made?.at ?? instantText(sources.now()),
    nonce: sources.newNonce(),
    collections: collectionDeltas(new Map(), collections),
    ...(created === undefined ? {} : { created }),
    ...(secrets === undefined || secrets.changes.length === 0 ? {} : { secrets: secrets.changes }),
    ...(id === undefined ? {} : { keepsId: true }),
  };
}

/** The parts of a plan that follow from the attributes. */
function statePlan(
  environment: Environment,
  context: RequestContext,
  { model, body, collections, secrets, entries }: NewState,
): StateEntries & Pick<CreatePlan, "body" | "schemas" | "event"> {
  const { subject, origin } = context;
  const changed = Object.keys(body);
  for (const { path } of collections.keys()) changed.push(path);
  if (secrets !== undefined) changed.push(...secrets.paths);
  return {
    ...(entries ?? stateEntries(environment, context, { model, body })),
    body,
    schemas: environment.schemas,
    event: { kind: "created", subject, origin, changed },
  };
}

/** The entries of a body. */
export function stateEntries(
  environment: Environment,
  { tenant, connection, profile: { constraints } }: RequestContext,
  { model, body }: Pick<NewState, "model" | "body">,
): StateEntries {
  const { nodes, revision } = indexedAttributes(model, environment.store.indexes, tenant);
  return {
    ...entriesOf(model, body, { constraints, connection, indexed: nodes }),
    indexRevision: revision,
  };
}

/**
 * The plan of a new resource as the hook of its type leaves it.
 * @throws what the hook throws
 */
export async function passCreationHook(
  environment: Environment,
  context: RequestContext,
  { planned, state }: { readonly planned: CreatePlan; readonly state: NewState },
): Promise<CreatePlan> {
  const { model } = state;
  if (!environment.hooks.has(model.name)) return planned;
  const amended = await askPlanHook(environment, context, { model, plan: planned, before: null });
  if (amended === null) return planned;
  const parts = statePlan(environment, context, { ...state, body: amended, entries: undefined });
  const references = [...planned.collections, ...(planned.staged?.changes ?? [])].map(({ path }) => path);
  const changed = [...new Set([...parts.event.changed, ...references])];
  return { ...planned, ...parts, event: { ...parts.event, changed } };
}
