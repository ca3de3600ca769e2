/**
 * A handler in memory, for tests and to read: with everything that a handler can do, or with as little as it must.
 * @module
 */
import { comparisonKey } from "@scim/filter";
import { isJsonObject, ScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import { own } from "../attributes/json-object.ts";
import type {
  HandledResource,
  HandlerContext,
  HandlerList,
  HandlerQuery,
  HandlerReplace,
  ResourceHandler,
} from "../handlers/resource-handler.ts";
import type { IdForm } from "../store/capabilities.ts";

/** What a handler in memory can do. */
export interface MemoryHandlerOptions {
  /** Names of attributes whose text no two resources of a tenant share, whatever its letter case. Default: none. */
  readonly unique?: readonly string[];
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

type Resources = Map<string, HandledResource>;

/**
 * Makes a handler without resources.
 *
 * @example
 * const store = createHandlerStore({ registry, sources, handlers: { User: createMemoryHandler({ unique: ["userName"] }) } });
 */
export function createMemoryHandler(options: MemoryHandlerOptions = {}): ResourceHandler {
  const { versions = "own", previews = true, dates = true, ids } = options;
  const tenants = new Map<string, Resources>();
  let writes = 0;

  function resourcesOf({ tenant }: HandlerContext): Resources {
    const known = tenants.get(tenant) ?? new Map<string, HandledResource>();
    tenants.set(tenant, known);
    return known;
  }

  function stamped(resource: Pick<HandledResource, "id" | "attributes" | "created">, at: string): HandledResource {
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
    get: (context, id) => resourcesOf(context).get(id) ?? null,
    list: (context, query) => listOf(resourcesOf(context), query, options.pages ?? true),
    create: (context, { id, attributes, at, dryRun }) => {
      const resources = resourcesOf(context);
      if (resources.has(id)) throw new ScimError("uniqueness", "The id belongs to another resource.");
      refuseTaken(resources, { id, attributes }, options.unique);
      const resource = stamped({ id, attributes }, at);
      if (!dryRun) resources.set(id, resource);
      return resource;
    },
    replace: (context, change) => {
      const resources = resourcesOf(context);
      const current = resources.get(change.id);
      if (current === undefined || isStale(current, change)) return "conflict";
      refuseTaken(resources, change, options.unique);
      const resource = stamped({ ...current, attributes: change.attributes }, change.at);
      if (!change.dryRun) resources.set(change.id, resource);
      return resource;
    },
    delete: (context, deletion) => {
      const resources = resourcesOf(context);
      const current = resources.get(deletion.id);
      if (current === undefined || isStale(current, deletion)) return "conflict";
      if (!deletion.dryRun) resources.delete(deletion.id);
      return "deleted";
    },
  };
}

/** In the order of adding; a page where nothing is filtered and sorted, if the handler pages by itself. */
function listOf(resources: Resources, { filter, sort, page }: HandlerQuery, pages: boolean): HandlerList {
  const all = [...resources.values()];
  if (!pages || filter !== null || sort !== null || page === null) return { resources: all };
  const sorted = all.toSorted((left, right) => compareText(left.id, right.id));
  if ("offset" in page) {
    const { offset, limit } = page;
    return { resources: sorted.slice(offset, offset + limit), served: "all", total: all.length };
  }
  const { after, limit } = page;
  const behind = after === null ? sorted : sorted.filter(({ id }) => compareText(id, after) > 0);
  return { resources: behind.slice(0, limit), served: "all" };
}

/** By code point, as UTF-8 orders text. */
function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function refuseTaken(
  resources: Resources,
  { id, attributes }: { readonly id: string; readonly attributes: JsonObject },
  unique: readonly string[] = [],
): void {
  for (const name of unique) {
    const key = keyOf(own(attributes, name));
    if (key === undefined) continue;
    const isTaken = [...resources.values()].some(
      (other) => other.id !== id && keyOf(own(other.attributes, name)) === key,
    );
    if (isTaken) throw new ScimError("uniqueness", `The value of attribute '${name}' belongs to another resource.`);
  }
}

function keyOf(value: JsonValue | undefined): unknown {
  return isJsonObject(value) ? undefined : comparisonKey("string", false, value);
}
