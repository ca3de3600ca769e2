/**
 * Settings that bound queries, pages and values.
 * @module
 */
import { readAttributePaths } from "./forms.ts";
import { integer, text, type Setting } from "./setting.ts";

const MIB = 1_048_576;

/** Bounds of queries, pages and values, by key. */
export const QUERY_SETTINGS = {
  "page.size": integer({
    doc: "Resources of a page where a query gives no count.",
    fallback: 100,
    minimum: 1,
    maximum: 1000,
    unit: "resources",
  }),
  "filter.maxResults": integer({
    doc: "Most resources of one answer; a greater count is cut to it.",
    fallback: 1000,
    minimum: 1,
    maximum: 10_000,
    unit: "resources",
  }),
  "filter.maxLength": integer({
    doc: "Longest filter or path.",
    fallback: 8192,
    minimum: 256,
    maximum: 32_768,
    unit: "characters",
  }),
  "filter.maxDepth": integer({
    doc: "Deepest nesting of a filter: groups, `not` and value paths each count one.",
    fallback: 64,
    minimum: 4,
    // More the parser takes from nobody.
    maximum: 200,
    unit: "levels",
  }),
  "filter.sensitiveAttributes": text({
    doc: "Attributes that filters in an address must not name, since addresses are logged on their way: 403 `sensitive`; one of an extension with its URN. The log of a start warns of those that no resource type has. Default: none.",
    bound: "attribute paths separated by commas",
    read: readAttributePaths,
  }),
  "cursor.timeout": integer({
    doc: "How long a cursor is valid.",
    fallback: 3600,
    minimum: 10,
    maximum: 604_800,
    unit: "seconds",
  }),
  "sort.maxResults": integer({
    doc: "Most resources that are kept or passed over to find one page of a sorted list that no index serves; deeper pages are refused with `tooMany`.",
    fallback: 200_000,
    minimum: 1000,
    maximum: 10_000_000,
    unit: "resources",
  }),
  "query.timeout": integer({
    doc: "Longest time that a query may go through resources, waiting for its turn included; what takes longer is refused with `tooMany`.",
    fallback: 30_000,
    minimum: 100,
    maximum: 600_000,
    unit: "milliseconds",
  }),
  "query.scans": integer({
    doc: "Queries that may go through resources at the same time, in each process.",
    fallback: 3,
    minimum: 1,
    maximum: 64,
    unit: "queries",
  }),
  "query.scansPerTenant": integer({
    doc: "How many of these one tenant may have, so that there is a turn for others.",
    fallback: 2,
    minimum: 1,
    maximum: 64,
    unit: "queries",
  }),
  "query.waitingScans": integer({
    doc: "Queries that may wait for that, tenants in turn; more are refused with 503, and so is what one tenant has waiting beyond half of them. Where all places are taken, the last of the tenant that has most makes room for one that has fewer.",
    fallback: 64,
    minimum: 0,
    maximum: 10_000,
    unit: "queries",
  }),
  "string.maxLength": integer({
    doc: "Longest string value; an annotation may allow less.",
    fallback: 65_536,
    minimum: 256,
    maximum: 16 * MIB,
    unit: "code points",
  }),
  "decimal.maxPrecision": integer({
    doc: "Most digits of a decimal, written without an exponent; an annotation may allow less.",
    fallback: 309,
    minimum: 1,
    maximum: 309,
    unit: "digits",
  }),
  "decimal.maxScale": integer({
    doc: "Most digits after the point of a decimal; an annotation may allow less.",
    fallback: 324,
    minimum: 0,
    maximum: 324,
    unit: "digits",
  }),
  "integer.minimum": integer({
    doc: "Least integer value; an annotation may ask for more.",
    fallback: Number.MIN_SAFE_INTEGER,
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: 0,
    unit: "",
  }),
  "integer.maximum": integer({
    doc: "Greatest integer value; an annotation may allow less.",
    fallback: Number.MAX_SAFE_INTEGER,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    unit: "",
  }),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
