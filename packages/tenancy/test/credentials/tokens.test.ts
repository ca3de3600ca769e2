import { createHmac } from "node:crypto";
import { isScope, SCOPES } from "@scim/core";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { encodeBase64url } from "../../src/credentials/base64url.ts";
import { issueToken, registerToken, type TokenGrant } from "../../src/credentials/issue-token.ts";
import type { StoredToken, TokenStore } from "../../src/credentials/port.ts";
import { createTokenHasher, type Hmac, type SecretKey } from "../../src/credentials/token-hash.ts";
import { isTenantName, tenantOfToken } from "../../src/credentials/token-text.ts";
import { createAuthenticator } from "../../src/credentials/authenticator.ts";
import { verifyToken } from "../../src/credentials/verify-token.ts";
import { createMemoryTenancy, createMemoryTokenStore } from "../../src/testing/index.ts";

const SECRET = "Zk3-_".repeat(8) + "abc";
const PROFILE = { name: "test", switches: new Set<never>(), rewrites: [], constraints: [] };
const hmac: Hmac = (secret, text) => createHmac("sha256", secret).update(text).digest();
const NEW: SecretKey = { id: "new", secret: new Uint8Array(32).fill(1) };
const OLD: SecretKey = { id: "old", secret: new Uint8Array(32).fill(2) };

/** Tokens in memory, with a count of the look-ups by hash. */
function countedTokens(): TokenStore & { rows(): Promise<readonly StoredToken[]>; lookups: number } {
  const tokens = createMemoryTokenStore();
  const counted = {
    ...tokens,
    lookups: 0,
    findTokens: async (tenant: string, hashes: readonly string[]) => {
      counted.lookups += 1;
      return tokens.findTokens(tenant, hashes);
    },
    rows: () => tokens.listTokens("acme"),
  };
  return counted;
}

const GRANT: TokenGrant = {
  id: "t1",
  tenant: "acme",
  connection: "okta",
  scopes: ["scim:read"],
  subject: "2819c223",
  expires: null,
  name: "laptop of Ann",
  createdBy: "ann",
};

let store: ReturnType<typeof countedTokens>;
let now: number;
let count = 0;
beforeEach(() => {
  store = countedTokens();
  now = Date.parse("2026-11-21T00:00:00.000Z");
});

function issuing(keys: readonly SecretKey[] = [NEW]) {
  const randomBytes = (length: number): Uint8Array => new Uint8Array(length).fill((count += 1));
  return {
    store,
    hasher: createTokenHasher(keys, hmac),
    randomBytes,
    now: () => new Date(now).toISOString(),
  };
}

function verification(keys: readonly SecretKey[] = [NEW]) {
  return { store, hasher: createTokenHasher(keys, hmac), now: () => now };
}

describe("the form of tokens", () => {
  test.each([
    [`scim_default_${SECRET}`, "default"],
    [`scim_acme-1_${SECRET}`, "acme-1"],
    [`scim_admin_${SECRET}`, "admin"],
    [`scim_a_${"_".repeat(43)}`, "a"],
    [`scim_${"a".repeat(63)}_${SECRET}`, "a".repeat(63)],
    [`scim_${"a".repeat(64)}_${SECRET}`, null],
    [`scim_default_${SECRET}x`, null],
    [`scim_default_${SECRET.slice(1)}`, null],
    [`scim_default_${SECRET.slice(1)}+`, null],
    [`SCIM_default_${SECRET}`, null],
    [`scim_Default_${SECRET}`, null],
    [`scim__${SECRET}`, null],
    [`scim_${SECRET}`, null],
    [` scim_default_${SECRET}`, null],
    [`scim_default_${SECRET}\n`, null],
    ["", null],
    ["eyJhbGciOiJub25lIn0.e30.", null],
  ])("'%s' names tenant %s", (text, tenant) => {
    expect(tenantOfToken(text)).toBe(tenant);
  });

  test.each([
    ["default", true],
    ["a", true],
    ["0-9", true],
    ["v2x", true],
    ["v2", false],
    ["v10", false],
    ["admin", false],
    ["-a", false],
    ["A", false],
    ["a_b", false],
    ["", false],
    ["a".repeat(64), false],
  ])("tenant name '%s': %s", (name, valid) => {
    expect(isTenantName(name)).toBe(valid);
  });

  test("scopes are known by name", () => {
    expect(SCOPES.every(isScope)).toBe(true);
    expect(isScope("scim:admin")).toBe(false);
  });

  test.each([
    ["scim:read:User", true],
    ["scim:write:x", true],
    [`scim:delete:T${"-".repeat(127)}`, true],
    [`scim:delete:T${"-".repeat(128)}`, false],
    ["scim:read:", false],
    ["scim:read:1User", false],
    ["scim:read:User:Group", false],
    ["scim:read:User ", false],
    ["scim:bulk:User", false],
    ["admin:tenant:a", true],
    [`admin:tenant:${"a".repeat(63)}`, true],
    [`admin:tenant:${"a".repeat(64)}`, false],
    ["admin:tenant:", false],
  ])("a scope of one type, or one tenant, is known by its form: '%s', %s", (text, valid) => {
    expect(isScope(text)).toBe(valid);
  });

  test("base64url agrees with the platform's", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expect(encodeBase64url(bytes)).toBe(Buffer.from(bytes).toString("base64url"));
      }),
    );
  });
});

