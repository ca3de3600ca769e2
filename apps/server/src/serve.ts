/**
 * The server: everything wired, started and stopped.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { createScimService, type Authenticator, type OperatorService, type ResourceHooks } from "@scim/core";
import { SECURITY_EVENT_URIS } from "@scim/events";
import { createScimHandler } from "@scim/http";
import { createBodyThreads } from "@scim/http/node";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { administrationRoutes } from "./admin/administration.ts";
import { auditRoutes } from "./admin/audit.ts";
import { changeRoutes } from "./admin/changes.ts";
import { guardRoutes } from "./admin/guard.ts";
import { requestRoutes } from "./admin/requests.ts";
import { schemaRoutes } from "./admin/schemas.ts";
import { subjectRoutes } from "./admin/subjects.ts";
import { createCallers } from "./credentials/callers.ts";
import { expiryNotice } from "./credentials/expiry-notice.ts";
import { createDelivery } from "./delivery/delivery.ts";
import { copiesBeside } from "./erasure/copies-beside.ts";
import { deletingIn, erasingFor } from "./erasure/erasing.ts";
import { startPositioning } from "./event-positions.ts";
import { startEventUpkeep } from "./event-upkeep.ts";
import { CommandFailure, EXIT } from "./failure.ts";
import { guardHooks } from "./guard.ts";
import { createApp } from "./http/create-app.ts";
import { DOCS_PATH } from "./http/docs-page.ts";
import type { PeerReports } from "./metrics/metrics.ts";
import { startObserving } from "./observing.ts";
import { publicUrlBelow } from "./http/mount.ts";
import { openApiOnDemand } from "./http/open-api.ts";
import { originOf } from "./http/public-url.ts";
import { createIssuerReader, createJwtCheck, createServerTokenEndpoint } from "./oauth/create-oauth.ts";
import { createNotices, type Notices } from "./notices/notices.ts";
import { TOKEN_PATH } from "./oauth/oauth-routes.ts";
import { resourceMetadataOf } from "./oauth/resource-metadata.ts";
import type { OpenedStore } from "./open-store.ts";
import { startRequestLog } from "./request-log.ts";
import { createPurgeCounts } from "./purge-counts.ts";
import { keptFor, serviceRetention } from "./retention.ts";
import { caseOfEntry, openCases } from "./requests/case-of-entry.ts";
import type { ServiceRegistries } from "./schema-registry.ts";
import { servedTenants, type ServedTenants } from "./served-tenants.ts";
import { serviceLimits } from "./service-limits.ts";
import { SOURCES } from "./sources.ts";
import type { Settings } from "./settings/table.ts";
import { startTracing, type Tracing } from "./tracing/tracing.ts";
import { startTombstonePurge } from "./tombstones.ts";

/** A server that listens. */
export interface RunningServer {
  /** Base address of SCIM: `http://127.0.0.1:8080/scim/v2`. */
  readonly baseUrl: string;
  /** The port that it listens on. */
  readonly port: number;
  /** Is not ready any more; after `stop.delay` takes no more connections, finishes the requests under way, and closes the store. */
  stop(): Promise<void>;
}

/** What a server is made of. */
export interface ServerParts {
  readonly settings: Settings;
  readonly log: Logger;
  readonly registries: ServiceRegistries;
  /** The store; it is closed when the server stops, and where it does not start. */
  readonly opened: OpenedStore;
  /** Where other processes serve the same port: what all of them have counted. Default: this process is alone. */
  readonly peers?: PeerReports | undefined;
}

/**
 * Starts a server.
 * @throws CommandFailure where the port cannot be used
 */
export async function startServer(parts: ServerParts): Promise<RunningServer> {
  try {
    const tracing = await startTracing(parts.settings, (error) =>
      parts.log.warn({ err: error }, "the last traces could not be sent"),
    );
    const notices = createNotices({ log: parts.log, trail: parts.opened.store.trail, now: Date.now });
    const noticing = { ...parts, notices };
    return await listen(noticing, tracing, servedBy(noticing, tracing));
  } catch (error) {
    await parts.opened.store.close();
    throw error;
  }
}

/** What a server is made of, and where it tells what happens beside the requests. */
interface NoticingParts extends ServerParts {
  readonly notices: Notices;
}

/** What serves tenants: the service of most, and the services of those who have something of their own. */
interface Serving extends ServedTenants {
  readonly service: OperatorService;
}

function servedBy(parts: NoticingParts, tracing: Tracing): Serving {
  const { settings, opened, registries } = parts;
  const hooksOf = guardHooks(parts);
  const wrap = (service: OperatorService): OperatorService => tracing.service(service);
  const service = wrap(createService(parts, tracing, hooksOf(registries.shared)));
  opened.store.indexes.maintain(opened.rules.indexesOf);
  return { service, ...servedTenants({ settings, rules: opened.rules, service, hooksOf, wrap }) };
}

