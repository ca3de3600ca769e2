import { createHash } from "node:crypto";
import { isScope, type Scope } from "@scim/core";
import { beforeEach, describe, expect, test } from "vitest";
import {
  createTenant,
  createToken,
  DEFAULT_LIFETIME_MS,
  findToken,
  importToken,
  revokeToken,
  type ImportedToken,
  type NewToken,
} from "../../src/index.ts";
import { NOW, testPorts, type TestPorts } from "./ports.ts";

let ports: TestPorts;
beforeEach(async () => {
  ports = testPorts();
  await createTenant(ports, { tenant: "acme" });
});

const stored = async (tenant = "acme") => (await ports.tokens.listTokens(tenant))[0];

describe("making", () => {
  test("one of many is found without the others", async () => {
    for (const name of ["a", "b"]) await createToken(ports, { tenant: "acme", name, createdBy: "ann" });
    const read: number[] = [];
    const listTokens: typeof ports.tokens.listTokens = async (...asked) => {
      const rows = await ports.tokens.listTokens(...asked);
      read.push(rows.length);
      return rows;
    };
    const { id = "" } = (await stored()) ?? {};
    const found = await findToken({ tokens: { ...ports.tokens, listTokens } }, { tenant: "acme", id });
    expect([found.id, read]).toEqual([id, [1]]);
  });

  test("a token ends after a year unless something else is said", async () => {
    await createToken(ports, { tenant: "acme", name: "Okta", createdBy: "ann" });
    expect(await stored()).toMatchObject({
      name: "Okta",
      createdBy: "ann",
      scopes: ["scim"],
      expires: "2027-11-21T00:00:00.000Z",
    });
  });

  test("it has each scope once", async () => {
    const scopes = ["scim:read", "scim:write", "scim:read"] as const;
    await createToken(ports, { tenant: "acme", scopes, createdBy: "ann" });
    expect(await stored()).toMatchObject({ scopes: ["scim:read", "scim:write"] });
  });

  test("null is never", async () => {
    await createToken(ports, { tenant: "acme", expires: null, createdBy: "ann" });
    expect(await stored()).toMatchObject({ expires: null });
  });

  test("it is told without what would open the door", async () => {
    const { text, id } = await createToken(ports, {
      tenant: "acme",
      subject: "u1",
      scopes: ["scim:read:User"],
      createdBy: "ann",
    });
    const told = ports.acts.at(-1);
    expect(told).toMatchObject({
      type: "Token",
      id: `acme/${id}`,
      kind: "created",
      after: { tenant: "acme", connection: "default", scopes: ["scim:read:User"], subject: "u1" },
    });
    const row = await stored();
    expect(JSON.stringify(told)).not.toContain(text.slice(-43));
    expect(JSON.stringify(told)).not.toContain(row?.hash ?? "none");
  });

  test.each<[Partial<NewToken>, string]>([
    [{ tenant: "nowhere" }, "notFound"],
    [{ connection: "nowhere" }, "notFound"],
    [{ scopes: [] }, "invalid"],
    [{ scopes: Array.from({ length: 51 }, (): Scope => "scim") }, "invalid"],
    [{ scopes: ["admin"] }, "invalid"],
    [{ scopes: ["scim:read:User", "scim:write:user"] }, "invalid"],
    [{ scopes: ["admin:support"] }, "invalid"],
    [{ tenant: "admin", scopes: ["scim"] }, "invalid"],
    [{ tenant: "admin", scopes: ["admin:tenant:nowhere"] }, "notFound"],
    [{ name: " " }, "invalid"],
    [{ name: "x".repeat(257) }, "invalid"],
    [{ name: "a\nb" }, "invalid"],
    [{ subject: "" }, "invalid"],
    [{ subject: "a\0b" }, "invalid"],
    [{ expires: "2026-11-21T00:00:00.000Z" }, "invalid"],
    [{ expires: "soon" }, "invalid"],
  ])("%j is refused as %s", async (of, code) => {
    await expect(createToken(ports, { tenant: "acme", createdBy: "ann", ...of })).rejects.toMatchObject({
      code,
    });
  });

  test.each([
    ["admin", true],
    ["admin:operator", true],
    ["admin:support", true],
    ["admin:tenant:acme", true],
    ["admin:tenant:", false],
    ["admin:tenant:a b", false],
    ["admin:owner", false],
    ["scim:read:User", true],
    ["scim:admin", false],
  ])("the scope '%s': %s", (text, known) => {
    expect(isScope(text)).toBe(known);
  });
});

