/**
 * `@scim/mcp`: tools for agents over any SCIM service, and the same as methods of JSON-RPC 2.0. This file is the whole
 * public surface.
 * @module
 */
export {
  createScimTools,
  type ScimTools,
  type ScimToolsOptions,
  type ToolCallOptions,
  unknownTools,
} from "./scim-tools.ts";
export type { ToolAccess } from "./access.ts";
export { DEFAULT_SHOWN, MASK, type MaskingPolicy } from "./masking.ts";
export type { ToolResourceType } from "./resource-types.ts";
export {
  answerRpc,
  batchTooLong,
  MOST_IN_BATCH,
  readRpc,
  requestsIn,
  rpcError,
  type ReadJson,
} from "./rpc.ts";
export {
  RPC_CODES,
  scimToolError,
  ToolError,
  toolErrorOf,
  type RpcCode,
  type ToolErrorData,
} from "./tool-error.ts";
export type {
  InputSchema,
  OutputSchema,
  ToolAnnotations,
  ToolDescription,
  ToolDiscovery,
  ValueSchema,
} from "./tool.ts";
