/**
 * The server: everything wired, started and stopped.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { createReadingTurns } from "../admin/reading-turns.ts";
import { createCallers } from "../credentials/callers.ts";
import { expiryNotice } from "../credentials/expiry-notice.ts";
import { createDelivery } from "../delivery/delivery.ts";
import { createApp } from "../http/create-app.ts";
import { createNotices } from "../notices/notices.ts";
import { createJwtCheck, createServerTokenEndpoint } from "../oauth/create-oauth.ts";
import { startRequestLog } from "../requests/request-log.ts";
import { startTracing, type Tracing } from "../tracing/tracing.ts";
import { createPurgeCounts } from "../upkeep/purge-counts.ts";
import { startUpkeep } from "../upkeep/start-upkeep.ts";
import { adminRoutes } from "./admin-routes.ts";
import { createHandlers } from "./create-handlers.ts";
import { createServices } from "./create-services.ts";
import { closeListening, listenAt } from "./listening.ts";
import { startObserving } from "./observing.ts";
import type { NoticingParts, ServerParts } from "./server-parts.ts";

/** A server that listens. */
export interface RunningServer {
  /** Base address of SCIM: `http://127.0.0.1:8080/scim/v2`. */
  readonly baseUrl: string;
  /** The port that it listens on. */
  readonly port: number;
  /**
   * Is not ready any more; after `stop.delay` takes no more connections, finishes the requests under way, and closes the store.
   * @param answered called where no request is under way any more
   */
  stop(answered?: () => void): Promise<void>;
}

/**
 * Starts a server.
 * @throws CommandFailure where the port cannot be used
 */
export async function startServer(parts: ServerParts): Promise<RunningServer> {
  try {
    const tracing = await startTracing(parts.settings, {
      onLost: (error) =>
        parts.log.warn(
          { err: error },
          "traces are lost: the collector does not take them (tracing.endpoint)",
        ),
      onSentAgain: () => parts.log.info("traces are sent to the collector again"),
    });
    const { trail, audit } = parts.opened.store;
    const notices = createNotices({ log: parts.log, trail, audit, now: Date.now });
    return await listen({ ...parts, notices }, tracing);
  } catch (error) {
    await parts.opened.store.close();
    throw error;
  }
}

async function listen(parts: NoticingParts, tracing: Tracing): Promise<RunningServer> {
  const { settings, log, opened, notices } = parts;
  const { store } = opened;
  const served = createServices(parts, tracing);
  const checkJwt = createJwtCheck(settings);
  const callers = createCallers({
    settings,
    opened,
    checkJwt,
    log,
    onExpiring: expiryNotice(log, notices.onExpiring),
    onError: (error) => log.error({ err: error }, "noting when tokens were used, or end, failed"),
  });
  const { authenticate, limiter } = callers;
  const purged = createPurgeCounts();
  const { service } = served;
  const observing = await startObserving({ ...parts, service, callers, purged, tracing });
  const { onRequestDone } = observing;
  const { onSilent, onListened } = notices;
  const requestLog = startRequestLog({ ...parts, onPurged: purged.add, onSilent, onListened });
  const { onExchange } = requestLog;
  const delivery = createDelivery({ ...parts, limiter, onRequestDone, onAttempt: notices.onAttempt });
  const state = { isStopping: false };
  const app = await createApp({
    settings,
    ...createHandlers(parts, { served, callers, tracing, onRequestDone, onExchange }),
    admin: {
      authenticate,
      limiter,
      tenants: store.tenants,
      trail: store.trail,
      tracing,
      onRequestDone,
      turns: createReadingTurns(),
      routes: [...adminRoutes(parts, served), ...delivery.routes],
    },
    tokenEndpoint: createServerTokenEndpoint({ opened, checkJwt, limiter, log, onRequestDone }),
    readiness: { check: () => store.check(), isStopping: () => state.isStopping },
    log,
  });
  observing.addRoutes(app);
  await app.register(delivery.receiverRoutes);
  const stopServing = (): Promise<unknown> =>
    Promise.all([observing.stop(), callers.stop(), requestLog.stop()]);
  const { port, origin } = await listenAt(app, settings).catch(async (cause: unknown) => {
    // They use the store, which is closed next.
    await stopServing();
    throw cause;
  });
  const stopUpkeep = startUpkeep({ settings, log, opened, purged, serviceOf: served.serviceOf });
  delivery.start(origin);
  return {
    baseUrl: `${settings.baseUrl ?? origin}/scim/v2`,
    port,
    stop: async (answered) => {
      state.isStopping = true;
      await delay(settings["stop.delay"] * 1000);
      const delivered = delivery.stop();
      await closeListening(app);
      answered?.();
      await Promise.all([delivered, stopUpkeep(), stopServing()]);
      await notices.settled();
      await store.close();
    },
  };
}
