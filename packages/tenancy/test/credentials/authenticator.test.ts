import { createHash, createHmac } from "node:crypto";
import { PROFILES } from "@scim/core";
import { beforeEach, describe, expect, test } from "vitest";
import {
  changeConnection,
  changeTenant,
  createAuthenticator,
  createConnection,
  createTenant,
  createToken,
  deleteConnection,
  deleteTenant,
  importToken,
  revokeToken,
  type ForeignHashes,
  type ImportedToken,
  type TokenStore,
} from "../../src/index.ts";
import { testPorts, type TestPorts } from "../administration/ports.ts";

let ports: TestPorts;
let now: number;
let compared: number;
beforeEach(async () => {
  ports = testPorts();
  now = Date.parse(ports.now());
  compared = 0;
  await createTenant(ports, { tenant: "acme" });
  await createConnection(ports, { tenant: "acme", connection: "okta" }, { rate: { perSecond: 1, burst: 2 } });
});

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmacSha256 = (key: string, text: string): string =>
  createHmac("sha256", key).update(text).digest("hex");
/** Stands for the hash of `legacy`: what compares is counted, and not repeated here. */
const BCRYPT = `$2b$10$${"a".repeat(53)}`;
const foreign: ForeignHashes = {
  sha256,
  hmacSha256,
  bcrypt: async (text, hash) => {
    compared += 1;
    return text === "legacy" && hash === BCRYPT;
  },
  open: (sealed) => Buffer.from(sealed, "hex").toString(),
};

function authenticator(
  of: Partial<TokenStore> = {},
  turn?: ForeignHashes["turn"],
  hashes: Partial<ForeignHashes> = {},
) {
  return createAuthenticator({
    store: { ...ports.tokens, ...of },
    hasher: ports.hasher,
    tenants: ports.tenants,
    connections: ports.connections,
    now: () => now,
    profileOf: () => PROFILES.tolerant,
    foreign: { ...foreign, turn, ...hashes },
  });
}

const ACME = { tenant: "acme", expected: null };
const OKTA = { ...ACME, connection: "okta" };

describe("what a principal is told by", () => {
  test("the rate and the states of its connection", async () => {
    const { text } = await createToken(ports, { ...OKTA, createdBy: "ann" });
    expect(await authenticator()(text, null)).toMatchObject({
      connection: "okta",
      rate: { perSecond: 1, burst: 2 },
    });
  });

  test.each<[string, () => Promise<unknown>, (() => Promise<unknown>) | null]>([
    [
      "a suspended tenant",
      () => changeTenant(ports, ACME, { state: "suspended" }),
      () => changeTenant(ports, ACME, { state: "active" }),
    ],
    [
      "a suspended connection",
      () => changeConnection(ports, OKTA, { state: "suspended" }),
      () => changeConnection(ports, OKTA, { state: "active" }),
    ],
    ["a deleted connection", () => deleteConnection(ports, OKTA), null],
    [
      "a deleted tenant",
      async () => {
        await changeTenant(ports, ACME, { state: "suspended" });
        const settled = async () => undefined;
        await deleteTenant(ports, {
          ...ACME,
          exported: true,
          batch: 9,
          settled,
          onProgress: () => undefined,
        });
      },
      null,
    ],
    [
      "a revoked token",
      async () => {
        const [token] = await ports.tokens.listTokens("acme");
        await revokeToken(ports, { tenant: "acme", id: token?.id ?? "" });
      },
      null,
    ],
  ])("%s is refused within a second, also where the token was just used", async (_, suspend, resume) => {
    const { text } = await createToken(ports, { ...OKTA, createdBy: "ann" });
    const authenticate = authenticator();
    expect(await authenticate(text, null)).not.toBeNull();
    await suspend();
    now += 1000;
    expect(await authenticate(text, null)).toBeNull();
    if (resume === null) return;
    // What is refused is not remembered.
    await resume();
    expect(await authenticate(text, null)).not.toBeNull();
  });

  test("a tenant and a connection without a row count as active", async () => {
    const { text } = await createToken(ports, { ...OKTA, createdBy: "ann" });
    const store = { find: async () => null };
    const authenticate = createAuthenticator({
      store: ports.tokens,
      hasher: ports.hasher,
      tenants: store,
      connections: store,
      now: () => now,
      profileOf: () => PROFILES.tolerant,
    });
    // Programs of earlier releases wrote tokens of tenants and connections that have no row.
    expect(await authenticate(text, null)).not.toBeNull();
  });
});

