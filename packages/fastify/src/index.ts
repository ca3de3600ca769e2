/**
 * `@scim/fastify`: a Fastify plugin that serves SCIM. This file is the whole public surface.
 * @module
 */
export { scimPlugin, type ScimPluginOptions } from "./plugin.ts";
