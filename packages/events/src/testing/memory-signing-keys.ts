/**
 * A store of signing keys in memory: the reference implementation of its port.
 * @module
 */
import type { SigningKey, SigningKeyStore } from "../security-events/signing-keys.ts";

/** Makes an empty store of signing keys. */
export function createMemorySigningKeys(): SigningKeyStore {
  let keys: readonly SigningKey[] = [];
  return {
    list: async () => keys,
    add: async (key, retires) => {
      const replaced = keys.map((old) => ({ ...old, retires: old.retires ?? retires }));
      keys = [...replaced, key].toSorted((a, b) => Date.parse(a.signsFrom) - Date.parse(b.signsFrom));
    },
    removeRetired: async (at) => {
      keys = keys.filter(({ retires }) => retires === null || retires > at);
    },
  };
}
