/**
 * Operations on resources: of a type, of the caller's own, or, for queries, of all types.
 * @module
 */
import type { ResourceOperation } from "@scim/schemas";
import {
  refer,
  type Operation,
  type OperationMethod,
  type Reference,
  type Response,
  type Schema,
} from "./document-types.ts";
import {
  answerContent,
  DRY_RUN_ANSWER,
  needs,
  NOT_MODIFIED,
  pageAnswer,
  requestBody,
  resourceAnswer,
  type Describing,
} from "./operations.ts";
import { CHANGE_HEADERS, headerRefs, parameterRefs, PROJECTION, queryParameters } from "./parameters.ts";

/** Resources that are queried. */
export interface Queried {
  readonly operationId: (verb: ResourceOperation | "search") => string;
  readonly tag: string;
  /** For summaries: `User resources`. */
  readonly plural: string;
  readonly page: Schema;
}

/** A resource that operations are about. */
export interface Subject extends Pick<Queried, "operationId" | "tag"> {
  /** For summaries: `a User`. */
  readonly noun: string;
  readonly answer: Schema;
  readonly input: Schema;
}

/** Operations on one resource by method. */
export type ItemOperations = Readonly<Partial<Record<OperationMethod, Operation>>>;

/** The operations on one resource, without its `id` parameter. */
export function resourceOperations(
  subject: Subject,
  operations: ReadonlySet<ResourceOperation>,
  describing: Describing,
): ItemOperations {
  return {
    ...(operations.has("read") ? { get: readOperation(subject, describing) } : {}),
    ...(operations.has("replace") ? { put: replaceOperation(subject, describing) } : {}),
    ...(operations.has("patch") ? { patch: patchOperation(subject, describing) } : {}),
    ...(operations.has("delete") ? { delete: deleteOperation(subject, describing) } : {}),
  };
}

/** A query by parameters in the address. */
export function queryOperation(queried: Queried, { features, errors }: Describing): Operation {
  return {
    operationId: queried.operationId("query"),
    tags: [queried.tag],
    summary: `Query ${queried.plural}`,
    parameters: queryParameters(features),
    responses: { 200: pageAnswer(queried.page), ...errors.of("query") },
    security: needs("scim:read"),
  };
}

/** A query by a SearchRequest. */
export function searchOperation(queried: Queried, { errors }: Describing): Operation {
  return {
    operationId: queried.operationId("search"),
    tags: [queried.tag],
    summary: `Query ${queried.plural} by a body`,
    description: "What is personal in a filter stays out of the address, and so out of logs on the way.",
    requestBody: requestBody(refer("schemas", "Scim.SearchRequest")),
    responses: { 200: pageAnswer(queried.page), ...errors.of("search") },
    security: needs("scim:read"),
  };
}

function readOperation(subject: Subject, { errors }: Describing): Operation {
  return {
    operationId: subject.operationId("read"),
    tags: [subject.tag],
    summary: `Read ${subject.noun}`,
    parameters: [...PROJECTION, ...parameterRefs("If-None-Match")],
    responses: {
      200: resourceAnswer("The resource.", subject.answer),
      304: NOT_MODIFIED,
      ...errors.of("read"),
    },
    security: needs("scim:read"),
  };
}

/** A POST. */
export function createOperation(subject: Subject, { features, errors }: Describing): Operation {
  return {
    operationId: subject.operationId("create"),
    tags: [subject.tag],
    summary: `Create ${subject.noun}`,
    parameters: [...PROJECTION, ...dryRunHeader(features.dryRun)],
    requestBody: requestBody(subject.input),
    responses: {
      ...(features.dryRun ? { 200: DRY_RUN_ANSWER } : {}),
      201: resourceAnswer(
        "The resource was created. Without a body where it cannot be read behind the change; it is at `Location`.",
        subject.answer,
      ),
      ...errors.of("create"),
    },
    security: needs("scim:write"),
  };
}

function replaceOperation(subject: Subject, { features, errors }: Describing): Operation {
  return {
    operationId: subject.operationId("replace"),
    tags: [subject.tag],
    summary: `Replace ${subject.noun}`,
    description:
      "Attributes that are not sent lose their values. What is readOnly, or immutable and has a value, stays: leave " +
      "it out, or send it as it is.",
    parameters: [
      ...PROJECTION,
      ...CHANGE_HEADERS,
      ...parameterRefs("If-None-Match"),
      ...dryRunHeader(features.dryRun),
    ],
    requestBody: requestBody(subject.input),
    responses: {
      200: changedAnswer("The resource as it is now.", subject, features.dryRun),
      204: {
        description: "The change is made; the resource cannot be read behind it, and is at `Location`.",
        headers: headerRefs("ETag", "Location"),
      },
      ...errors.of("replace"),
    },
    security: needs("scim:write"),
  };
}

function patchOperation(subject: Subject, { features, errors }: Describing): Operation {
  const changed = changedAnswer("The resource as it is now.", subject, features.dryRun);
  return {
    operationId: subject.operationId("patch"),
    tags: [subject.tag],
    summary: `Change ${subject.noun}`,
    parameters: [
      ...PROJECTION,
      ...CHANGE_HEADERS,
      ...parameterRefs("Prefer"),
      ...dryRunHeader(features.dryRun),
    ],
    requestBody: requestBody(refer("schemas", "Scim.PatchOp")),
    responses: {
      200: { ...changed, headers: { ...changed.headers, ...headerRefs("Preference-Applied") } },
      204: {
        description: "The change is made; the resource was not asked for, or is too large to be sent along.",
        headers: headerRefs("ETag", "Location", "Preference-Applied"),
      },
      ...errors.of("patch"),
    },
    security: needs("scim:write"),
  };
}

function deleteOperation(subject: Subject, { features, errors }: Describing): Operation {
  return {
    operationId: subject.operationId("delete"),
    tags: [subject.tag],
    summary: `Delete ${subject.noun}`,
    parameters: [...CHANGE_HEADERS, ...dryRunHeader(features.dryRun)],
    responses: {
      ...(features.dryRun ? { 200: DRY_RUN_ANSWER } : {}),
      204: { description: "The resource is gone." },
      ...errors.of("delete"),
    },
    security: needs("scim:delete"),
  };
}

/** The resource, or what a dry run tells in its place. */
function changedAnswer(description: string, subject: Subject, dryRun: boolean): Response {
  if (!dryRun) return resourceAnswer(description, subject.answer);
  return {
    description: `${description} With \`SCIM-Dry-Run: true\`, what it would be.`,
    headers: headerRefs("ETag", "Location", "SCIM-Dry-Run"),
    content: answerContent({ anyOf: [subject.answer, refer("schemas", "Scim.DryRunResponse")] }),
  };
}

function dryRunHeader(offered: boolean): readonly Reference[] {
  return offered ? parameterRefs("SCIM-Dry-Run") : [];
}
