/**
 * The paths that belong to no single resource type: queries over all of them, `/Me` and `/Bulk`.
 * @module
 */
import type { ServedType } from "@scim/core";
import { RESOURCE_OPERATIONS } from "@scim/schemas";
import { refer, type Operation, type Paths, type Schema } from "./document-types.ts";
import { ANY_TYPE } from "./features.ts";
import { triedOut, triedOutOperations } from "./dry-run-operations.ts";
import { answerContent, needs, requestBody, type Describing } from "./operations.ts";
import { ANY_OBJECT } from "./message-members.ts";
import { headerRefs } from "./parameters.ts";
import {
  queryOperation,
  resourceOperations,
  searchOperation,
  type ItemOperations,
  type Queried,
  type Subject,
} from "./resource-operations.ts";
import { componentNames } from "./resource-schemas.ts";

/** Queries over all resource types (RFC 7644 §3.4.2.1). */
export function rootPaths(describing: Describing): Paths {
  const all: Queried = {
    operationId: (verb) => `root.${verb}`,
    tag: "All resources",
    plural: "resources of all types",
    page: refer("schemas", "Scim.List"),
  };
  return {
    "/": { get: queryOperation(all, describing) },
    "/.search": { post: searchOperation(all, describing) },
  };
}

/** `/Me` (RFC 7644 §3.11), where it is offered: the caller's own resource, with the operations of its type. */
export function mePaths(types: readonly ServedType[], describing: Describing): Paths {
  const { me } = describing.features;
  if (me === null) return {};
  const candidates = me === ANY_TYPE ? types : types.filter(({ name }) => name === me);
  const subject: Subject = {
    operationId: (verb) => `me.${verb}`,
    noun: "the caller's own resource",
    tag: "Me",
    answer: anyOf(candidates.map(({ name }) => componentNames(name).answer)),
    input: anyOf(candidates.map(({ name }) => componentNames(name).input)),
  };
  const offered = new Set(
    RESOURCE_OPERATIONS.filter((each) => candidates.some(({ operations }) => operations.has(each))),
  );
  const { errors } = describing;
  const atMe: Describing = {
    ...describing,
    errors: { ...errors, of: (errorCase) => errors.ofMe(errorCase) },
  };
  const operations = resourceOperations(subject, offered, atMe);
  const tried = triedOutOperations(subject, offered, atMe);
  const creating = creatingMe(describing);
  return {
    "/Me": { post: creating, ...eachLocated(operations) },
    ...(describing.features.dryRun && Object.keys(tried).length > 0
      ? { "/.dry-run/Me": { post: triedOut(creating), ...eachLocated(tried) } }
      : {}),
  };
}

function eachLocated(operations: ItemOperations): ItemOperations {
  return Object.fromEntries(
    Object.entries(operations).map(([method, operation]) => [method, located(operation)]),
  );
}

/** A schema that is one of some components; of none, that of any object. */
export function anyOf(components: readonly string[]): Schema {
  const [first, ...others] = components.map((name) => refer("schemas", name));
  if (first === undefined) return ANY_OBJECT;
  return others.length === 0 ? first : { anyOf: [first, ...others] };
}

/** Every answer tells the permanent address (RFC 7644 §3.11). */
function located(operation: Operation): Operation {
  const responses = Object.entries(operation.responses).map(
    ([status, response]) =>
      [
        status,
        "$ref" in response
          ? response
          : { ...response, headers: { ...response.headers, ...headerRefs("Location") } },
      ] as const,
  );
  return { ...operation, responses: Object.fromEntries(responses) };
}

/** Known to the RFC, so it is refused by 501 and not by 405. */
function creatingMe({ errors }: Describing): Operation {
  return {
    operationId: "me.create",
    tags: ["Me"],
    summary: "Not offered",
    description: "Resources are created at the address of their type.",
    responses: errors.ofMe("createMe"),
    security: needs("scim:write"),
  };
}

/** `/Bulk` (RFC 7644 §3.7), where it is offered. */
export function bulkPaths({ features, errors }: Describing): Paths {
  const { bulk } = features;
  if (bulk === null) return {};
  const { maxOperations, maxPayloadSize } = bulk;
  return {
    "/Bulk": {
      post: {
        operationId: "bulk",
        tags: ["Bulk"],
        summary: "Do many operations in one request",
        description: `At most ${maxOperations} operations and ${maxPayloadSize} bytes. The token needs the scope of each operation too.`,
        requestBody: requestBody(refer("schemas", "Scim.BulkRequest")),
        responses: {
          200: {
            description: "What became of each operation.",
            content: answerContent(refer("schemas", "Scim.BulkResponse")),
          },
          ...errors.of("bulk"),
        },
        security: needs("scim:bulk"),
      },
    },
  };
}
