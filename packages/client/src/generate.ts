/**
 * `@scim/client/generate`: TypeScript source of the resource types of a service. This file is the whole public surface.
 * @module
 */
export { typeSourceOf } from "./generate/type-source.ts";
