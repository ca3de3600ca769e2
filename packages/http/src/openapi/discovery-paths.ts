/**
 * The addresses of discovery (RFC 7644 §4).
 * @module
 */
import { refer, type Operation, type PathItem, type Paths } from "./document-types.ts";
import { needs, NOT_MODIFIED, pageAnswer, resourceAnswer, type Describing } from "./operations.ts";
import { parameterRefs } from "./parameters.ts";

/** A kind of discovery resource that is listed. */
interface Kind {
  /** The component of the resource; behind it stands `.List` for that of a page. */
  readonly component: string;
  readonly endpoint: string;
  /** For operation ids and summaries. */
  readonly singular: string;
  readonly plural: string;
}

const KINDS: readonly Kind[] = [
  {
    component: "Scim.ResourceType",
    endpoint: "/ResourceTypes",
    singular: "resourceType",
    plural: "resourceTypes",
  },
  { component: "Scim.Schema", endpoint: "/Schemas", singular: "schema", plural: "schemas" },
];

/** The paths of discovery: what the service can do, its resource types and its schemas. */
export function discoveryPaths(describing: Describing): Paths {
  const entries = KINDS.flatMap((kind): readonly [string, PathItem][] => [
    [kind.endpoint, { get: listOperation(kind, describing) }],
    [`${kind.endpoint}/{id}`, { parameters: parameterRefs("id"), get: readOperation(kind, describing) }],
  ]);
  return { "/ServiceProviderConfig": { get: configOperation(describing) }, ...Object.fromEntries(entries) };
}

function configOperation({ errors }: Describing): Operation {
  const { 404: _none, ...failures } = errors.of("discoveryItem");
  return {
    operationId: "discovery.serviceProviderConfig",
    tags: ["Discovery"],
    summary: "Read what the service can do",
    parameters: parameterRefs("If-None-Match"),
    responses: {
      200: resourceAnswer("The capabilities.", refer("schemas", "Scim.ServiceProviderConfig")),
      304: NOT_MODIFIED,
      ...failures,
    },
    security: needs("scim:read"),
  };
}

function listOperation({ component, plural }: Kind, { errors }: Describing): Operation {
  return {
    operationId: `discovery.${plural}`,
    tags: ["Discovery"],
    summary: `Read all ${words(plural)}`,
    description: "All of them in one page; a filter is refused by 403.",
    responses: { 200: pageAnswer(refer("schemas", `${component}.List`)), ...errors.of("discoveryList") },
    security: needs("scim:read"),
  };
}

function readOperation({ component, singular }: Kind, { errors }: Describing): Operation {
  return {
    operationId: `discovery.${singular}`,
    tags: ["Discovery"],
    summary: `Read a ${words(singular)}`,
    parameters: parameterRefs("If-None-Match"),
    responses: {
      200: resourceAnswer(`The ${words(singular)}.`, refer("schemas", component)),
      304: NOT_MODIFIED,
      ...errors.of("discoveryItem"),
    },
    security: needs("scim:read"),
  };
}

/** `resourceType` → `resource type`. */
function words(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
