/**
 * The services that answer: that of most tenants, and those of tenants who have something of their own.
 * @module
 */
import { createScimService, type OperatorService, type ResourceHooks } from "@scim/core";
import { familyOf, SECURITY_EVENT_URIS } from "@scim/events";
import { DOCS_PATH } from "../http/docs-page.ts";
import { publicUrlBelow } from "../http/mount.ts";
import { SOURCES } from "../sources.ts";
import type { Tracing } from "../tracing/tracing.ts";
import { guardHooks } from "./guard.ts";
import { servedTenants, type ServedTenants } from "./served-tenants.ts";
import type { NoticingParts } from "./server-parts.ts";
import { serviceLimits } from "./service-limits.ts";

/** What serves tenants: the service of most, and the services of those who have something of their own. */
export interface Serving extends ServedTenants {
  readonly service: OperatorService;
}

/** Makes the services, guarded and traced, and keeps their indexes. */
export function createServices(parts: NoticingParts, tracing: Tracing): Serving {
  const { settings, opened, registries } = parts;
  const hooksOf = guardHooks(parts);
  const wrap = (service: OperatorService): OperatorService => tracing.service(service);
  const service = wrap(createService(parts, tracing, hooksOf(registries.shared)));
  opened.store.indexes.maintain(opened.rules.indexesOf);
  const { rules, store } = opened;
  return {
    service,
    ...servedTenants({ settings, rules, service, secrets: store.secrets, hooksOf, wrap }),
  };
}

function createService(
  { settings, opened, registries }: NoticingParts,
  tracing: Tracing,
  hooks: Readonly<Record<string, ResourceHooks>>,
): OperatorService {
  return createScimService({
    registry: registries.shared,
    schemaRevision: 0,
    hooks,
    store: tracing.store(opened.store.resources),
    sources: SOURCES,
    cursorSeal: opened.cursorSeal,
    // There are clients that refuse a configuration with members that they do not know: where nobody is told, none is.
    securityEvents: async ({ tenant }) => {
      const receivers = await opened.store.receivers.list(tenant);
      return receivers.some(({ kind }) => familyOf(kind) === "stream") ? SECURITY_EVENT_URIS : null;
    },
    limits: serviceLimits(settings),
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "OAuth Bearer Token",
        description: "A token in the Authorization header, as RFC 6750 describes.",
        specUri: "https://www.rfc-editor.org/info/rfc6750",
        primary: true,
      },
      {
        type: "oauth2",
        name: "OAuth 2.0 client credentials",
        description:
          "An access token that a client gets from /oauth2/token, with a secret or a JWT assertion (RFC 6749 §4.4, RFC 7523 §2.2).",
        specUri: "https://www.rfc-editor.org/info/rfc6749",
      },
    ],
    documentationUri:
      settings.documentationUri ??
      (({ baseUrl }) => `${publicUrlBelow(baseUrl, settings.mounts ?? [])}${DOCS_PATH}`),
  });
}
