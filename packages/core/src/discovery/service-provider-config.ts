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
import { isHashed } from "../model/secrets.ts";
import { isInteropConformant } from "../profiles/profile.ts";
import { capabilitiesOf } from "../store/capabilities.ts";

/** Resources of a page that draft-zollner-scim-interop-profile-01 wants a client to get when it asks for so many. */
const INTEROP_PAGE = 100;

/**
 * The ServiceProviderConfig resource, without `meta`. It has one word for all resource types: what a type cannot do is
 * not offered.
 * @param asked names of attributes that the client asks for: of those returned on request it sees what it names
 */
export async function serviceProviderConfig(
  environment: Environment,
  context: RequestContext,
  asked: readonly string[],
): Promise<JsonObject> {
  const { limits, documentationUri, authenticationSchemes } = environment;
  const isPlain = context.profile.switches.has("plain-answers");
  const securityEvents = isPlain ? null : await environment.securityEvents(context);
  const types = environment.registry.resourceTypes();
  const offers = (capability: "versions" | "preview"): boolean =>
    types.every(({ name, rowsOf }) => capabilitiesOf(environment.store, rowsOf?.type ?? name)[capability]);
  const own = shownOf(
    { dryRun: { supported: offers("preview") }, versionCoversDerived: { supported: offers("versions") } },
    asked,
  );
  return {
    schemas: [SERVICE_PROVIDER_CONFIG_URN, ...(own === null ? [] : [SERVICE_PROVIDER_CONFIG_EXTENSION_URN])],
    ...(documentationUri === null ? {} : { documentationUri: uriFor(documentationUri, context) }),
    patch: { supported: true },
    bulk: {
      supported: true,
      maxOperations: limits.bulkOperations,
      maxPayloadSize: limits.bulkPayload,
    },
    filter: { supported: true, maxResults: limits.maxResults },
    changePassword: { supported: keepsSecrets(environment) },
    sort: { supported: true },
    etag: { supported: offers("versions") },
    ...(isPlain ? {} : { pagination: paginationOf(environment) }),
    // Requests are answered at once: none is completed by an event (RFC 9967 §2.5.1).
    ...(securityEvents === null
      ? {}
      : { securityEvents: { asyncRequest: "none", eventUris: [...securityEvents] } }),
    ...(!isPlain && isInteropConformant(context.profile) && limits.maxResults >= INTEROP_PAGE
      ? { interopProfileConformant: true }
      : {}),
    authenticationSchemes: authenticationSchemes.map((scheme) => ({ ...scheme })),
    ...(own === null ? {} : { [SERVICE_PROVIDER_CONFIG_EXTENSION_URN]: own }),
  };
}

/** Whether secrets are kept, of every type that has one: a password is one of them, told by the schema and not by name. */
function keepsSecrets({ secrets, catalog, store }: Environment): boolean {
  const holders = catalog.models().filter((model) => model.rows === null && model.secrets.some(isHashed));
  return (
    secrets !== null && holders.length > 0 && holders.every(({ name }) => capabilitiesOf(store, name).secrets)
  );
}

/** How pages are offered (RFC 9865 §4). */
function paginationOf({ limits, cursorSeal }: Environment): JsonObject {
  return {
    cursor: cursorSeal !== null,
    index: true,
    defaultPaginationMethod: "index",
    defaultPageSize: limits.pageSize,
    maxPageSize: limits.maxResults,
    ...(cursorSeal === null ? {} : { cursorTimeout: limits.cursorTimeout }),
  };
}

/** The members of our extension that are asked for, by the name of the extension or their own; null where none is. */
function shownOf(own: JsonObject, asked: readonly string[]): JsonObject | null {
  const names = asked.map((name) => name.toLowerCase());
  const urn = SERVICE_PROVIDER_CONFIG_EXTENSION_URN.toLowerCase();
  const isAsked = (member: string): boolean => {
    const path = `${urn}:${member.toLowerCase()}`;
    return names.some((name) => name === urn || name === path || name.startsWith(`${path}.`));
  };
  const shown = Object.entries(own).filter(([member]) => isAsked(member));
  return shown.length === 0 ? null : Object.fromEntries(shown);
}

function uriFor(uri: DocumentationUri, context: RequestContext): string {
  return typeof uri === "function" ? uri(context) : uri;
}
