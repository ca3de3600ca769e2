/**
 * The guard of a process: hooks for every resource type that the store writes, and the settings of each connection.
 * @module
 */
import type { ResourceHooks } from "@scim/core";
import { createGuardHooks, type GuardSettings } from "@scim/events";
import type { SchemaRegistry } from "@scim/schemas";
import type { Notices } from "../notices/notices.ts";
import type { OpenedStore } from "../store/open-store.ts";
import type { Settings } from "../settings/table.ts";
import { newResourceId } from "../sources.ts";

/** What a guard is wired to. */
export interface GuardParts {
  readonly settings: Settings;
  readonly notices: Pick<Notices, "onExceeded">;
  readonly opened: OpenedStore;
}

/** What guards of connections are found in. */
interface GuardsOf extends Pick<OpenedStore, "guard"> {
  readonly store: Pick<OpenedStore["store"], "connections">;
}

/** Milliseconds that the settings of a connection are believed. */
const BELIEVED_MS = 500;
const MOST_KEPT = 10_000;

/** Makes the guard. Answers what gives the hooks of the types of a registry. */
export function guardHooks({
  settings,
  notices,
  opened,
}: GuardParts): (registry: SchemaRegistry) => Record<string, ResourceHooks> {
  const hooks = createGuardHooks({
    ...opened.auditKeys,
    store: opened.store.guard,
    catalog: opened.rules.catalogOf,
    settingsOf: connectionGuards(opened),
    deactivating: settings["guard.deactivating"],
    now: Date.now,
    newId: newResourceId,
    onExceeded: notices.onExceeded,
  });
  return (registry) => {
    const types = registry.resourceTypes().filter(({ rowsOf }) => rowsOf === undefined);
    return Object.fromEntries(types.map(({ name }) => [name, hooks]));
  };
}

/** Finds the guard of a connection: its own, or that of the settings. What changes acts within half a second, however the clock goes. */
export function connectionGuards({
  store,
  guard: ofService,
}: GuardsOf): (tenant: string, connection: string) => Promise<GuardSettings> {
  const kept = new Map<string, { readonly guard: GuardSettings; readonly until: number }>();
  return async (tenant, connection) => {
    const key = `${tenant} ${connection}`;
    const known = kept.get(key);
    if (known !== undefined && known.until > performance.now()) return known.guard;
    const guard = (await store.connections.find(tenant, connection))?.guard ?? ofService;
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(key, { guard, until: performance.now() + BELIEVED_MS });
    return guard;
  };
}