describe("tokens that were made elsewhere", () => {
  test.each<[string, Pick<ImportedToken, "scheme" | "hash" | "key">]>([
    ["sha256", { scheme: "sha256", hash: sha256("legacy") }],
    ["hmac-sha256", { scheme: "hmac-sha256", hash: hmacSha256("pepper", "legacy"), key: "pepper" }],
    ["bcrypt", { scheme: "bcrypt", hash: BCRYPT }],
  ])("by %s are good at the address of their tenant, and hashed anew on first use", async (_, of) => {
    await importToken(ports, { ...OKTA, ...of, createdBy: "ann", scopes: ["scim:read"] });
    const authenticate = authenticator();
    for (const tenant of [null, "globex", "admin"]) expect(await authenticate("legacy", tenant)).toBeNull();
    expect(await authenticate("legacx", "acme")).toBeNull();
    expect(await authenticate("legacy", "acme")).toMatchObject({
      connection: "okta",
      scopes: new Set(["scim:read"]),
    });
    const [stored] = await ports.tokens.listTokens("acme");
    expect(stored).toMatchObject({ scheme: "keyed", sealedKey: null, ...ports.hasher.sign("legacy") });
    const before = compared;
    now += 10_000;
    expect(await authenticate("legacy", "acme")).not.toBeNull();
    expect(compared).toBe(before);
  });

  test("with one text in two tenants stand for what they are at each address, also right after each other", async () => {
    await createTenant(ports, { tenant: "globex" });
    const wanted = { scheme: "sha256", hash: sha256("legacy"), createdBy: "ann" } as const;
    await importToken(ports, { ...OKTA, ...wanted });
    await importToken(ports, { tenant: "globex", connection: "default", ...wanted });
    const authenticate = authenticator();
    for (const tenant of ["acme", "globex", "acme"])
      expect(await authenticate("legacy", tenant)).toMatchObject({ tenant });
    expect(await authenticate("legacy", null)).toBeNull();
  });

  test("a token of our own form is never compared with their hashes", async () => {
    await importToken(ports, { ...OKTA, scheme: "bcrypt", hash: BCRYPT, createdBy: "ann" });
    const { text } = await createToken(ports, { ...OKTA, createdBy: "ann" });
    const authenticate = authenticator();
    expect(await authenticate(text, "acme")).not.toBeNull();
    expect(await authenticate(`${text.slice(0, -1)}${text.endsWith("A") ? "B" : "A"}`, "acme")).toBeNull();
    expect(compared).toBe(0);
  });

  test("is let in too where another request gave it our hash just before", async () => {
    const hash = hmacSha256("pepper", "legacy");
    const id = await importToken(ports, {
      ...OKTA,
      scheme: "hmac-sha256",
      hash,
      key: "pepper",
      createdBy: "ann",
    });
    const authenticate = authenticator({
      findForeignTokens: async (tenant, at) => {
        await ports.tokens.rehashToken({ tenant, id }, ports.hasher.sign("legacy"), at);
        return ports.tokens.findForeignTokens(tenant, at);
      },
    });
    expect(await authenticate("legacy", "acme")).toMatchObject({ credential: id });
  });

  test("cost a text that is none of them one hash of each kind, and one for each key", async () => {
    const pad = (at: number): string => String(at).padStart(64, "0");
    for (let at = 0; at < 200; at += 1)
      await importToken(ports, { ...OKTA, scheme: "sha256", hash: pad(at), createdBy: "ann" });
    for (let at = 200; at < 290; at += 1) {
      const key = `pepper ${at % 3}`;
      await importToken(ports, { ...OKTA, scheme: "hmac-sha256", hash: pad(at), key, createdBy: "ann" });
    }
    const hash = hmacSha256("pepper 1", "legacy");
    await importToken(ports, { ...OKTA, scheme: "hmac-sha256", hash, key: "pepper 1", createdBy: "ann" });
    const hashed: string[] = [];
    const authenticate = authenticator({}, undefined, {
      sha256: (text) => {
        hashed.push("sha256");
        return sha256(text);
      },
      hmacSha256: (key, text) => {
        hashed.push(key);
        return hmacSha256(key, text);
      },
    });
    expect(await authenticate("junk", "acme")).toBeNull();
    expect(hashed.toSorted()).toEqual(["pepper 0", "pepper 1", "pepper 2", "sha256"]);
    expect(await authenticate("legacy", "acme")).not.toBeNull();
  });

  test("takes the turn of its address before bcrypt alone, gives it back, and compares nothing that was found meanwhile", async () => {
    const told: string[] = [];
    const turn = async (address: string): Promise<() => void> => {
      told.push(address);
      return () => void told.push("ended");
    };
    await importToken(ports, { ...OKTA, scheme: "sha256", hash: sha256("quick"), createdBy: "ann" });
    const id = await importToken(ports, { ...OKTA, scheme: "bcrypt", hash: BCRYPT, createdBy: "ann" });
    const authenticate = authenticator({}, turn);
    expect(await authenticate("quick", "acme", { address: "192.0.2.1" })).not.toBeNull();
    expect(told).toEqual([]);
    expect(await authenticate("junk", "acme", { address: "192.0.2.2" })).toBeNull();
    expect(told).toEqual(["192.0.2.2", "ended"]);
    const late = authenticator({}, async () => {
      await ports.tokens.rehashToken({ tenant: "acme", id }, ports.hasher.sign("legacy"), ports.now());
      return () => undefined;
    });
    const before = compared;
    expect(await late("legacy", "acme", { address: "192.0.2.3" })).toMatchObject({ credential: id });
    expect(compared).toBe(before);
  });

  test("that is compared with dear hashes gives its turn to others after five seconds, and goes on where it was", async () => {
    const hashes = Array.from({ length: 12 }, (_, at) => `$2b$14$${String(at).padStart(53, "0")}`);
    for (const hash of hashes)
      await importToken(ports, { ...OKTA, scheme: "bcrypt", hash, createdBy: "ann" });
    const turns: string[][] = [];
    const authenticate = authenticator(
      {},
      async () => {
        turns.push([]);
        return () => void turns.at(-1)?.push("ended");
      },
      {
        bcrypt: async (text, hash) => {
          turns.at(-1)?.push(hash);
          now += 2000;
          return text === "legacy" && hash === hashes[4];
        },
      },
    );
    expect(await authenticate("junk", "acme")).toBeNull();
    expect(turns.map((turn) => turn.length)).toEqual([4, 4, 4, 4]);
    expect(turns.flatMap((turn) => turn.slice(0, -1)).toSorted()).toEqual(hashes);
    turns.length = 0;
    expect(await authenticate("legacy", "acme")).not.toBeNull();
    expect(turns.map((turn) => turn.at(-1))).toEqual(turns.map(() => "ended"));
    // What goes back in time has a turn of one hash, and comes to an end.
    turns.length = 0;
    const back = authenticator({}, async () => () => void turns.push([]), {
      bcrypt: async () => {
        now -= 1000;
        return false;
      },
    });
    expect(await back("junk", "acme")).toBeNull();
    expect(turns).toHaveLength(11);
  });

  test("is none whose first 72 bytes alone are those of another, which is all that bcrypt looks at", async () => {
    const legacy = `${"ä".repeat(35)}ab`;
    const id = await importToken(ports, { ...OKTA, scheme: "bcrypt", hash: BCRYPT, createdBy: "ann" });
    const texts: string[] = [];
    const authenticate = authenticator({}, undefined, {
      bcrypt: async (text) => {
        texts.push(text);
        return Buffer.from(text).subarray(0, 72).equals(Buffer.from(legacy));
      },
    });
    expect(await authenticate(`${legacy}c`, "acme")).toBeNull();
    expect(texts).toEqual([]);
    expect(await authenticate(legacy, "acme")).toMatchObject({ credential: id });
  });

  test.each([
    [4096, true],
    [4097, false],
  ])("of %i characters is looked for: %s", async (length, isLookedFor) => {
    const text = "x".repeat(length);
    await importToken(ports, { ...OKTA, scheme: "sha256", hash: sha256(text), createdBy: "ann" });
    expect((await authenticator()(text, "acme")) !== null).toBe(isLookedFor);
  });

  test("is refused where it was revoked while it was compared", async () => {
    const id = await importToken(ports, { ...OKTA, scheme: "bcrypt", hash: BCRYPT, createdBy: "ann" });
    const authenticate = authenticator({
      rehashToken: async (name, hash, at) => {
        await revokeToken(ports, { tenant: "acme", id });
        await ports.tokens.rehashToken(name, hash, at);
      },
    });
    expect(await authenticate("legacy", "acme")).toBeNull();
  });

  test.each<[string, Pick<ImportedToken, "scheme" | "hash" | "key">]>([
    ["sha256", { scheme: "sha256", hash: sha256("legacy") }],
    ["hmac-sha256", { scheme: "hmac-sha256", hash: hmacSha256("pepper", "legacy"), key: "pepper" }],
    ["bcrypt", { scheme: "bcrypt", hash: BCRYPT }],
  ])("by %s that was used and has ended is good again where it is imported again", async (_, of) => {
    const wanted = { ...OKTA, ...of, createdBy: "ann" };
    await importToken(ports, { ...wanted, expires: new Date(now + 1000).toISOString() });
    const authenticate = authenticator();
    expect(await authenticate("legacy", "acme")).not.toBeNull();
    now += 1000;
    expect(await authenticate("legacy", "acme")).toBeNull();
    const id = await importToken(ports, { ...wanted, expires: null });
    expect(await authenticate("legacy", "acme")).toMatchObject({ credential: id });
    now += 10_000;
    expect(await authenticate("legacy", "acme")).toMatchObject({ credential: id });
  });

  test("one that has expired or was revoked is refused", async () => {
    const expires = new Date(now + 1000).toISOString();
    await importToken(ports, { ...OKTA, scheme: "sha256", hash: sha256("short"), expires, createdBy: "ann" });
    const id = await importToken(ports, {
      ...OKTA,
      scheme: "sha256",
      hash: sha256("gone"),
      createdBy: "ann",
    });
    await revokeToken(ports, { tenant: "acme", id });
    now += 1000;
    const authenticate = authenticator();
    expect(await authenticate("short", "acme")).toBeNull();
    expect(await authenticate("gone", "acme")).toBeNull();
  });
});

describe("texts that are no tokens", () => {
  test.each([
    "",
    " ",
    "x".repeat(100_000),
    `scim_acme_${"x".repeat(100_000)}`,
    "eyJhbGciOiJub25lIn0.eyJ0ZW5hbnQiOiJhY21lIn0.",
    "eyJhbGciOiJOb25lIn0.eyJzY29wZSI6ImFkbWluIn0.x",
    "scim_acme_",
    "scim_admin_../acme",
    "scim_ACME_' OR 1=1",
    "\u0000",
    "constructor",
    "__proto__",
  ])("are refused (%j)", async (text) => {
    await importToken(ports, { ...OKTA, scheme: "bcrypt", hash: BCRYPT, createdBy: "ann" });
    const authenticate = authenticator();
    for (const tenant of [null, "acme", "__proto__"]) expect(await authenticate(text, tenant)).toBeNull();
    // What is longer than any token is not even compared.
    expect(compared).toBe(text.length > 4096 ? 0 : 1);
  });
});
