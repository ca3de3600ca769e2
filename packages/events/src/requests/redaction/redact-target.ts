/**
 * Redacts the address of a request: endpoints, ids and parameters of the protocol stay, filters lose their literals.
 * @module
 */
import type { ModelCatalog, ResourceModel } from "@scim/core";
import { redactFilter, redactNames } from "./redact-filter.ts";
import type { Redaction } from "./redaction.ts";
import { shownName } from "./redact-value.ts";

/** An address taken apart. */
export interface ReadTarget {
  /** The redacted address, percent-encoded as far as it must be. */
  readonly text: string;
  /** The resource type that it names, and the id, which is not redacted; null for none. */
  readonly model: ResourceModel | null;
  readonly id: string | null;
}

const PROTOCOL_SEGMENTS: ReadonlySet<string> = new Set(
  ".dry-run .search Bulk Me Schemas ResourceTypes ServiceProviderConfig Diagnostics ReferentialConsistency".split(
    " ",
  ),
);

/** Segments of a path, and parameters of a query, that are shown. */
const MOST_PARTS = 50;

/** Redacts path and query below the mount. */
export function redactTarget(redaction: Redaction, target: string, catalog: ModelCatalog): ReadTarget {
  const mark = target.indexOf("?");
  const segments = (mark === -1 ? target : target.slice(0, mark))
    .split("/", MOST_PARTS + 1)
    .slice(1)
    .map(decoded);
  const endpoints = new Map(catalog.definitions().map(({ endpoint, name }) => [endpoint, name]));
  const at = segments.findIndex((segment) => endpoints.has(`/${segment}`));
  const type = endpoints.get(`/${segments[at] ?? ""}`);
  const model = type === undefined ? null : catalog.model(type);
  const last = segments[at + 1];
  const id = model === null || last === undefined || last === "" || last === ".search" ? null : last;
  const path = segments.map((segment, index) => {
    const isKnown = index === at || segment === "" || PROTOCOL_SEGMENTS.has(segment);
    return isKnown ? segment : encodeURIComponent(redaction.name(segment));
  });
  const models = (): readonly ResourceModel[] => (model === null ? catalog.models() : [model]);
  const query = mark === -1 ? "" : `?${redactQuery({ redaction, models }, target.slice(mark + 1))}`;
  return { text: `/${path.join("/")}${query}`, model, id };
}

/** The resource type that is served at one of some endpoints, the first that there is; null for none. */
export function modelAt(catalog: ModelCatalog, isOne: (endpoint: string) => boolean): ResourceModel | null {
  const found = catalog.definitions().find(({ endpoint }) => isOne(endpoint));
  return found === undefined ? null : catalog.model(found.name);
}

interface QueryReading {
  readonly redaction: Redaction;
  /** The resource types that the query looks through. */
  readonly models: () => readonly ResourceModel[];
}

function redactQuery(reading: QueryReading, query: string): string {
  return query
    .split("&", MOST_PARTS)
    .map((pair) => {
      const equals = pair.indexOf("=");
      const name = decoded(equals === -1 ? pair : pair.slice(0, equals));
      const value = equals === -1 ? "" : decoded(pair.slice(equals + 1).replaceAll("+", " "));
      return `${encodeURIComponent(shownName(reading.redaction, name))}=${encodeURIComponent(
        parameter(reading, name, value),
      )}`;
    })
    .join("&");
}

function parameter({ redaction, models }: QueryReading, name: string, value: string): string {
  switch (name.toLowerCase()) {
    case "filter":
      return redactFilter(redaction, value, models());
    case "attributes":
    case "excludedattributes":
    case "sortby":
      return redactNames(redaction, value);
    case "startindex":
    case "count":
    case "sortorder":
    case "tenantid":
      return redaction.name(value);
    default:
      return redaction.personal(value);
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
