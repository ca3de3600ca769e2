/**
 * What a document depends on beside the resource types: read from what the service says of itself.
 * @module
 */
import type { RequestContext, ScimService } from "@scim/core";
import {
  isJsonObject,
  isScimError,
  SERVICE_PROVIDER_CONFIG_EXTENSION_URN,
  type JsonObject,
} from "@scim/schemas";

/** Switchable parts of a service, and the numbers that a client should know. */
export interface OpenApiFeatures {
  /** The limits of `/Bulk`; null where it is not offered. */
  readonly bulk: { readonly maxOperations: number; readonly maxPayloadSize: number } | null;
  /** Whether pages can be asked for by cursor (RFC 9865). */
  readonly cursor: boolean;
  /** Whether changes can be tried out. */
  readonly dryRun: boolean;
  /** Resources on a page where a query gives no count; null where the service does not tell. */
  readonly pageSize: number | null;
  /** Most resources of one answer; null where the service does not tell. */
  readonly maxResults: number | null;
  /**
   * Whether `/Me` is offered: the name of the resource type that the caller is, `*` for a caller that is no
   * resource, null where `/Me` is switched off.
   */
  readonly me: string | null;
  /** Whether a canonical value is the only kind that a request may give. */
  readonly canonicalValuesOnly: boolean;
  /** Whether a change must state the version that it is made for. */
  readonly versionRequired: boolean;
}

/** Stands for a caller that is no resource. No resource type can have this name. */
export const ANY_TYPE = "*";

/** Reads the features of a service as a caller sees them. */
export async function featuresOf(service: ScimService, context: RequestContext): Promise<OpenApiFeatures> {
  const config = await configOf(service, context);
  const bulk = objectAt(config, "bulk");
  const pagination = objectAt(config, "pagination");
  return {
    bulk:
      bulk["supported"] === true
        ? {
            maxOperations: numberAt(bulk, "maxOperations") ?? 0,
            maxPayloadSize: numberAt(bulk, "maxPayloadSize") ?? 0,
          }
        : null,
    cursor: pagination["cursor"] === true,
    dryRun: objectAt(objectAt(config, SERVICE_PROVIDER_CONFIG_EXTENSION_URN), "dryRun")["supported"] === true,
    pageSize: numberAt(pagination, "defaultPageSize"),
    maxResults: numberAt(objectAt(config, "filter"), "maxResults"),
    me: meOf(service, context),
    canonicalValuesOnly: !context.profile.switches.has("non-canonical-values"),
    versionRequired: context.profile.switches.has("require-version"),
  };
}

async function configOf(service: ScimService, context: RequestContext): Promise<JsonObject> {
  const answer = await service.serviceProviderConfig(context, {
    ifMatch: null,
    ifNoneMatch: null,
    attributes: [SERVICE_PROVIDER_CONFIG_EXTENSION_URN],
  });
  return answer.kind === "resource" ? answer.resource : {};
}

function meOf(service: ScimService, context: RequestContext): string | null {
  try {
    return service.me(context).type;
  } catch (error) {
    if (!isScimError(error)) throw error;
    return error.code === "notImplemented" ? null : ANY_TYPE;
  }
}

function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return value !== undefined && isJsonObject(value) ? value : {};
}

function numberAt(object: JsonObject, name: string): number | null {
  const value = object[name];
  return typeof value === "number" ? value : null;
}
