/**
 * `@scim/http/fetch`: SCIM as a function from `Request` to `Response`. This file is the whole public surface.
 * @module
 */
export { createFetchHandler, type FetchHandler, type FetchHandlerOptions } from "./fetch-handler.ts";
