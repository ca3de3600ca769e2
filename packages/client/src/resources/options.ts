/**
 * What the methods of a resource type may be told.
 * @module
 */
import type { FilterNode } from "@scim/filter/ast";
import type { FilterExpression } from "../filter/expression.ts";

/** What every request may be told. */
export interface CallOptions {
  /** Gives the request up when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for each attempt: 1 or more. Default: the client's. */
  readonly timeout?: number | undefined;
  /** Further headers of this request; they count before those of the client. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Which attributes an answer holds (RFC 7644 §3.9). */
export interface Projection<Path extends string> {
  /** These alone, beside what is always returned. */
  readonly attributes?: readonly Path[] | undefined;
  /** All but these. */
  readonly excludedAttributes?: readonly Path[] | undefined;
}

/** How a resource is read. */
export interface ReadOptions extends CallOptions {
  /** Whether to read past the cache. Default false. */
  readonly fresh?: boolean | undefined;
}

/** On which version a change is made. */
export interface ChangeOptions extends CallOptions {
  /**
   * The version that the resource must still have, raw or as an entity tag; `*` for any version of a resource that
   * exists; null for none at all. Default: the version of the resource that is given, if it is known.
   */
  readonly version?: string | null | undefined;
}

/** A filter: its text, its tree, or an expression that was built. */
export type FilterInput = string | FilterNode | { readonly node: FilterNode };

/** A filter, or a function that builds it of the attributes of a type. */
export type FilterOf<Fields> = [Fields] extends [never]
  ? FilterInput
  : FilterInput | ((fields: Fields) => FilterExpression);

/** What is looked for, and in which order. */
export interface QueryOptions<Path extends string, Fields = never> extends CallOptions {
  /** Text, or built: `(user) => user.userName.sw("a").and(user.active.eq(true))`. */
  readonly filter?: FilterOf<Fields> | undefined;
  readonly sortBy?: Path | undefined;
  /** Default `ascending`. */
  readonly sortOrder?: "ascending" | "descending" | undefined;
}

/** One page, as the service numbers or names it. */
export interface PageOptions<Path extends string, Fields = never>
  extends QueryOptions<Path, Fields>, Projection<Path> {
  /** 1-based position of the first resource. Default: the beginning. */
  readonly startIndex?: number | undefined;
  /** Greatest number of resources: 0 or more. Default: what the service gives. */
  readonly count?: number | undefined;
  /** Where to go on (RFC 9865): what the page before said; empty for the first page. */
  readonly cursor?: string | undefined;
  /** Whether the query is sent as the body of a POST to `/.search`, which keeps it out of addresses. Default false. */
  readonly post?: boolean | undefined;
}
