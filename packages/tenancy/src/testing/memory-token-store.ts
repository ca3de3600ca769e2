/**
 * A store of tokens in memory: the reference implementation of its port.
 * @module
 */
import type { AdminAct } from "../acts/admin-act.ts";
import { STARTED_BY } from "../admins/bootstrap-token.ts";
import type { ConnectionName } from "../connections/connection.ts";
import { onPage } from "../key-page.ts";
import type { StoredToken, TokenName, TokenScheme, TokenStore } from "../credentials/port.ts";

/** Hashes that a look-up does not find. */
const TRIED: ReadonlySet<TokenScheme> = new Set<TokenScheme>(["hmac-sha256", "bcrypt"]);

/**
 * Makes an empty store of tokens.
 * @param acts told acts are put behind those that are there
 * @param isThere tells whether there is a connection; default every one is
 */
export function createMemoryTokenStore(
  acts: AdminAct[] = [],
  isThere: (of: ConnectionName) => boolean = () => true,
): TokenStore {
  let tokens: readonly StoredToken[] = [];
  const ofTenant = (tenant: string): readonly StoredToken[] =>
    tokens.filter((token) => token.tenant === tenant);
  const good = (tenant: string): readonly StoredToken[] =>
    ofTenant(tenant).filter(({ revoked }) => revoked === null);
  const lasting = (tenant: string, at: string): readonly StoredToken[] =>
    good(tenant).filter(({ expires }) => expires === null || expires > at);
  const change = (name: TokenName, changed: (token: StoredToken) => StoredToken): void => {
    tokens = tokens.map((token) =>
      token.tenant === name.tenant && token.id === name.id ? changed(token) : token,
    );
  };
  return {
    findTokens: async (tenant, hashes) => good(tenant).filter(({ hash }) => hashes.includes(hash)),
    findForeignTokens: async (tenant, at) => lasting(tenant, at).filter(({ scheme }) => TRIED.has(scheme)),
    listTokens: async (tenant, { connection = null, id: wanted, page } = {}) => {
      const own = ofTenant(tenant).filter(
        (token) =>
          (connection === null || token.connection === connection) && (wanted ?? token.id) === token.id,
      );
      const inOrder = own.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return onPage(inOrder, ({ id }) => id, page);
    },
    addToken: async (token, act, of) => {
      if (of !== undefined && !isThere(of)) return false;
      const alike = lasting(token.tenant, token.created).filter(({ scheme }) => scheme === token.scheme);
      if (alike.length >= (of?.most ?? Number.POSITIVE_INFINITY)) return false;
      if (ofTenant(token.tenant).some(({ id, hash }) => id === token.id || hash === token.hash)) {
        throw new TypeError(`Tenant ${token.tenant} has a token of this id or hash already`);
      }
      tokens = [...tokens, token];
      if (act !== undefined) acts.push(act);
      return true;
    },
    revokeToken: async (name, revoked, act) => {
      const isGood = good(name.tenant).some(({ id }) => id === name.id);
      const gone = { hash: `revoked ${name.id}`, sealedKey: null, revoked };
      if (isGood) change(name, (token) => ({ ...token, ...gone }));
      if (isGood && act !== undefined) acts.push(act);
      return isGood;
    },
    removeToken: async (tenant, id) => {
      const before = tokens.length;
      tokens = tokens.filter((token) => token.tenant !== tenant || token.id !== id);
      return tokens.length < before;
    },
    purgeTokens: async (tenant, before, limit) => {
      const made = ofTenant(tenant).filter(({ createdBy }) => createdBy !== null && createdBy !== STARTED_BY);
      const latest = made.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)).at(-1);
      const isOver = ({ revoked, expires }: StoredToken): boolean =>
        [revoked, expires].some((end) => end !== null && end < before);
      const going = new Set(made.filter((token) => token !== latest && isOver(token)).slice(0, limit));
      tokens = tokens.filter((token) => !going.has(token));
      return going.size;
    },
    rehashToken: async (name, hash, at) => {
      const other = good(name.tenant).find((token) => token.hash === hash.hash && token.id !== name.id);
      if (other !== undefined) {
        if (other.expires === null || other.expires > at) return;
        change(other, (token) => ({ ...token, hash: `ended ${token.id}` }));
      }
      change(name, (token) =>
        token.revoked !== null || token.scheme === "keyed"
          ? token
          : { ...token, ...hash, scheme: "keyed", sealedKey: null },
      );
    },
    noteUse: async (name, { at, before }) => {
      change(name, (token) =>
        token.lastUsed === null || token.lastUsed < before ? { ...token, lastUsed: at } : token,
      );
    },
  };
}

function placeOf({ created, id }: StoredToken): string {
  return `${created} ${id}`;
}
