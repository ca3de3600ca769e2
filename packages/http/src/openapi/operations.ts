/**
 * What the operations of a document have in common: bodies, answers and scopes.
 * @module
 */
import type { Scope } from "@scim/core";
import {
  refer,
  type Content,
  type Operation,
  type RequestBody,
  type Response,
  type Schema,
} from "./document-types.ts";
import type { ErrorResponses } from "./errors-by-operation.ts";
import type { OpenApiFeatures } from "./features.ts";
import { headerRefs } from "./parameters.ts";

/** What describes an operation. */
export interface Describing {
  readonly features: OpenApiFeatures;
  readonly errors: ErrorResponses;
}

const SCIM = "application/scim+json";

/** What an answer holds: `application/scim+json`, always. */
export function answerContent(schema: Schema): Content {
  return { [SCIM]: { schema } };
}

/** A body that a request must have, in either media type. */
export function requestBody(schema: Schema): RequestBody {
  return { required: true, content: { [SCIM]: { schema }, "application/json": { schema } } };
}

/** The scope that the token needs; `scim` stands for all of them. */
export function needs(scope: Scope): Operation["security"] {
  return [{ bearer: [scope] }];
}

/** An answer with a resource, its address and its version. */
export function resourceAnswer(description: string, schema: Schema): Response {
  return { description, headers: headerRefs("ETag", "Location"), content: answerContent(schema) };
}

/** An answer with a page of resources. */
export function pageAnswer(schema: Schema): Response {
  return {
    description: "A page of the resources that match.",
    headers: headerRefs("SCIM-Filter-Plan"),
    content: answerContent(schema),
  };
}

/** The client's copy is current. */
export const NOT_MODIFIED: Response = {
  description: "The client's copy is current.",
  headers: headerRefs("ETag"),
};

/** What a dry run answers. */
export const DRY_RUN_ANSWER: Response = {
  description: "What the change would come to. Nothing was written.",
  headers: headerRefs("SCIM-Dry-Run"),
  content: answerContent(refer("schemas", "Scim.DryRunResponse")),
};
