/**
 * Tokens that expire, and are got again in time.
 * @module
 */
import type { Clock } from "../clock.ts";
import { CredentialsError } from "../errors/credentials-error.ts";
import { requireText, type Credentials, type CredentialsContext } from "./credentials.ts";

/** A token that was got. */
export interface FreshToken {
  readonly token: string;
  /** Seconds that it is valid for; left out where that is not known: it is used until the service refuses it. */
  readonly expiresIn?: number;
}

/** Gets a token. The signal is aborted when it takes longer than 30 seconds. */
export type FetchToken = (context: CredentialsContext) => Promise<FreshToken>;

/** A token is renewed that long before it expires, so that none expires on its way, nor while none can be got; at most half of its time. */
const EARLY_MS = 30_000;
const PATIENCE_MS = 30_000;

interface Held {
  readonly authorization: string;
  /** When to get another one, by the client's clock. */
  readonly until: number;
  /** When it is no longer valid. */
  readonly expires: number;
}

/**
 * Credentials with a token that is got when it is needed, once for all requests that wait for it, and again before it
 * expires, or when the service refuses it.
 *
 * @example
 * createScimClient({ baseUrl, auth: refreshingToken(async () => ({ token: await readToken(), expiresIn: 3600 })) });
 */
export function refreshingToken(fetchToken: FetchToken): Credentials {
  let held: Held | null = null;
  let coming: Promise<Held> | null = null;

  const renew = (context: CredentialsContext): Promise<Held> =>
    (coming ??= fetched(fetchToken, context)
      .then((fresh) => (held = fresh))
      .finally(() => {
        coming = null;
      }));

  return {
    authorization: (context) => {
      const last = held;
      if (last !== null && context.clock.now() < last.until) return last.authorization;
      return waited(renew(context), context.signal)
        .catch((error: unknown) => {
          // It was to be renewed early, and will do until it can be.
          if (last !== null && isOfUse(last, context) && held === last) return last;
          throw error;
        })
        .then(({ authorization }) => authorization);
    },
    refused: (authorization) => {
      // Another request may have renewed it in the meantime.
      if (held?.authorization === authorization) held = null;
      return true;
    },
  };
}

/** One request that is given up does not end the work for the others. */
async function fetched(fetchToken: FetchToken, { transport, clock }: CredentialsContext): Promise<Held> {
  const controller = new AbortController();
  const cancel = clock.after(PATIENCE_MS, () => controller.abort(new Error("The token took too long.")));
  try {
    const { token, expiresIn } = await waited(
      fetchToken({ transport, clock, signal: controller.signal }),
      controller.signal,
    );
    requireText(token, "The token");
    return { authorization: `Bearer ${token}`, ...validity(clock, expiresIn) };
  } catch (error) {
    if (error instanceof CredentialsError) throw error;
    throw new CredentialsError("The token could not be got.", { cause: error });
  } finally {
    cancel();
  }
}

function validity(clock: Clock, expiresIn: number | undefined): Pick<Held, "until" | "expires"> {
  const forEver = Number.POSITIVE_INFINITY;
  if (expiresIn === undefined || !(expiresIn > 0)) return { until: forEver, expires: forEver };
  const time = expiresIn * 1000;
  const expires = clock.now() + time;
  return { until: expires - Math.min(EARLY_MS, time / 2), expires };
}

function isOfUse({ expires }: Held, { clock, signal }: CredentialsContext): boolean {
  return !signal.aborted && clock.now() < expires;
}

function waited<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void =>
      reject(new CredentialsError("The token did not come in time.", { cause: signal.reason }));
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
