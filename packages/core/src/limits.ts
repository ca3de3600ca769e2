/**
 * Limits and settings of a service, each with its default.
 * @module
 */
import type { InverseReach } from "./projection/read-selection.ts";

/** What a service allows and how it answers. */
export interface ServiceLimits {
  /** Resources of a page where a query gives no count. Default 100. */
  readonly pageSize: number;
  /** Most resources of one answer; a greater count is cut to it. Default 1000. */
  readonly maxResults: number;
  /** Most characters (UTF-16 code units) of a filter or path. Default 8192. */
  readonly filterLength: number;
  /** Deepest nesting of a filter: groups, `not` and value paths each count one. Default 64. */
  readonly filterDepth: number;
  /** Most values of a multi-valued attribute that is no reference collection. Default 1000. */
  readonly attributeValues: number;
  /** Most code points of a string; an annotation may allow less. Default 65536. */
  readonly stringLength: number;
  /** Most digits of a decimal, written without an exponent; an annotation may allow less. Default 309: every number. */
  readonly decimalPrecision: number;
  /** Most digits after the point of a decimal; an annotation may allow less. Default 324: every number. */
  readonly decimalScale: number;
  /** Least integer; an annotation may ask for more. Default -9007199254740991 (-2^53 + 1). */
  readonly integerMinimum: number;
  /** Greatest integer; an annotation may allow less. Default 9007199254740991 (2^53 - 1). */
  readonly integerMaximum: number;
  /** A PATCH of a resource with more references than this in a collection is answered without a body. Default 200. */
  readonly answerReferences: number;
  /**
   * Most references of one collection that an answer holds in memory; where there are more, over all resources of a
   * page, they are streamed to callers that take that. For these, a change of more than so many is staged. Default 1000.
   */
  readonly heldReferences: number;
  /** Times that a change without If-Match is planned again when others were faster. Default 64. */
  readonly planAttempts: number;
  /** Most operations of a bulk job. Default 1000. */
  readonly bulkOperations: number;
  /** Greatest bulk job, in bytes, as it is advertised; whoever reads the bytes refuses more. Default 4194304 (4 MiB). */
  readonly bulkPayload: number;
  /** Name of the resource type of those who call, for `/Me`; null where `/Me` is switched off. Default `User`. */
  readonly me: string | null;
  /** How far `User.groups` looks. Default `direct`. */
  readonly groups: InverseReach;
  /** How long a `plan` hook may take whose hooks say no `timeout`, in milliseconds. Default 5000. */
  readonly hookTimeout: number;
  /** How long a cursor is valid, in seconds. Default 3600 (one hour). */
  readonly cursorTimeout: number;
  /**
   * Most resources whose sort keys are kept, or passed over, to find one page of a sorted list that no index
   * serves; deeper pages are refused with `tooMany`. Default 200,000.
   */
  readonly sortedResults: number;
  /**
   * Longest time that a query may go through resources, waiting for its turn included, in milliseconds; what takes
   * longer is refused with `tooMany`. Default 30,000 (30 seconds).
   */
  readonly queryTimeout: number;
  /**
   * Attribute paths that filters in an address must not name (403 `sensitive`, RFC 7644 §7.5.2); one stands for its
   * sub-attributes too. Of an extension with its URN, which the base schema's may have too. Default none.
   */
  readonly sensitiveAttributes: readonly string[];
}

/** The defaults. */
export const DEFAULT_LIMITS: ServiceLimits = {
  pageSize: 100,
  maxResults: 1000,
  filterLength: 8192,
  filterDepth: 64,
  attributeValues: 1000,
  stringLength: 65_536,
  decimalPrecision: 309,
  decimalScale: 324,
  integerMinimum: Number.MIN_SAFE_INTEGER,
  integerMaximum: Number.MAX_SAFE_INTEGER,
  answerReferences: 200,
  heldReferences: 1000,
  planAttempts: 64,
  bulkOperations: 1000,
  bulkPayload: 4_194_304,
  me: "User",
  groups: "direct",
  hookTimeout: 5000,
  cursorTimeout: 3600,
  sortedResults: 200_000,
  queryTimeout: 30_000,
  sensitiveAttributes: [],
};

/**
 * Limits with those in their place that are given. One that is said to be undefined, as by a setting that is not there,
 * stays as it is.
 * @param whose what has the limits, for the error
 * @throws TypeError for a limit that is no number where it must be one, such as `NaN`: nothing would exceed it
 */
export function withLimits<Limits extends object>(
  limits: Limits,
  given: Partial<NoInfer<Limits>> = {},
  whose = "service",
): Limits {
  const known = new Map(Object.entries(limits));
  const stated = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of stated) {
    if (typeof known.get(name) === "number" && (typeof value !== "number" || Number.isNaN(value)))
      throw new TypeError(`The limit '${name}' of a ${whose} is a number.`);
  }
  // What is stated is of the type of the limits.
  const differing = Object.fromEntries(stated) as Partial<Limits>;
  return { ...limits, ...differing };
}
