/**
 * Hashes secrets by scrypt, and verifies what somebody enters against the hash that is kept.
 * @module
 */
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { prepareSecret, type SecretSink, type SecretTarget, type StoreScope, Turns } from "@scim/core";
import type { Executor } from "../steps.ts";
import { findHash } from "./hash-rows.ts";
import { memoryOf, phcText, readPhc, type ScryptHash } from "./phc.ts";

/**
 * Hashes secrets, and verifies them: the sink of a service on the store. Two hashes are computed at once, off the event loop,
 * of 16 MiB each; tenants have their turn.
 */
export interface SecretStore extends SecretSink {
  /**
   * Whether a text is the secret of a resource, such as the password that a person enters: prepared as it was when it was
   * set (RFC 8265 §4.2), and compared in constant time. It takes as long where there is no such resource or secret, or it is deleted. It
   * says nothing of `active`, nor of how often somebody tries.
   *
   * @example
   * const target = { type: "User", id: user.id, path: "password" };
   * await sqlite.secrets.verify({ tenant: "default", connection: "login" }, target, "open sesame"); // false
   * @throws ScimError `unavailable` where too many wait, or the database cannot be read now
   */
  verify(scope: StoreScope, target: SecretTarget, value: string): Promise<boolean>;
}

/** OWASP's settings for 16 MiB; about a fifth of a second of one processor. */
const SETTINGS = { costLog: 14, blockSize: 8, parallelization: 5 } as const;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** Threads of Node.js that read files and resolve names are four: half of them stay free. */
const AT_ONCE = 2;
/** Who waits, half of them of one tenant: some ten seconds. */
const WAITING = 256;

/** Stands for a hash that is not there. */
const NO_HASH: ScryptHash = { ...SETTINGS, salt: new Uint8Array(SALT_BYTES), key: new Uint8Array(KEY_BYTES) };

/** Makes the secrets of a database. */
export function createSecretStore(executor: Executor): SecretStore {
  const turns = new Turns({
    atOnce: AT_ONCE,
    perTenant: () => AT_ONCE,
    waiting: WAITING,
    patience: null,
    refusal: "Too many passwords are being hashed at once; send the request again in some seconds.",
  });

  async function inTurn(scope: StoreScope, value: string, wanted: WantedKey): Promise<Buffer> {
    const end = await turns.take(scope.tenant, scope.signal);
    try {
      return await derive(value, wanted);
    } finally {
      end();
    }
  }

  const sink: SecretSink = {
    hash: async (scope, value) => {
      const as = { ...SETTINGS, salt: randomBytes(SALT_BYTES) };
      return phcText({ ...as, key: await inTurn(scope, value, { ...as, length: KEY_BYTES }) });
    },
    matches: async (scope, value, hash) => {
      const kept = hash === null ? null : readPhc(hash);
      const { key, ...as } = kept ?? NO_HASH;
      const derived = await inTurn(scope, value, { ...as, length: key.length });
      return timingSafeEqual(derived, key) && kept !== null;
    },
  };
  return {
    ...sink,
    verify: async (scope, target, value) => {
      const hash = await executor.read(findHash(scope.tenant, target));
      const prepared = prepareSecret(value);
      // Also for what cannot be a secret: the time must not tell who has one.
      return (await sink.matches(scope, prepared ?? "", hash)) && prepared !== null;
    },
  };
}

/** How a key is made, and how many bytes it has. */
interface WantedKey extends Omit<ScryptHash, "key"> {
  readonly length: number;
}

function derive(value: string, wanted: WantedKey): Promise<Buffer> {
  const { costLog, blockSize, parallelization, salt, length } = wanted;
  const settings = { N: 2 ** costLog, r: blockSize, p: parallelization, maxmem: memoryOf(wanted) };
  return new Promise((resolve, reject) => {
    scrypt(value, salt, length, settings, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
