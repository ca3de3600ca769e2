/**
 * Rules of stores of tokens.
 * @module
 */
import { type ContractRule, ContractViolation, expectEqual } from "@scim/core/testing";
import { STARTED_BY } from "../admins/bootstrap-token.ts";
import type { StoredToken, TokenStore } from "../credentials/port.ts";

/** A rule of a store of tokens. */
export type TokenStoreRule = ContractRule<TokenStore>;

const AT = "2026-04-01T08:00:00.000Z";
const LATER = "2026-04-01T08:00:00.001Z";

/** A token of tenant `north`, of connection `first`, unless something else is said. */
export function sampleToken(id: string, of: Partial<StoredToken> = {}): StoredToken {
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
    scheme: "keyed",
    sealedKey: null,
    name: null,
    createdBy: null,
    lastUsed: null,
    revoked: null,
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
      const one = sampleToken("t1", {
        subject: "u1",
        expires: "2027-01-01T00:00:00.000Z",
        name: "Okta",
        createdBy: "command line",
        lastUsed: "2026-03-02T08:00:00.000Z",
      });
      const two = sampleToken("t2", { scopes: [] });
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
    name: "the tokens of a tenant, or of a connection, are listed page by page in the order of their ids",
    run: async (open) => {
      const store = await open();
      const early = sampleToken("t1");
      const late = sampleToken("t2", { connection: "okta" });
      const last = sampleToken("t3");
      for (const token of [last, late, early]) await store.addToken(token);
      await store.addToken(sampleToken("t1", { tenant: "south" }));
      expectEqual(await store.listTokens("north"), [early, late, last], "tokens");
      expectEqual(await store.listTokens("north", { connection: "okta" }), [late], "of a connection");
      const page = { after: null, count: 2 };
      expectEqual(await store.listTokens("north", { page }), [early, late], "the first page");
      const next = { page: { after: "t1", count: 2 }, connection: early.connection };
      expectEqual(await store.listTokens("north", next), [last], "behind a token, of a connection");
      expectEqual(await store.listTokens("north", { id: "t1" }), [early], "of an id");
      expectEqual(
        await store.listTokens("north", { id: "t1", connection: "okta" }),
        [],
        "of another connection",
      );
      expectEqual(await store.listTokens("west"), [], "a tenant without tokens");
    },
  },
  {
    rule: "token/remove",
    name: "a removed token is gone, in its tenant alone",
    run: async (open) => {
      const store = await open();
      const kept = sampleToken("t1", { tenant: "south" });
      await store.addToken(sampleToken("t1"));
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
      await store.addToken(sampleToken("t1"));
      for (const taken of [sampleToken("t1", { hash: "other" }), sampleToken("t2", { hash: "hash-of-t1" })]) {
        const refused = await store.addToken(taken).then(
          () => false,
          () => true,
        );
        if (!refused) throw new ContractViolation("adding a token twice", "added", "an error");
      }
      expectEqual(await store.listTokens("north"), [sampleToken("t1")], "tokens");
    },
  },
  {
    rule: "token/revoke",
    name: "a revoked token is found no more, stays in the list, and its hash is gone",
    run: async (open) => {
      const store = await open();
      const revoked = "2026-04-01T08:00:00.000Z";
      await store.addToken(sampleToken("t1"));
      await store.addToken(sampleToken("t1", { tenant: "south" }));
      expectEqual(await store.revokeToken({ tenant: "north", id: "t1" }, revoked), true, "first");
      expectEqual(await store.revokeToken({ tenant: "north", id: "t1" }, revoked), false, "second");
      expectEqual(await store.revokeToken({ tenant: "north", id: "t2" }, revoked), false, "no token");
      expectEqual(await store.findTokens("north", ["hash-of-t1"]), [], "found");
      const [listed] = await store.listTokens("north");
      expectEqual(listed?.revoked, revoked, "listed");
      expectEqual(listed?.hash === "hash-of-t1", false, "its hash");
      expectEqual((await store.findTokens("south", ["hash-of-t1"])).length, 1, "another tenant's");
      await store.addToken(sampleToken("t2", { hash: "hash-of-t1" }));
      expectEqual((await store.findTokens("north", ["hash-of-t1"])).length, 1, "made again");
    },
  },
  {
    rule: "token/purge",
    name: "tokens that were over before an instant go, but those of a start, and of others the last that was made",
    run: async (open) => {
      const store = await open();
      const by = { createdBy: "ada", expires: AT };
      const ids = async (tenant: string): Promise<readonly string[]> =>
        (await store.listTokens(tenant)).map(({ id }) => id);
      for (const token of [
        sampleToken("t1", { ...by, expires: null }),
        sampleToken("t2", by),
        sampleToken("t3", { ...by, expires: LATER }),
        sampleToken("t4", { ...by, createdBy: STARTED_BY }),
        sampleToken("t5", { ...by, createdBy: null }),
        sampleToken("t6", { ...by, created: AT }),
        sampleToken("t2", { ...by, tenant: "south" }),
      ])
        await store.addToken(token);
      await store.revokeToken({ tenant: "north", id: "t1" }, AT);
      expectEqual(await store.purgeTokens("north", AT, 9), 0, "none was over before");
      expectEqual(await store.purgeTokens("north", LATER, 1), 1, "one at a time");
      expectEqual(await store.purgeTokens("north", LATER, 9), 1, "the other");
      expectEqual(await ids("north"), ["t3", "t4", "t5", "t6"], "kept");
      await store.addToken(sampleToken("t7", { ...by, expires: null, created: LATER }));
      expectEqual(await store.purgeTokens("north", LATER, 9), 1, "it is not the last any more");
      expectEqual(await ids("north"), ["t3", "t4", "t5", "t7"], "kept then");
      expectEqual(await ids("south"), ["t2"], "another tenant's");
    },
  },
  {
    rule: "token/foreign",
    name: "a hash made elsewhere that no look-up finds is found among its tenant's, until one of the service takes its place",
    run: async (open) => {
      const store = await open();
      const foreign = sampleToken("t1", { scheme: "hmac-sha256", keyId: "", sealedKey: "sealed" });
      await store.addToken(foreign);
      await store.addToken(sampleToken("t2"));
      expectEqual(await store.findForeignTokens("north", AT), [foreign], "found");
      expectEqual(await store.findForeignTokens("south", AT), [], "another tenant");
      const ended = sampleToken("t4", { scheme: "bcrypt", keyId: "", expires: AT });
      const lasting = sampleToken("t5", { scheme: "bcrypt", keyId: "", expires: LATER });
      for (const token of [ended, lasting]) await store.addToken(token);
      expectEqual(await store.findForeignTokens("north", AT), [foreign, lasting], "one that has ended");
      await store.removeToken("north", "t5");
      await store.rehashToken(foreign, { hash: "new", keyId: "k2" }, AT);
      await store.rehashToken(foreign, { hash: "again", keyId: "k3" }, AT);
      expectEqual(await store.findForeignTokens("north", AT), [], "settled");
      const settled = { ...foreign, hash: "new", keyId: "k2", scheme: "keyed", sealedKey: null };
      expectEqual(await store.findTokens("north", ["new"]), [settled], "by its new hash");
      const plain = sampleToken("t3", { scheme: "sha256", keyId: "" });
      await store.addToken(plain);
      expectEqual(await store.findForeignTokens("north", AT), [], "found by its hash");
      expectEqual(await store.findTokens("north", ["hash-of-t3"]), [plain], "by a hash made elsewhere");
      await store.revokeToken({ tenant: "north", id: "t3" }, "2026-04-01T08:00:00.000Z");
      expectEqual(await store.findForeignTokens("north", AT), [], "revoked");
      await store.rehashToken({ tenant: "north", id: "t3" }, { hash: "new of t3", keyId: "k2" }, AT);
      const hashes = (await store.listTokens("north")).map(({ hash }) => hash);
      expectEqual(hashes.includes("new of t3"), false, "revoked for good");
    },
  },
  {
    rule: "token/foreign-again",
    name: "a hash of the service goes from a token that has ended to one of the same text, and from no other",
    run: async (open) => {
      const store = await open();
      await store.addToken(sampleToken("t1", { hash: "ours", expires: AT }));
      await store.addToken(sampleToken("t1", { tenant: "south", hash: "ours", expires: AT }));
      await store.addToken(sampleToken("t2", { scheme: "sha256", keyId: "" }));
      await store.rehashToken({ tenant: "north", id: "t2" }, { hash: "ours", keyId: "k2" }, AT);
      const ids = async (tenant: string, hash: string): Promise<readonly string[]> =>
        (await store.findTokens(tenant, [hash])).map(({ id }) => id);
      expectEqual(await ids("north", "ours"), ["t2"], "found by it");
      expectEqual(await ids("south", "ours"), ["t1"], "in another tenant");
      expectEqual((await store.listTokens("north")).length, 2, "that there are");
      await store.addToken(sampleToken("t3", { hash: "lasting", expires: LATER }));
      await store.addToken(sampleToken("t4", { scheme: "sha256", keyId: "" }));
      await store.rehashToken({ tenant: "north", id: "t4" }, { hash: "lasting", keyId: "k2" }, AT);
      expectEqual(await ids("north", "lasting"), ["t3"], "of one that has not ended");
      expectEqual(await ids("north", "hash-of-t4"), ["t4"], "beside it");
    },
  },
  {
    rule: "token/last-use",
    name: "a use is noted unless there is a later one",
    run: async (open) => {
      const store = await open();
      await store.addToken(sampleToken("t1"));
      const name = { tenant: "north", id: "t1" };
      const lastUsed = async (): Promise<string | null | undefined> =>
        (await store.listTokens("north"))[0]?.lastUsed;
      const [first, second] = ["2026-04-01T08:00:00.000Z", "2026-04-01T08:00:30.000Z"];
      await store.noteUse(name, { at: first, before: "2026-04-01T07:59:00.000Z" });
      expectEqual(await lastUsed(), first, "first");
      await store.noteUse(name, { at: second, before: "2026-04-01T07:59:30.000Z" });
      expectEqual(await lastUsed(), first, "half a minute later");
      await store.noteUse(name, { at: second, before: first });
      expectEqual(await lastUsed(), first, "since that very instant");
      await store.noteUse(name, { at: second, before: second });
      expectEqual(await lastUsed(), second, "due");
    },
  },
];
