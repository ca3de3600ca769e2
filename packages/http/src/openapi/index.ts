/**
 * `@scim/http/openapi`: the OpenAPI 3.1 document of a service, and the address that serves it. Apart from
 * `@scim/http`, so that a server loads it on first use. This file is the whole public surface.
 * @module
 */
export { openApiDocument, type OpenApiSource } from "./document.ts";
export type {
  Content,
  Header,
  OpenApiDocument,
  Operation,
  OperationMethod,
  Parameter,
  PathItem,
  Paths,
  Reference,
  RequestBody,
  Response,
  Responses,
  Schema,
} from "./document-types.ts";
export { createOpenApiHandler, type DescribedService, type OpenApiHandlerOptions } from "./endpoint.ts";
export { featuresOf, type OpenApiFeatures } from "./features.ts";
