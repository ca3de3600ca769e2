/**
 * What the service can do (RFC 7643 §5): what is true, and nothing else.
 * @module
 */
import {
  SERVICE_PROVIDER_CONFIG_EXTENSION_URN,
  SERVICE_PROVIDER_CONFIG_URN,
  type JsonObject,
} from "@scim/schemas";
import type { RequestContext } from "../context.ts";
import type { DocumentationUri, Environment } from "../environment.ts";
import { isInteropConformant } from "../profiles/profile.ts";
import { capabilitiesOf } from "../store/capabilities.ts";

/** Resources of a page that draft-zollner-scim-interop-profile-01 wants a client to get when it asks for so many. */
const INTEROP_PAGE = 100;

/**
 * The ServiceProviderConfig resource, without `meta`. It has one word for all resource types: what a type cannot do is
 * not offered.
 */
export function serviceProviderConfig(environment: Environment, context: RequestContext): JsonObject {
  const { limits, cursorSeal, documentationUri, authenticationSchemes, securityEvents } = environment;
  const types = environment.registry.resourceTypes();
  const offers = (capability: "versions" | "preview"): boolean =>
    types.every(({ name, rowsOf }) => capabilitiesOf(environment.store, rowsOf?.type ?? name)[capability]);
  return {
    schemas: [SERVICE_PROVIDER_CONFIG_URN, SERVICE_PROVIDER_CONFIG_EXTENSION_URN],
    ...(documentationUri === null ? {} : { documentationUri: uriFor(documentationUri, context) }),
    patch: { supported: true },
    bulk: {
      supported: true,
      maxOperations: limits.bulkOperations,
      maxPayloadSize: limits.bulkPayload,
    },
    filter: { supported: true, maxResults: limits.maxResults },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: offers("versions") },
    pagination: {
      cursor: cursorSeal !== null,
      index: true,
      defaultPaginationMethod: "index",
      defaultPageSize: limits.pageSize,
      maxPageSize: limits.maxResults,
      ...(cursorSeal === null ? {} : { cursorTimeout: limits.cursorTimeout }),
    },
    // Requests are answered at once: none is completed by an event (RFC 9967 §2.5.1).
    ...(securityEvents === null
      ? {}
      : { securityEvents: { asyncRequest: "none", eventUris: [...securityEvents] } }),
    ...(isInteropConformant(context.profile) && limits.maxResults >= INTEROP_PAGE
      ? { interopProfileConformant: true }
      : {}),
    authenticationSchemes: authenticationSchemes.map((scheme) => ({ ...scheme })),
    [SERVICE_PROVIDER_CONFIG_EXTENSION_URN]: {
      dryRun: { supported: offers("preview") },
      versionCoversDerived: { supported: offers("versions") },
    },
  };
}

function uriFor(uri: DocumentationUri, context: RequestContext): string {
  return typeof uri === "function" ? uri(context) : uri;
}
