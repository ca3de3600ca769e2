/**
 * A store of signing keys in memory: the reference implementation of its port.
 * @module
 */
import type { SigningKey, SigningKeyStore } from "../security-events/signing-keys.ts";

/** Makes an empty store of signing keys. */
export function createMemorySigningKeys(): SigningKeyStore {
  let keys: readonly SigningKey[] = [];
  const add = (key: SigningKey, before: string): void => {
    const others = keys.map((old) =>
      Date.parse(old.signsFrom) < Date.parse(key.signsFrom) ? old : { ...old, signsFrom: before },
    );
    keys = [...others, key].toSorted(
      (a, b) => Date.parse(a.signsFrom) - Date.parse(b.signsFrom) || (a.id < b.id ? -1 : 1),
    );
  };
  return {
    list: async () => keys,
    add: async (key, before) => add(key, before),
    addBehind: async (last, key, before) => {
      const isLast = (keys.at(-1)?.id ?? null) === last;
      if (isLast) add(key, before);
      return isLast;
    },
    removeReplaced: async (at) => {
      const last = keys.findLastIndex(({ signsFrom }) => Date.parse(signsFrom) <= Date.parse(at));
      keys = keys.slice(Math.max(0, last));
    },
  };
}