function createService(
  { settings, opened, registries }: ServerParts,
  tracing: Tracing,
  hooks: Readonly<Record<string, ResourceHooks>>,
): OperatorService {
  return createScimService({
    registry: registries.shared,
    hooks,
    store: tracing.store(opened.store.resources),
    sources: SOURCES,
    cursorSeal: opened.cursorSeal,
    securityEvents: SECURITY_EVENT_URIS,
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

async function listen(parts: NoticingParts, tracing: Tracing, served: Serving): Promise<RunningServer> {
  const { settings, log, opened, registries, notices } = parts;
  const { service } = served;
  const { store } = opened;
  const checkJwt = createJwtCheck(settings);
  const callers = createCallers({
    settings,
    opened,
    checkJwt,
    log,
    onExpiring: expiryNotice(log),
    onError: (error) => log.error({ err: error }, "noting when tokens were used, or end, failed"),
  });
  const { authenticate, limiter } = callers;
  const purged = createPurgeCounts();
  const observing = await startObserving({ ...parts, service, callers, purged, tracing });
  const { onRequestDone } = observing;
  const requestLog = startRequestLog({ ...parts, onPurged: purged.add, onSilent: notices.onSilent });
  const tokenEndpoint = createServerTokenEndpoint({
    opened,
    checkJwt,
    limiter,
    log,
    onRequestDone,
  });
  const answering = {
    service: served.serviceOf,
    limits: {
      bodyBytes: settings["body.maxBytes"],
      collectionBodyBytes: settings["body.maxCollectionBytes"],
      bulkBodyBytes: settings["bulk.maxPayloadSize"],
    },
  };
  const told = { ...answering, authenticate, onRequestDone, onExchange: requestLog.onExchange };
  const handler = tracing.handler(
    createScimHandler({
      ...told,
      limiter,
      longBodies: createBodyThreads(),
      resourceMetadata: (baseUrl) => resourceMetadataOf(baseUrl, settings.mounts ?? []),
    }),
  );
  const tools = {
    settings,
    served,
    authenticate,
    limiter,
    onRequestDone,
    // The calls are counted where they come in.
    handler: tracing.handler(createScimHandler(told)),
    quietHandler: (known: Authenticator) => createScimHandler({ ...answering, authenticate: known }),
  };
  const openApi = openApiOnDemand({
    service,
    registry: registries.shared,
    describedFor: served.of,
    authenticate,
    tokenUrl: (baseUrl) => `${publicUrlBelow(baseUrl, settings.mounts ?? [])}${TOKEN_PATH}`,
    limiter,
    onRequestDone,
  });
  const delivery = createDelivery({ settings, opened, log, onAttempt: notices.onAttempt });
  const admin = {
    authenticate,
    limiter,
    trail: store.trail,
    tracing,
    onRequestDone,
    routes: [
      auditRoutes({ ...opened.auditKeys, audit: store.audit }),
      changeRoutes({ events: store.events }),
      administrationRoutes(opened, createIssuerReader(settings)),
      subjectRoutes({
        erasingFor: (by) => erasingFor({ settings, opened, service: deletingIn(served.serviceOf) }, by),
        copies: () => copiesBeside(settings),
      }),
      requestRoutes({
        ...opened.auditKeys,
        requests: store.requests,
        events: store.events,
        catalog: opened.rules.catalogOf,
        caseOf: (entry, profile) => caseOfEntry(openCases(settings, opened), entry, profile),
      }),
      guardRoutes(opened),
      schemaRoutes(opened),
      ...delivery.routes,
    ],
  };
  const state = { isStopping: false };
  const readiness = { check: () => store.check(), isStopping: () => state.isStopping };
  const app = await createApp({
    settings,
    handler,
    openApi,
    admin,
    tokenEndpoint,
    tools: settings.tools === "off" ? null : tools,
    readiness,
    log,
  });
  observing.addRoutes(app);
  await app.register(delivery.receiverRoutes);
  const origin = await bind(() => app.listen({ host: settings.host, port: settings.port }), settings);
  const port = Number(new URL(origin).port || 80);
  store.indexes.onError((error) => log.error({ err: error }, "building indexes failed, and is tried again"));
  const upkeep = {
    keptFor: keptFor(serviceRetention(settings), store.tenants),
    now: Date.now,
    onPurged: purged.add,
  };
  const stopPurge = startTombstonePurge({
    store: store.resources,
    ...upkeep,
    onError: (error) => log.error({ err: error }, "removing deleted resources failed"),
  });
  const stopPositioning = startPositioning({
    events: store.events,
    onError: (error) => log.error({ err: error }, "giving positions to events failed"),
  });
  const stopUpkeep = startEventUpkeep({
    events: store.events,
    audit: store.audit,
    auditKeys: opened.auditKeys,
    ...upkeep,
    onError: (error) => log.error({ err: error }, "checkpoints, or removing old events, failed"),
  });
  delivery.start(originOf(reachableHost(settings.host), port));
  return {
    baseUrl: `${settings.baseUrl ?? originOf(reachableHost(settings.host), port)}/scim/v2`,
    port,
    stop: async () => {
      state.isStopping = true;
      await delay(settings["stop.delay"] * 1000);
      stopPurge();
      const delivered = delivery.stop();
      await close(app);
      await Promise.all([
        delivered,
        observing.stop(),
        stopPositioning(),
        stopUpkeep(),
        callers.stop(),
        requestLog.stop(),
      ]);
      await notices.settled();
      await store.close();
    },
  };
}

/** How often connections that have become idle are closed during a stop, in milliseconds. */
const IDLE_LOOK_MS = 50;

/** A connection whose request was under way stays open after the answer, since its client was promised so. */
async function close(app: FastifyInstance): Promise<void> {
  const timer = setInterval(() => app.server.closeIdleConnections(), IDLE_LOOK_MS);
  try {
    await app.close();
  } finally {
    clearInterval(timer);
  }
}

async function bind(listening: () => Promise<string>, settings: Settings): Promise<string> {
  try {
    return await listening();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(
      EXIT.failed,
      `Cannot listen on ${settings.host} port ${settings.port}: ${reason}.`,
      cause,
    );
  }
}

/** An address of this machine for one that stands for all of them. */
function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}
