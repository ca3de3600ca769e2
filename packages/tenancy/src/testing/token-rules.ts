/**
 * Rules of stores of tokens.
 * @module
 */
import { type ContractRule, ContractViolation, expectEqual } from "@scim/core/testing";
import type { StoredToken, TokenStore } from "../credentials/port.ts";

/** A rule of a store of tokens. */
export type TokenStoreRule = ContractRule<TokenStore>;

function token(id: string, of: Partial<StoredToken> = {}): StoredToken {
  return {
    id,
    tenant: "north",
    connection: "first",
    hash: `hash-of-${id}`,
    keyId: "k1",
    scopes: ["scim:read", "scim:write"],
    subject: null,
    expires: null,
    created: "2026-03-01T08:00:00.000Z",
    ...of,
  };
}

/** The contract of a store of tokens, as data without a test runner. */
export const TOKEN_STORE_CONTRACT: readonly TokenStoreRule[] = [
  {
    rule: "token/find",
    name: "a token is found by one of its tenant's hashes, as it was added",
    run: async (open) => {
      const store = await open();
      const one = token("t1", { subject: "u1", expires: "2027-01-01T00:00:00.000Z" });
      const two = token("t2", { scopes: [] });
      await store.addToken(one);
      await store.addToken(two);
      expectEqual(await store.findTokens("north", [two.hash, "other"]), [two], "second");
      expectEqual(await store.findTokens("north", [one.hash]), [one], "first");
      expectEqual(await store.findTokens("north", []), [], "no hash");
      expectEqual(await store.findTokens("north", ["other"]), [], "unknown hash");
      expectEqual(await store.findTokens("south", [one.hash]), [], "another tenant");
    },
  },
  {
    rule: "token/list",
    name: "the tokens of a tenant are listed in the order in which they were made",
    run: async (open) => {
      const store = await open();
      const late = token("t1", { created: "2026-03-02T08:00:00.000Z" });
      const early = token("t2");
      await store.addToken(late);
      await store.addToken(early);
      await store.addToken(token("t1", { tenant: "south" }));
      expectEqual(await store.listTokens("north"), [early, late], "tokens");
      expectEqual(await store.listTokens("west"), [], "a tenant without tokens");
    },
  },
  {
    rule: "token/remove",
    name: "a removed token is gone, in its tenant alone",
    run: async (open) => {
      const store = await open();
      const kept = token("t1", { tenant: "south" });
      await store.addToken(token("t1"));
      await store.addToken(kept);
      expectEqual(await store.removeToken("north", "t1"), true, "first");
      expectEqual(await store.removeToken("north", "t1"), false, "second");
      expectEqual(await store.findTokens("north", [kept.hash]), [], "found");
      expectEqual(await store.listTokens("south"), [kept], "another tenant's");
    },
  },
  {
    rule: "token/taken",
    name: "an id or a hash that a tenant has already is refused",
    run: async (open) => {
      const store = await open();
      await store.addToken(token("t1"));
      for (const taken of [token("t1", { hash: "other" }), token("t2", { hash: "hash-of-t1" })]) {
        const refused = await store.addToken(taken).then(
          () => false,
          () => true,
        );
        if (!refused) throw new ContractViolation("adding a token twice", "added", "an error");
      }
      expectEqual(await store.listTokens("north"), [token("t1")], "tokens");
    },
  },
];
