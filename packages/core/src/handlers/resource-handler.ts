/**
 * What a team implements that keeps the resources of a type in a table of its own.
 * @module
 */
import type { FilterNode } from "@scim/filter";
import type { JsonObject } from "@scim/schemas";
import type { IdForm } from "../store/capabilities.ts";
import type { CollectionDelta, EntryDelta, UniqueEntry } from "../store/write-plan.ts";

/** A resource as a handler keeps it. */
export interface HandledResource {
  /**
   * Of the form that the handler states; the same for as long as the resource exists. No resource of another type of the
   * tenant has it (RFC 7643 §3.1): references are told apart by ids alone.
   */
  readonly id: string;
  /**
   * Values by attribute name, as SCIM's JSON has them; those of an extension under its URN. References (`members`) are
   * a list of objects with a `value`, in the order of adding, unless the handler has a method `references`.
   * Nulls, empty lists, names in another letter case, `$ref`, and attributes that the schema does not have do no harm.
   */
  readonly attributes: JsonObject;
  /** Dates and times such as `2026-01-31T08:00:00Z`; without, or with null, the resource shows none. */
  readonly created?: string | null | undefined;
  readonly lastModified?: string | null | undefined;
  /**
   * A value that every write of the row moves: 1 to 128 of `A-Z`, `a-z`, `0-9`, `.`, `_`, `+`, `=`, `-`. Without, the
   * version is a digest of the attributes. A bare counter repeats after a restored backup; a random text does not.
   */
  readonly version?: string | undefined;
}

/** On whose behalf a handler is called. It must read and write what belongs to the tenant, and nothing else. */
export interface HandlerContext {
  readonly tenant: string;
  /** The connection (an identity provider, a tool) that asks. */
  readonly connection: string;
  /**
   * Aborted when the time of the call is over, and for reads also when the client has gone: nobody waits for the result
   * any more. That of a list holds while its resources are read. A write goes on without its client.
   */
  readonly signal: AbortSignal;
}

/** The resources that a client asks for. */
export interface HandlerQuery {
  /**
   * The filter: attribute names spelled as the schema spells them, `foldFilter` of `@scim/filter/ast` walks along it.
   * Text of attributes that are not case exact is folded to lower case (and full-width letters to plain ones), as the
   * stored value must be to compare; dates and times are in UTC with nine digits of fraction or more, but beside `co`, `sw` and
   * `ew`, which look at their text as it is kept, as at other text. `ne` finds what has no value too, and in comparisons a `primary`
   * that is missing is false. Null: all resources.
   */
  readonly filter: FilterNode | null;
  /** Where values are missing they come last, descending first; what is equal is ordered by id. Null: by id. */
  readonly sort: { readonly path: string; readonly descending: boolean } | null;
  /** The page that is asked for; null where only the service can find it. */
  readonly page: HandlerPage | null;
}

/** A page: by number, or of those that come behind an id in the order of ids. */
export type HandlerPage =
  | { readonly offset: number; readonly limit: number }
  /** `after` null: from the beginning. */
  | { readonly after: string | null; readonly limit: number };

/** What a handler answers to a query. */
export interface HandlerList {
  /** They are taken one by one; an async iterable is not read further than needed. */
  readonly resources: Iterable<HandledResource> | AsyncIterable<HandledResource>;
  /**
   * - `candidates` (default): every match is among them. The service filters, sorts and pages.
   * - `all`: exactly the page that was asked for, filtered and in the order of the query.
   */
  readonly served?: "candidates" | "all";
  /** How many resources match, over all pages: with `all`, for a page by number. */
  readonly total?: number;
  /**
   * Says that candidates come in ascending order of id, by code point. They are passed along as they come then; without,
   * the service collects and sorts them first, which takes memory for all of them.
   */
  readonly order?: "id";
}

/** What all writes are told. */
interface HandlerWrite {
  /** When, in UTC with milliseconds. */
  readonly at: string;
  /** Whether nothing may stay of it: only where the handler says `previews`. */
  readonly dryRun: boolean;
}

/** What creating and replacing have in common. */
interface HandlerContent extends HandlerWrite {
  /** Valid, in normal form, and without secrets: a password never reaches a handler. */
  readonly attributes: JsonObject;
  /** References that come with it; they are part of `attributes` too unless the handler has `references`. */
  readonly references: readonly CollectionDelta[];
}

/** A resource to create. */
export interface HandlerCreate extends HandlerContent {
  /** An id that nobody has. The handler may give the resource another. */
  readonly id: string;
  /**
   * Values that no other resource of the tenant may hold, as keys that compare as the schema says, for a table that
   * keeps keys. One with constraints of its own needs none of it.
   */
  readonly unique: readonly UniqueEntry[];
}

/** A resource to replace: PUT, and what PATCH operations make of it. */
export interface HandlerReplace extends HandlerContent {
  readonly id: string;
  /** How the values that no other resource may hold change. */
  readonly unique: EntryDelta<UniqueEntry>;
  /** Names of the attributes that differ, those that go and those of references among them; extensions by their URN. */
  readonly changed: readonly string[];
  /**
   * The version that the resource must still have, compared in the step that writes; null where the handler does not
   * compare versions.
   */
  readonly expectedVersion: string | null;
  /**
   * The version of a resource as it is read now, for a handler that gives none of its own: compare it with
   * `expectedVersion` in the transaction that writes.
   */
  readonly versionOf: (current: HandledResource) => string;
}