describe("revoking", () => {
  test("is final, kept and told", async () => {
    const { id } = await createToken(ports, { tenant: "acme", createdBy: "ann" });
    await revokeToken(ports, { tenant: "acme", id });
    expect(await stored()).toMatchObject({ revoked: ports.now() });
    expect(ports.acts.at(-1)).toMatchObject({ kind: "replaced", after: { revoked: ports.now() } });
    const told = ports.acts.length;
    await expect(revokeToken(ports, { tenant: "acme", id })).rejects.toMatchObject({ code: "notFound" });
    await expect(revokeToken(ports, { tenant: "acme", id: "x" })).rejects.toMatchObject({ code: "notFound" });
    expect(ports.acts).toHaveLength(told);
  });
});

describe("importing", () => {
  const SHA = createHash("sha256").update("legacy").digest("hex");
  const BCRYPT = `$2b$10$${"a".repeat(53)}`;
  const wanted = (of: Partial<ImportedToken> = {}): ImportedToken => ({
    tenant: "acme",
    scheme: "sha256",
    hash: SHA.toUpperCase(),
    createdBy: "ann",
    ...of,
  });

  test("keeps the hash as it was made, and the key sealed", async () => {
    await importToken(ports, wanted({ scheme: "hmac-sha256", key: "pepper" }));
    expect(await stored()).toMatchObject({
      scheme: "hmac-sha256",
      hash: SHA,
      sealedKey: Buffer.from("pepper").toString("hex"),
    });
    expect(ports.acts.at(-1)).toMatchObject({ after: { importedAs: "hmac-sha256" } });
    expect(JSON.stringify(ports.acts)).not.toMatch(/pepper|706570706572/);
    await expect(importToken(ports, wanted())).rejects.toMatchObject({ code: "exists" });
  });

  test.each<[string, Partial<ImportedToken>]>([
    ["no hash", { hash: "" }],
    ["too short", { hash: SHA.slice(1) }],
    ["no digits", { hash: "g".repeat(64) }],
    ["a key where none belongs", { key: "pepper" }],
    ["no key", { scheme: "hmac-sha256" }],
    ["an empty key", { scheme: "hmac-sha256", key: "" }],
    ["a key of endless length", { scheme: "hmac-sha256", key: "k".repeat(1025) }],
    ["bcrypt of another form", { scheme: "bcrypt", hash: SHA }],
    ["bcrypt that would take minutes", { scheme: "bcrypt", hash: BCRYPT.replace("$10$", "$20$") }],
    ["a token of administrators", { tenant: "admin" }],
  ])("%s is refused", async (_, of) => {
    await expect(importToken(ports, wanted(of))).rejects.toMatchObject({ code: "invalid" });
  });

  test.each<[ImportedToken["scheme"], number, (count: number) => Partial<ImportedToken>]>([
    ["bcrypt", 50, (count) => ({ hash: `$2b$10$${String(count).padStart(53, "a")}` })],
    ["hmac-sha256", 100, (count) => ({ hash: String(count).padStart(64, "0"), key: `pepper ${count}` })],
  ])("a tenant has %s of %i at most that were not used yet", async (scheme, most, of) => {
    const make = (count: number): Promise<string> => importToken(ports, wanted({ scheme, ...of(count) }));
    for (let count = 0; count < most; count += 1) await make(count);
    await expect(make(most)).rejects.toMatchObject({
      code: "refused",
      message: expect.stringContaining(`has ${most} tokens with a hash by ${scheme} that were not used yet`),
    });
    await expect(importToken(ports, wanted({ hash: SHA }))).resolves.toMatch(/^id-/);
    const [first] = await ports.tokens.findForeignTokens("acme", NOW);
    await revokeToken(ports, { tenant: "acme", id: first?.id ?? "" });
    await expect(make(most)).resolves.toMatch(/^id-/);
    // Those that ended unused are in the way of none.
    const afterTheirEnd = {
      ...ports,
      now: () => new Date(Date.parse(NOW) + DEFAULT_LIFETIME_MS).toISOString(),
    };
    await expect(importToken(afterTheirEnd, wanted({ scheme, ...of(most + 1) }))).resolves.toMatch(/^id-/);
  });

  test("a tenant has as many of sha256 as it likes", async () => {
    const ids = new Set<string>();
    for (let count = 0; count < 200; count += 1)
      ids.add(await importToken(ports, wanted({ scheme: "sha256", hash: String(count).padStart(64, "0") })));
    expect(ids.size).toBe(200);
  });
});
