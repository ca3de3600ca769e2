/**
 * What answers requests of each kind: SCIM, its description, and the tools for agents.
 * @module
 */
import type { Authenticator } from "@scim/core";
import { createScimHandler, type RequestRecord, type ScimHandler } from "@scim/http";
import { createBodyThreads } from "@scim/http/node";
import type { Callers } from "../credentials/callers.ts";
import { publicUrlBelow } from "../http/mount.ts";
import { openApiOnDemand } from "../http/open-api.ts";
import { TOKEN_PATH } from "../oauth/oauth-routes.ts";
import { resourceMetadataOf } from "../oauth/resource-metadata.ts";
import type { RunningRequestLog } from "../requests/request-log.ts";
import type { ToolRoutesOptions } from "../tools/tool-routes.ts";
import type { Tracing } from "../tracing/tracing.ts";
import type { Serving } from "./create-services.ts";
import { openDiscovery } from "./open-discovery.ts";
import type { ServerParts } from "./server-parts.ts";

/** Who is asked, and told, about each request. */
export interface AnsweringParts {
  readonly served: Serving;
  readonly callers: Pick<Callers, "authenticate" | "limiter">;
  readonly tracing: Tracing;
  readonly onRequestDone: (record: RequestRecord) => void;
  readonly onExchange: RunningRequestLog["onExchange"];
}

/** What answers. */
export interface Handlers {
  readonly handler: ScimHandler;
  /** Answers `/openapi.json`. */
  readonly openApi: ScimHandler;
  readonly tools: Omit<ToolRoutesOptions, "publicUrl"> | null;
}

/** Makes what answers. */
export function createHandlers(
  { settings, registries, opened }: ServerParts,
  parts: AnsweringParts,
): Handlers {
  const { served, tracing, onRequestDone, onExchange } = parts;
  const { authenticate, limiter } = parts.callers;
  const mounts = settings.mounts ?? [];
  const answering = {
    service: served.serviceOf,
    limits: {
      bodyBytes: settings["body.maxBytes"],
      collectionBodyBytes: settings["body.maxCollectionBytes"],
      bulkBodyBytes: settings["bulk.maxPayloadSize"],
      streamDuration: settings["client.answerTimeout"],
    },
  };
  const told = { ...answering, authenticate, onRequestDone, onExchange };
  const handler = createScimHandler({
    ...told,
    limiter,
    openDiscovery: openDiscovery(settings, opened),
    longBodies: createBodyThreads({ patience: settings["client.requestTimeout"] / 2 }),
    resourceMetadata: (baseUrl) => resourceMetadataOf(baseUrl, mounts),
  });
  const tools = {
    settings,
    served,
    authenticate,
    limiter,
    tracing,
    onRequestDone,
    onExchange,
    // The calls are counted where they come in.
    handler: tracing.within(createScimHandler(told)),
    quietHandler: (known: Authenticator) => createScimHandler({ ...answering, authenticate: known }),
  };
  const openApi = openApiOnDemand({
    service: served.service,
    registry: registries.shared,
    describedFor: served.of,
    authenticate,
    tokenUrl: (baseUrl) => `${publicUrlBelow(baseUrl, mounts)}${TOKEN_PATH}`,
    limiter,
    onRequestDone,
  });
  return { handler: tracing.handler(handler), openApi, tools: settings.tools === "off" ? null : tools };
}