/** A resource to delete. */
export type HandlerDelete = Pick<HandlerReplace, "id" | "expectedVersion" | "versionOf" | keyof HandlerWrite>;

/** References of one resource. */
export interface HandledReferences {
  readonly id: string;
  /** Attribute path: `members`. */
  readonly attribute: string;
  /** Only those of these values; null for all. */
  readonly values: readonly string[] | null;
  /** At most so many, the first ones; null for all. */
  readonly limit: number | null;
}

/** A reference as seen from what it names. */
export interface HandledReferrer {
  /** The id that is named. */
  readonly value: string;
  /** The id of the resource that names it, and what that shows as its name. */
  readonly id: string;
  readonly display?: string | null | undefined;
}

/**
 * The resources of one type in a table of the application's own. `createHandlerStore` makes a store of it, over which
 * the whole protocol is served: filters, PATCH, sort, projection, entity tags, bulk jobs, cursors.
 *
 * A handler throws `ScimError` for what a client should be told (`uniqueness` where the table's constraint refuses a
 * value, `unavailable` where the database is down), and it reaches the client as it is. Whatever else it throws is
 * answered as a fault of the service (500), whose message stands in the log and nowhere else. A call that takes longer
 * than the time of the store is answered with 503.
 *
 * @example
 * const users: ResourceHandler = {
 *   comparesVersions: true,
 *   get: async ({ tenant }, id) => toResource(await db.get("SELECT * FROM users WHERE org = ? AND id = ?", [tenant, id])),
 *   list: async ({ tenant }) => ({ resources: (await db.all("SELECT * FROM users WHERE org = ?", [tenant])).map(toResource) }),
 *   create: async ({ tenant }, { id, attributes }) => insertUser(tenant, id, attributes),
 *   replace: async ({ tenant }, { id, attributes, expectedVersion }) =>
 *     (await updateUser(tenant, id, attributes, expectedVersion)) ?? "conflict", // … WHERE id = ? AND version = ? RETURNING *
 *   delete: async ({ tenant }, { id, expectedVersion }) =>
 *     (await deleteUser(tenant, id, expectedVersion)) === 0 ? "conflict" : "deleted",
 * };
 */
export interface ResourceHandler {
  /**
   * Whether `replace` and `delete` compare `expectedVersion` in the step that writes. Where they cannot, resources of
   * the type carry no version and no entity tag, and `etag.supported` of ServiceProviderConfig is false.
   */
  readonly comparesVersions: boolean;
  /** Whether writes keep nothing where `dryRun` is set. Without, dry runs of the type are answered with 501. */
  readonly previews?: boolean;
  /**
   * The form of ids, where it is another than 1 to 128 unreserved characters of RFC 3986: the handler is asked for no
   * other, and references to the type must have it.
   */
  readonly ids?: IdForm;
  /** The resource of an id; null where the tenant has none. */
  get(context: HandlerContext, id: string): Promise<HandledResource | null> | HandledResource | null;
  /** The resources of a query. It may ignore the query, and answer all. */
  list(context: HandlerContext, query: HandlerQuery): Promise<HandlerList> | HandlerList;
  /**
   * Creates a resource, and answers it as it is stored.
   * @throws ScimError `uniqueness` where another resource holds a value that must be unique
   */
  create(context: HandlerContext, resource: HandlerCreate): Promise<HandledResource> | HandledResource;
  /**
   * Replaces a resource, and answers it as it is stored; `conflict` where it has another version by now, or is gone.
   * @throws ScimError `uniqueness` where another resource holds a value that must be unique
   */
  replace(
    context: HandlerContext,
    change: HandlerReplace,
  ): Promise<HandledResource | "conflict"> | HandledResource | "conflict";
  /** Deletes a resource; `conflict` where it has another version by now, or is gone. */
  delete(
    context: HandlerContext,
    deletion: HandlerDelete,
  ): Promise<"deleted" | "conflict"> | "deleted" | "conflict";
  /** The resources of these ids that exist, in any order. Without, `get` is called for each. */
  getMany?(
    context: HandlerContext,
    ids: readonly string[],
  ): Promise<readonly HandledResource[]> | readonly HandledResource[];
  /**
   * Reads references, of a handler that keeps them as rows, in the order of adding. With this method resources have no
   * references in their `attributes`, writes tell what comes and goes, and each resource needs a `version` of its own.
   */
  references?(
    context: HandlerContext,
    wanted: HandledReferences,
  ): Promise<readonly JsonObject[]> | readonly JsonObject[];
  /** Who names any of these ids in an attribute. Without, all resources are looked through. */
  referrers?(
    context: HandlerContext,
    wanted: { readonly attribute: string; readonly values: readonly string[] },
  ): Promise<readonly HandledReferrer[]> | readonly HandledReferrer[];
}
