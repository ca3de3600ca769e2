/**
 * A store of tokens in memory: the reference implementation of its port.
 * @module
 */
import type { StoredToken, TokenStore } from "../credentials/port.ts";

/** Makes an empty store of tokens. */
export function createMemoryTokenStore(): TokenStore {
  const tokens: StoredToken[] = [];
  const ofTenant = (tenant: string): readonly StoredToken[] =>
    tokens.filter((token) => token.tenant === tenant);
  return {
    findTokens: async (tenant, hashes) => ofTenant(tenant).filter(({ hash }) => hashes.includes(hash)),
    listTokens: async (tenant) =>
      ofTenant(tenant).toSorted((a, b) => compareText(a.created, b.created) || compareText(a.id, b.id)),
    addToken: async (token) => {
      if (ofTenant(token.tenant).some(({ id, hash }) => id === token.id || hash === token.hash)) {
        throw new TypeError(`Tenant ${token.tenant} has a token of this id or hash already`);
      }
      tokens.push(token);
    },
    removeToken: async (tenant, id) => {
      const index = tokens.findIndex((token) => token.tenant === tenant && token.id === id);
      if (index >= 0) tokens.splice(index, 1);
      return index >= 0;
    },
  };
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
