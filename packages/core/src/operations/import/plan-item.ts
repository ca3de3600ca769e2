/**
 * Plans what an item of an import changes.
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { withStatements } from "../../hooks/write-hooked.ts";
import { selectAttributes } from "../../projection/selection.ts";
import type { StoredResource } from "../../store/stored-resource.ts";
import type { WritePlan } from "../../store/write-plan.ts";
import { passHook } from "../change-resource.ts";
import { passCreationHook, planCreation } from "../creation-plan.ts";
import { planReplacement } from "../replace.ts";
import type { ImportRequest } from "./import-request.ts";
import type { ReadItem } from "./read-item.ts";

/** What becomes of an item; without a plan the resource is as the item wants it. */
export interface ItemPlan {
  readonly plan: WritePlan | null;
  /** The resource before; null for a new one. */
  readonly before: StoredResource | null;
  readonly id: string;
}

/** An item, and the resource that it means. */
export interface PlannedItem {
  readonly item: ReadItem;
  /** Null for a new one. */
  readonly existing: StoredResource | null;
  readonly mode: ImportRequest["mode"];
  /** Paths of the secrets that it changes. */
  readonly secrets: readonly string[];
}

/**
 * Plans an item.
 * @throws ScimError where the change is not allowed
 */
export function planItem(
  environment: Environment,
  context: RequestContext,
  { item, existing, mode, secrets }: PlannedItem,
): ItemPlan | Promise<ItemPlan> {
  const isHooked = environment.hooks.has(item.model.name);
  if (existing === null) {
    const state = newState(item);
    const planned = planCreation(environment, context, state);
    const made = (plan: WritePlan): ItemPlan => ({ plan, before: null, id: plan.id });
    if (!isHooked) return made(planned);
    return passCreationHook(environment, context, { planned, state }).then((plan) =>
      made(withStatements(environment, context, { plan, before: null })),
    );
  }
  const change = replacement(environment, context, { item, existing, secrets });
  const made = (plan: WritePlan | null): ItemPlan => ({ plan, before: existing, id: existing.id });
  if (change.plan !== null && mode === "create") throw exists(item);
  if (!isHooked) return made(change.plan);
  return hookedUpdate(environment, context, { item, existing, change }).then(made);
}

/** The state of the new resource of an item. */
export function newState({
  model,
  body,
  collections,
  id,
  created,
  entries,
  secrets: { paths },
}: ReadItem): Parameters<typeof planCreation>[2] {
  return {
    model,
    body,
    collections,
    entries,
    // Hashed when it is written.
    ...(paths.length === 0 ? {} : { secrets: { paths, changes: [] } }),
    ...(id === null ? {} : { id }),
    ...(created === null ? {} : { created }),
  };
}

type Replacement = ReturnType<typeof planReplacement>;

function replacement(
  environment: Environment,
  context: RequestContext,
  { item, existing, secrets }: Pick<PlannedItem, "item" | "secrets"> & { readonly existing: StoredResource },
): Replacement {
  const { model, body, collections, defaulted } = item;
  return planReplacement(environment, context, {
    model,
    stored: existing,
    selection: selectAttributes(model, { attributes: null, excludedAttributes: null }, context),
    body,
    wanted: collections,
    defaulted,
    // Hashed when it is written.
    secrets: { paths: secrets, changes: [] },
    readOnly: new Map(),
  });
}

async function hookedUpdate(
  environment: Environment,
  context: RequestContext,
  {
    item,
    existing,
    change,
  }: { readonly item: ReadItem; readonly existing: StoredResource; readonly change: Replacement },
): Promise<WritePlan | null> {
  const plan = await passHook(environment, context, { stored: existing, planned: change, model: item.model });
  return plan === null ? null : withStatements(environment, context, { plan, before: existing });
}

function exists({ model }: ReadItem): ScimError {
  return new ScimError(
    "uniqueness",
    `This ${model.name} exists with other content: import with mode 'upsert' to replace it.`,
  );
}
