/**
 * The server: everything wired, started and stopped.
 * @module
 */
import { createAuthenticator, createScimService, type ScimService, type ServiceLimits } from "@scim/core";
import { createScimHandler } from "@scim/http";
import { createDefaultRegistry, type SchemaRegistry } from "@scim/schemas";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { settleTokens, type TokenOrigin } from "./credentials/start-tokens.ts";
import { CommandFailure, EXIT } from "./failure.ts";
import { addGroupMemberships } from "./group-memberships.ts";
import { accessLog } from "./http/access-log.ts";
import { createApp } from "./http/create-app.ts";
import { DOCS_PATH } from "./http/docs-page.ts";
import { publicUrlBelow } from "./http/mount.ts";
import { openApiOnDemand } from "./http/open-api.ts";
import { originOf } from "./http/public-url.ts";
import { openStore, type OpenedStore } from "./open-store.ts";
import { profileOf } from "./profile.ts";
import { loadSchemaFolder } from "./schema-folder.ts";
import { SOURCES } from "./sources.ts";
import type { Settings } from "./settings/table.ts";
import { startTombstonePurge } from "./tombstones.ts";

/** A server that listens. */
export interface RunningServer {
  /** Base address of SCIM: `http://127.0.0.1:8080/scim/v2`. */
  readonly baseUrl: string;
  readonly token: TokenOrigin;
  /** File of credentials. */
  readonly credentialsPath: string;
  /** Takes no more connections, finishes the requests under way, and closes the store. */
  stop(): Promise<void>;
}

/**
 * Starts a server.
 * @throws CommandFailure where the database, the documents or the port cannot be used
 */
export async function startServer(settings: Settings, log: Logger): Promise<RunningServer> {
  const registry = createDefaultRegistry();
  if (settings.schemas !== null) loadSchemas(settings.schemas, registry, log);
  if (settings.groupMemberships === "on") addGroupMemberships(registry);
  const opened = await openStore(settings);
  try {
    const token = await settleTokens(settings, { ...opened, tokens: opened.store.tokens });
    const service = createService(settings, opened, registry);
    return await listen({ settings, log, opened, registry, service, token });
  } catch (error) {
    await opened.store.close();
    throw error;
  }
}

function loadSchemas(folder: string, registry: SchemaRegistry, log: Logger): void {
  const { schemas, resourceTypes, notices } = loadSchemaFolder(folder, registry);
  log.info({ folder, schemas: schemas.length, resourceTypes: resourceTypes.length }, "documents loaded");
  for (const notice of notices) log.warn(notice, "a document should be changed, though it is accepted");
}

function createService(
  settings: Settings,
  opened: OpenedStore,
  registry: ReturnType<typeof createDefaultRegistry>,
): ScimService {
  return createScimService({
    registry,
    store: opened.store.resources,
    sources: SOURCES,
    cursorSeal: opened.cursorSeal,
    limits: limitsOf(settings),
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "OAuth Bearer Token",
        description: "A token in the Authorization header, as RFC 6750 describes.",
        specUri: "https://www.rfc-editor.org/info/rfc6750",
        primary: true,
      },
    ],
    documentationUri:
      settings.documentationUri ?? (({ baseUrl }) => `${publicUrlBelow(baseUrl)}${DOCS_PATH}`),
  });
}

function limitsOf(settings: Settings): Partial<ServiceLimits> {
  return {
    pageSize: settings["page.size"],
    maxResults: settings["filter.maxResults"],
    filterLength: settings["filter.maxLength"],
    filterDepth: settings["filter.maxDepth"],
    stringLength: settings["string.maxLength"],
    decimalPrecision: settings["decimal.maxPrecision"],
    decimalScale: settings["decimal.maxScale"],
    integerMinimum: settings["integer.minimum"],
    integerMaximum: settings["integer.maximum"],
    answerReferences: settings["group.answerMembers"],
    groups: settings.groups,
    cursorTimeout: settings["cursor.timeout"],
    sortedResults: settings["sort.maxResults"],
    sensitiveAttributes: settings["filter.sensitiveAttributes"] ?? [],
    bulkOperations: settings["bulk.maxOperations"],
    bulkPayload: settings["bulk.maxPayloadSize"],
    ...(settings.me === "on" ? {} : { me: null }),
  };
}

interface Wired {
  readonly settings: Settings;
  readonly log: Logger;
  readonly opened: OpenedStore;
  readonly registry: SchemaRegistry;
  readonly service: ScimService;
  readonly token: TokenOrigin;
}

async function listen({ settings, log, opened, registry, service, token }: Wired): Promise<RunningServer> {
  const { store, hasher, folder } = opened;
  const profile = profileOf(settings);
  const authenticate = createAuthenticator({
    store: store.tokens,
    hasher,
    now: Date.now,
    profileOf: () => profile,
  });
  const onRequestDone = accessLog(log);
  const handler = createScimHandler({
    service,
    authenticate,
    limits: {
      bodyBytes: settings["body.maxBytes"],
      collectionBodyBytes: settings["body.maxCollectionBytes"],
      bulkBodyBytes: settings["bulk.maxPayloadSize"],
    },
    onRequestDone,
  });
  const openApi = openApiOnDemand({
    service,
    registry,
    limits: limitsOf(settings),
    authenticate,
    onRequestDone,
  });
  const app = await createApp({ settings, handler, openApi, check: () => store.check(), log });
  const origin = await bind(() => app.listen({ host: settings.host, port: settings.port }), settings);
  const port = Number(new URL(origin).port || 80);
  const stopPurge = startTombstonePurge({
    store: store.resources,
    retentionDays: settings["retention.deleted"],
    onError: (error) => log.error({ err: error }, "removing deleted resources failed"),
  });
  return {
    baseUrl: `${settings.baseUrl ?? originOf(reachableHost(settings.host), port)}/scim/v2`,
    token,
    credentialsPath: folder.credentialsPath,
    stop: async () => {
      stopPurge();
      await close(app);
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
