/**
 * Public keys of foreign issuers (RFC 7517), read when they are needed and kept for a while.
 * @module
 */
import {
  createLocalJWKSet,
  errors,
  type CryptoKey,
  type FlattenedJWSInput,
  type JWSHeaderParameters,
} from "jose";
import { isRecent } from "@scim/core";
import { publicKeysOf, weightOf } from "./public-keys.ts";

/** Finds the key that a JWT names. */
export type KeyOf = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;

/** What key sets are read with. */
export interface KeySetOptions {
  /**
   * Reads the JSON at an address, within bounds of time and size of its own.
   * @throws Error where it cannot be read
   */
  readonly readKeys: (address: string) => Promise<unknown>;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
}

/** Keys of issuers by the address of their set. */
export interface KeySets {
  /**
   * @throws KeysUnavailable by the function that is answered, where there are no keys to look in, or the one that is named is not
   *   among them while they cannot be read
   */
  at(address: string): KeyOf;
  /** Reads a set again, unless that was done a moment ago. Resolves to whether there are keys that were read since. */
  readAgain(address: string): Promise<boolean>;
}

/** The keys of an issuer cannot be read. */
export class KeysUnavailable extends Error {
  override readonly name = "KeysUnavailable";
}

/** Keys of this age and older ones are read again: an issuer may have taken one back (10 minutes). */
const FRESH_MS = 600_000;
/** Keys that cannot be read again are used for so long (24 hours). */
const STALE_MS = 86_400_000;
/**
 * Between two reads of an address, whatever keys are asked for (5 seconds): whoever sends made-up keys makes a changed one wait
 * no longer.
 */
const COOLDOWN_MS = 5000;
/** The same behind a read that failed (30 seconds): it may have held up who waited for it. */
const FAILED_COOLDOWN_MS = 30_000;
/** Issuers whose keys are kept at once. */
const MOST_SETS = 1000;
/** What they may take together, in characters, about: all of them where each has some ten keys, and some hundred of the greatest. */
const MOST_WEIGHT = 67_108_864;

interface Entry {
  keys: ReturnType<typeof createLocalJWKSet> | null;
  /** What the keys take, in characters, about. */
  weight: number;
  /** When the keys were read. */
  readAt: number;
  /** When reading was begun last. */
  triedAt: number;
  /** Whether the keys could not be read last, and why. */
  isFailing: boolean;
  failure: unknown;
  reading: Promise<void> | null;
}

/**
 * Makes empty sets. A key that a set lacks is looked for by reading the set again, at most every 5 seconds, so that a
 * changed key works at once and made-up ones cause little traffic.
 */
export function createKeySets({ readKeys, now }: KeySetOptions): KeySets {
  const entries = new Map<string, Entry>();

  /** Forgets the sets that were not asked for longest, until there is room for the others. */
  const makeRoom = (): void => {
    let weight = 0;
    for (const each of entries.values()) weight += each.weight;
    for (const [address, each] of entries) {
      if (entries.size <= MOST_SETS && weight <= MOST_WEIGHT) return;
      entries.delete(address);
      weight -= each.weight;
    }
  };

  const entryOf = (address: string): Entry => {
    const known = entries.get(address);
    if (known !== undefined) {
      // Put behind all others: the first of the map are those that were not asked for longest.
      entries.delete(address);
      entries.set(address, known);
      return known;
    }
    const entry: Entry = {
      keys: null,
      weight: 0,
      readAt: Number.NEGATIVE_INFINITY,
      triedAt: Number.NEGATIVE_INFINITY,
      isFailing: false,
      failure: undefined,
      reading: null,
    };
    entries.set(address, entry);
    makeRoom();
    return entry;
  };

  const read = async (entry: Entry, address: string): Promise<void> => {
    try {
      const document = await readKeys(address);
      const set = publicKeysOf(document);
      if (set === null) throw new TypeError("what is there is no set of keys");
      // A set is put in place whole: what it lacks is not trusted any more.
      const keys = createLocalJWKSet(set);
      Object.assign(entry, { keys, weight: weightOf(set), readAt: now(), isFailing: false });
      makeRoom();
    } catch (failure) {
      Object.assign(entry, { isFailing: true, failure });
    }
  };

  /** Reads a set again, unless that was done a moment ago. Requests that wait for it share one read. */
  const refresh = async (entry: Entry, address: string): Promise<void> => {
    if (entry.reading === null) {
      const instant = now();
      const cooldown = entry.isFailing ? FAILED_COOLDOWN_MS : COOLDOWN_MS;
      if (isRecent(entry.triedAt, { now: instant, within: cooldown })) return;
      const reading = read(entry, address).finally(() => Object.assign(entry, { reading: null }));
      Object.assign(entry, { triedAt: instant, reading });
    }
    await entry.reading;
  };

  const isStale = ({ readAt }: Entry): boolean => now() - readAt > STALE_MS;

  /** Reads keys again that are no longer fresh. Where that failed last, those that are known wait for no other attempt. */
  const renew = async (entry: Entry, address: string): Promise<void> => {
    if (isRecent(entry.readAt, { now: now(), within: FRESH_MS })) return;
    const isWaitedFor = entry.keys === null || isStale(entry) || !entry.isFailing;
    const renewed = refresh(entry, address);
    if (isWaitedFor) await renewed;
  };

  return {
    at: (address) => async (header, token) => {
      const entry = entryOf(address);
      await renew(entry, address);
      // Asked of each JWT: most come while no read is due.
      if (entry.keys === null || isStale(entry)) throw unavailable(address, entry.failure);
      try {
        return await entry.keys(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        await refresh(entry, address);
        // It may be a new one, which the address would tell of.
        if (entry.isFailing) throw unavailable(address, entry.failure);
        return entry.keys(header, token);
      }
    },
    readAgain: async (address) => {
      const entry = entryOf(address);
      const before = entry.readAt;
      await refresh(entry, address);
      return entry.readAt !== before;
    },
  };
}

/** Of several issuers the log has to tell which one; a path may hold what is nobody's business. */
function unavailable(address: string, cause: unknown): KeysUnavailable {
  const where = URL.canParse(address) ? ` from ${new URL(address).origin}` : "";
  return new KeysUnavailable(`The public keys of the issuer cannot be read${where}`, { cause });
}
