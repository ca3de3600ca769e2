/**
 * The paths of a resource type, with the operations that it offers.
 * @module
 */
import type { ServedType } from "@scim/core";
import type { ResourceOperation } from "@scim/schemas";
import {
  refer,
  type Operation,
  type OperationMethod,
  type PathItem,
  type Paths,
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
import { componentNames } from "./resource-schemas.ts";

/** A resource that operations are about: of a type, or the caller's own. */
export interface Subject {
  readonly operationId: (verb: ResourceOperation | "search") => string;
  /** For summaries: `a User`. */
  readonly noun: string;
  readonly tag: string;
  readonly answer: Schema;
  readonly input: Schema;
}

/** Operations on one resource by method. */
export type ItemOperations = Readonly<Partial<Record<OperationMethod, Operation>>>;

/** The paths of a resource type; one without an operation is left out. */
export function typePaths(type: ServedType, describing: Describing): Paths {
  const names = componentNames(type.name);
  const subject: Subject = {
    operationId: (verb) => `${verb}${type.name}`,
    noun: `a ${type.name}`,
    tag: type.name,
    answer: refer("schemas", names.answer),
    input: refer("schemas", names.input),
  };
  const offers = (operation: ResourceOperation): boolean => type.operations.has(operation);
  const page = refer("schemas", names.page);
  return withoutEmpty({
    [type.endpoint]: {
      ...(offers("query") ? { get: queryOperation(subject, page, describing) } : {}),
      ...(offers("create") ? { post: createOperation(subject, describing) } : {}),
    },
    [`${type.endpoint}/.search`]: offers("query") ? { post: searchOperation(subject, page, describing) } : {},
    [`${type.endpoint}/{id}`]: itemOperations(subject, type.operations, describing),
    ...(describing.features.dryRun ? dryRunPaths(subject, type, describing) : {}),
  });
}

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

function itemOperations(
  subject: Subject,
  operations: ReadonlySet<ResourceOperation>,
  describing: Describing,
): PathItem {
  const item = resourceOperations(subject, operations, describing);
  return Object.keys(item).length === 0 ? item : { parameters: parameterRefs("id"), ...item };
}

function withoutEmpty(paths: Paths): Paths {
  return Object.fromEntries(Object.entries(paths).filter(([, item]) => Object.keys(item).length > 0));
}

function queryOperation(subject: Subject, page: Schema, { features, errors }: Describing): Operation {
  return {
    operationId: subject.operationId("query"),
    tags: [subject.tag],
    summary: `Query ${subject.tag} resources`,
    parameters: queryParameters(features),
    responses: { 200: pageAnswer(page), ...errors.of("query") },
    security: needs("scim:read"),
  };
}

function searchOperation(subject: Subject, page: Schema, { errors }: Describing): Operation {
  return {
    operationId: subject.operationId("search"),
    tags: [subject.tag],
    summary: `Query ${subject.tag} resources by a body`,
    description: "What is personal in a filter stays out of the address, and so out of logs on the way.",
    requestBody: requestBody(refer("schemas", "Scim.SearchRequest")),
    responses: { 200: pageAnswer(page), ...errors.of("search") },
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

function createOperation(subject: Subject, { features, errors }: Describing): Operation {
  return {
    operationId: subject.operationId("create"),
    tags: [subject.tag],
    summary: `Create ${subject.noun}`,
    parameters: [...PROJECTION, ...dryRunHeader(features.dryRun)],
    requestBody: requestBody(subject.input),
    responses: {
      ...(features.dryRun ? { 200: DRY_RUN_ANSWER } : {}),
      201: resourceAnswer("The resource was created.", subject.answer),
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
    description: "Attributes that are not sent lose their values. What is readOnly is ignored.",
    parameters: [
      ...PROJECTION,
      ...CHANGE_HEADERS,
      ...parameterRefs("If-None-Match"),
      ...dryRunHeader(features.dryRun),
    ],
    requestBody: requestBody(subject.input),
    responses: {
      200: changedAnswer("The resource as it is now.", subject, features.dryRun),
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

/** The same changes below `/.dry-run`, where a service that cannot try out answers 404 and writes nothing. */
function dryRunPaths(subject: Subject, type: ServedType, describing: Describing): Paths {
  const item = triedOutOperations(subject, type.operations, describing);
  return {
    [`/.dry-run${type.endpoint}`]: type.operations.has("create")
      ? { post: triedOut(createOperation(subject, describing)) }
      : {},
    [`/.dry-run${type.endpoint}/{id}`]:
      Object.keys(item).length === 0 ? item : { parameters: parameterRefs("id"), ...item },
  };
}

/** The changes of one resource as dry runs. */
export function triedOutOperations(
  subject: Subject,
  operations: ReadonlySet<ResourceOperation>,
  describing: Describing,
): ItemOperations {
  const { get: _read, ...changes } = resourceOperations(subject, operations, describing);
  return Object.fromEntries(
    Object.entries(changes).map(([method, operation]) => [method, triedOut(operation)]),
  );
}

/** An operation as a dry run: it answers one thing, or an error. */
export function triedOut(operation: Operation): Operation {
  const responses = Object.entries(operation.responses);
  const failures = responses.filter(([status]) => Number(status) >= 400);
  const canSucceed = failures.length < responses.length;
  return {
    ...operation,
    operationId: `dryRun.${operation.operationId}`,
    tags: ["Dry run"],
    summary: `${operation.summary}, tried out`,
    responses: { ...(canSucceed ? { 200: DRY_RUN_ANSWER } : {}), ...Object.fromEntries(failures) },
  };
}
