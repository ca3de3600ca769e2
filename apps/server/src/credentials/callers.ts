/**
 * Who sends requests: the authenticator over the database, the rates of connections, and when tokens were last used.
 * @module
 */
import type { Authenticator, RequestLimiter } from "@scim/core";
import type { CacheCounts } from "@scim/filter";
import {
  ADMIN_TENANT,
  createAuthenticator,
  createConnectionProfiles,
  createLastUse,
  createRequestLimiter,
  type JwtCheck,
  type ExpiringCredential,
} from "@scim/tenancy";
import type { Logger } from "pino";
import { clientCredentialSources } from "../oauth/create-oauth.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { profileOf } from "../profile.ts";
import type { Settings } from "../settings/table.ts";
import { administratorSource, bootstrapGate } from "./administrators.ts";
import { createBcryptWorker } from "./bcrypt-worker.ts";
import { startExpiryWatch } from "./expiry-watch.ts";
import { foreignHashes } from "./foreign-hashes.ts";

/** What callers are told by. */
export interface CallerOptions {
  readonly settings: Settings;
  readonly opened: OpenedStore;
  /** Checks JWTs of foreign issuers. */
  readonly checkJwt: JwtCheck;
  readonly log: Pick<Logger, "info">;
  /** Told once a day of each token, and secret of a client, that ends within thirty days. */
  readonly onExpiring: (credential: ExpiringCredential) => Promise<void>;
  /** Told of what failed beside the requests; it is tried again. */
  readonly onError: (error: unknown) => void;
}

/** Who sends requests, and how many. */
export interface Callers {
  readonly authenticate: Authenticator;
  readonly limiter: RequestLimiter;
  /** How often a token had been verified a moment ago. */
  tokenCache(): CacheCounts;
  /** How many tokens end within thirty days, as of the last look. */
  expiringTokens(): number;
  /** Writes what is still to be noted, and takes no more. */
  stop(): Promise<void>;
}

/** Milliseconds between two writes of when tokens were last used (ten seconds). */
const INTERVAL_MS = 10_000;

/** Makes what tells callers, for one process of the server. */
export function createCallers(options: CallerOptions): Callers {
  const { settings, opened, checkJwt, log, onExpiring, onError } = options;
  const { store, hasher, keySeal } = opened;
  const bcrypt = createBcryptWorker();
  const lastUse = createLastUse({ store: store.tokens, now: Date.now });
  const lastSignIn = createLastUse({
    store: { noteUse: ({ id }, use) => store.admins.noteUse(id, use) },
    now: Date.now,
  });
  const cache = { hits: 0, misses: 0 };
  const authenticate = createAuthenticator({
    store: store.tokens,
    hasher,
    foreign: foreignHashes(keySeal, bcrypt),
    tenants: opened.rules,
    connections: store.connections,
    now: Date.now,
    profileOf: createConnectionProfiles(profileOf(settings)),
    admit: bootstrapGate(opened),
    others: [
      ...clientCredentialSources({ opened, checkJwt, log }),
      administratorSource({
        opened,
        checkJwt,
        log,
        onUse: (id) => lastSignIn.used({ tenant: ADMIN_TENANT, id }),
      }),
    ],
    onUse: (token) => lastUse.used(token),
    onLookUp: (known) => {
      cache[known ? "hits" : "misses"] += 1;
    },
  });
  const watch = startExpiryWatch({ ...store, now: Date.now, onExpiring, onError });
  const perSecond = settings["rate.perSecond"];
  const limiter = createRequestLimiter({
    now: () => performance.now(),
    fallback: perSecond === 0 ? null : { perSecond, burst: settings["rate.burst"] },
    processes: settings.workers,
  });
  let writing: Promise<void> = Promise.resolve();
  const write = (): void => {
    writing = writing
      .then(() => lastUse.write())
      .catch(onError)
      .then(() => lastSignIn.write())
      .catch(onError);
  };
  const timer = setInterval(write, INTERVAL_MS);
  // The timer must not hold up the end of the process.
  timer.unref();
  return {
    authenticate,
    limiter,
    expiringTokens: () => watch.count(),
    tokenCache: () => ({ ...cache }),
    stop: async () => {
      clearInterval(timer);
      write();
      await Promise.all([writing, bcrypt.stop(), watch.stop()]);
    },
  };
}