describe("issuing", () => {
  test("R7644-7.7-01 stores a keyed hash, never the text", async () => {
    const text = await issueToken(GRANT, issuing());
    expect(text).toMatch(/^scim_acme_[A-Za-z0-9_-]{43}$/);
    const [row] = await store.rows();
    expect(row).toEqual({
      ...GRANT,
      hash: row?.hash,
      keyId: "new",
      scheme: "keyed",
      sealedKey: null,
      created: "2026-11-21T00:00:00.000Z",
      lastUsed: null,
      revoked: null,
    });
    expect(row?.hash).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(JSON.stringify(row)).not.toContain(text.slice(-43));
  });

  test.each(["A", "v2", "a_b", ""])("refuses tenant '%s'", async (tenant) => {
    await expect(issueToken({ ...GRANT, tenant }, issuing())).rejects.toThrow(TypeError);
    expect(await store.rows()).toEqual([]);
  });

  test("registers a text chosen elsewhere, if it has the form of its tenant", async () => {
    const text = `scim_acme_${SECRET}`;
    await registerToken(text, GRANT, issuing());
    expect(await verifyToken(text, verification())).toMatchObject({ id: "t1" });
    await expect(registerToken("hunter2", GRANT, issuing())).rejects.toThrow("scim_acme_<43 characters");
    await expect(registerToken(`scim_other_${SECRET}`, GRANT, issuing())).rejects.toThrow(TypeError);
  });

  test("needs keys of 32 bytes", () => {
    expect(() => createTokenHasher([], hmac)).toThrow("at least one key");
    expect(() => createTokenHasher([{ id: "k", secret: new Uint8Array(31) }], hmac)).toThrow("'k'");
  });
});

describe("verifying", () => {
  test("finds the token of a text", async () => {
    const text = await issueToken(GRANT, issuing());
    expect(await verifyToken(text, verification())).toEqual((await store.rows())[0]);
  });

  test("an unknown, changed or foreign text is refused", async () => {
    const text = await issueToken(GRANT, issuing());
    const changed = text.slice(0, -1) + (text.endsWith("A") ? "B" : "A");
    for (const wrong of [changed, text.replace("acme", "other"), text.toUpperCase(), `${text} `]) {
      expect(await verifyToken(wrong, verification())).toBeNull();
    }
  });

  test("a malformed text never reaches the store", async () => {
    expect(await verifyToken("x' OR 1=1", verification())).toBeNull();
    expect(store.lookups).toBe(0);
  });

  test("R7644-7.4-01 an expired token is refused from its last instant on", async () => {
    const expires = new Date(now + 1000).toISOString();
    const text = await issueToken({ ...GRANT, expires }, issuing());
    now += 999;
    expect(await verifyToken(text, verification())).not.toBeNull();
    now += 1;
    expect(await verifyToken(text, verification())).toBeNull();
  });

  test("keys can be changed while in use: the first signs, all verify", async () => {
    const before = await issueToken(GRANT, issuing([OLD]));
    const after = await issueToken({ ...GRANT, id: "t2" }, issuing([NEW, OLD]));
    expect((await store.rows()).map((row) => row.keyId)).toEqual(["old", "new"]);
    expect(await verifyToken(before, verification([NEW, OLD]))).toMatchObject({ keyId: "old" });
    expect(await verifyToken(after, verification([NEW, OLD]))).toMatchObject({ keyId: "new" });
    expect(await verifyToken(before, verification([NEW]))).toBeNull();
  });

  test("a store that answers with rows of another hash is not believed", async () => {
    await issueToken(GRANT, issuing());
    store.findTokens = () => store.rows();
    expect(await verifyToken(`scim_acme_${SECRET}`, verification())).toBeNull();
  });
});

describe("the authenticator", () => {
  let tenancy: ReturnType<typeof createMemoryTenancy>;
  beforeEach(() => {
    tenancy = createMemoryTenancy();
  });

  const authenticatorOf = (cacheMs?: number) => {
    const authenticate = createAuthenticator({
      ...verification(),
      ...tenancy,
      profileOf: ({ tenant, connection }) => ({ ...PROFILE, name: `${tenant}/${connection}` }),
      ...(cacheMs === undefined ? {} : { cacheMs }),
    });
    return (text: string) => authenticate(text, null);
  };

  test("tells whose request it is", async () => {
    const text = await issueToken(GRANT, issuing());
    expect(await authenticatorOf()(text)).toEqual({
      tenant: "acme",
      connection: "okta",
      credential: "t1",
      name: "laptop of Ann",
      rate: null,
      scopes: new Set(["scim:read"]),
      subject: "2819c223",
      profile: { ...PROFILE, name: "acme/okta" },
    });
    expect(await authenticatorOf()(`scim_acme_${SECRET}`)).toBeNull();
  });

  test("looks a token up once in a burst, and a refused one each time", async () => {
    const text = await issueToken(GRANT, issuing());
    const authenticate = authenticatorOf();
    for (let call = 0; call < 10; call += 1) expect(await authenticate(text)).not.toBeNull();
    expect(store.lookups).toBe(1);
    for (let call = 0; call < 3; call += 1) expect(await authenticate(`scim_acme_${SECRET}`)).toBeNull();
    expect(store.lookups).toBe(4);
  });

  test.each([[undefined], [1000], [3_600_000], [0]])(
    "a revoked token is refused within a second (cacheMs %s)",
    async (cacheMs) => {
      const text = await issueToken(GRANT, issuing());
      const authenticate = authenticatorOf(cacheMs);
      await authenticate(text);
      await store.removeToken("acme", "t1");
      now += 1000;
      expect(await authenticate(text)).toBeNull();
    },
  );

  test("a remembered token still expires, and a clock set back forgets", async () => {
    const text = await issueToken({ ...GRANT, expires: new Date(now + 100).toISOString() }, issuing());
    const authenticate = authenticatorOf();
    expect(await authenticate(text)).not.toBeNull();
    now += 100;
    expect(await authenticate(text)).toBeNull();
    now -= 3_600_000;
    await store.removeToken("acme", "t1");
    expect(await authenticate(text)).toBeNull();
  });
});
