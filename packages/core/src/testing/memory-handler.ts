/**
 * A handler in memory, for tests and to read: with everything that a handler can do, or with as little as it must.
 * @module
 */
import { compareKeys } from "@scim/filter";
import { ScimError } from "@scim/schemas";
import type {
  HandledResource,
  HandlerContext,
  HandlerList,
  HandlerQuery,
  HandlerReplace,
  ResourceHandler,
} from "../handlers/resource-handler.ts";
import type { IdForm } from "../store/capabilities.ts";
import type { EntryDelta, UniqueEntry } from "../store/write-plan.ts";

/** What a handler in memory can do. */
export interface MemoryHandlerOptions {
  /** Whether it refuses values that another resource holds and that must be unique. Default true. */
  readonly unique?: boolean;
  /** Whether it compares versions: its own, which every write moves, or digests of content. Default: its own. */
  readonly versions?: "own" | "content" | "none";
  /** Whether it tries changes out. Default true. */
  readonly previews?: boolean;
  /** Whether it pages by itself where nothing is filtered and sorted. Default true. */
  readonly pages?: boolean;
  /** Whether it knows the dates of resources. Default true. */
  readonly dates?: boolean;
  readonly ids?: IdForm;
}

/** What belongs to one tenant. */
class MemoryTable {
  readonly resources = new Map<string, HandledResource>();
  /** Who holds a unique value, by its name. */
  readonly #holders = new Map<string, string>();

  refuseTaken(id: string, entries: readonly UniqueEntry[]): void {
    const taken = entries.find((entry) => (this.#holders.get(nameOf(entry)) ?? id) !== id);
    if (taken === undefined) return;
    throw new ScimError(
      "uniqueness",
      `The value of attribute '${taken.path}' belongs to another resource: choose another value.`,
    );
  }

  hold(id: string, { add, remove }: EntryDelta<UniqueEntry>): void {
    for (const entry of remove) this.#release(nameOf(entry), id);
    for (const entry of add) this.#holders.set(nameOf(entry), id);
  }

  delete(id: string): void {
    this.resources.delete(id);
    for (const name of this.#holders.keys()) this.#release(name, id);
  }

  #release(name: string, id: string): void {
    if (this.#holders.get(name) === id) this.#holders.delete(name);
  }
}

function nameOf({ scope, path, key }: UniqueEntry): string {
  return JSON.stringify([scope, path, key]);
}

/**
 * Makes a handler without resources.
 *
 * @example
 * const store = createHandlerStore({ registry, sources, handlers: { User: createMemoryHandler() } });
 */
export function createMemoryHandler(options: MemoryHandlerOptions = {}): ResourceHandler {
  const { versions = "own", previews = true, pages = true, dates = true, unique = true, ids } = options;
  const tenants = new Map<string, MemoryTable>();
  let writes = 0;

  function tableOf({ tenant }: HandlerContext): MemoryTable {
    const known = tenants.get(tenant) ?? new MemoryTable();
    tenants.set(tenant, known);
    return known;
  }

  function stamped(
    resource: Pick<HandledResource, "id" | "attributes" | "created">,
    at: string,
  ): HandledResource {
    writes += 1;
    return {
      id: resource.id,
      attributes: resource.attributes,
      ...(dates ? { created: resource.created ?? at, lastModified: at } : {}),
      ...(versions === "own" ? { version: `v${writes.toString(36)}` } : {}),
    };
  }

  function isStale(
    current: HandledResource,
    { expectedVersion, versionOf }: Pick<HandlerReplace, "expectedVersion" | "versionOf">,
  ): boolean {
    return versions !== "none" && versionOf(current) !== expectedVersion;
  }

  return {
    comparesVersions: versions !== "none",
    previews,
    ...(ids === undefined ? {} : { ids }),
    get: (context, id) => tableOf(context).resources.get(id) ?? null,
    list: (context, query) => listOf([...tableOf(context).resources.values()], query, pages),
    create: (context, { id, attributes, unique: entries, at, dryRun }) => {
      const table = tableOf(context);
      if (table.resources.has(id)) throw new ScimError("uniqueness", "The id belongs to another resource.");
      if (unique) table.refuseTaken(id, entries);
      const resource = stamped({ id, attributes }, at);
      if (dryRun) return resource;
      table.resources.set(id, resource);
      table.hold(id, { add: entries, remove: [] });
      return resource;
    },
    replace: (context, change) => {
      const table = tableOf(context);
      const current = table.resources.get(change.id);
      if (current === undefined || isStale(current, change)) return "conflict";
      if (unique) table.refuseTaken(change.id, change.unique.add);
      const resource = stamped({ ...current, attributes: change.attributes }, change.at);
      if (change.dryRun) return resource;
      table.resources.set(change.id, resource);
      table.hold(change.id, change.unique);
      return resource;
    },
    delete: (context, deletion) => {
      const table = tableOf(context);
      const current = table.resources.get(deletion.id);
      if (current === undefined || isStale(current, deletion)) return "conflict";
      if (!deletion.dryRun) table.delete(deletion.id);
      return "deleted";
    },
  };
}

/** In the order of adding; a page where nothing is filtered and sorted, if the handler pages by itself. */
function listOf(
  all: readonly HandledResource[],
  { filter, sort, page }: HandlerQuery,
  pages: boolean,
): HandlerList {
  if (!pages || filter !== null || sort !== null || page === null) return { resources: all };
  const sorted = all.toSorted((left, right) => compareKeys(left.id, right.id));
  if ("offset" in page) {
    const { offset, limit } = page;
    return { resources: sorted.slice(offset, offset + limit), served: "all", total: all.length };
  }
  const { after, limit } = page;
  const behind = after === null ? sorted : sorted.filter(({ id }) => compareKeys(id, after) > 0);
  return { resources: behind.slice(0, limit), served: "all", total: all.length };
}
