/** Whoever may enter an issuer decides what stands at the address of its keys, and all tenants share the memory that holds them. */
import type { JWK } from "jose";
import { SignJWT } from "jose";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type JwtCheck, jwtOnDemand } from "../../src/index.ts";
import { type IssuerKey, newKey } from "./issuer.ts";

const NOW = 1_800_000_000;
const ISSUER = "https://login.example";
const TRUST = { issuer: ISSUER, audience: "api://scim", claim: "sub", subject: "entra" };

let key: IssuerKey;
let named: string;
let unnamed: string;

/** What stands at each address, and how often it was read. */
let published: (address: string) => unknown;
let reads: Map<string, number>;
let check: JwtCheck;

async function sign(
  header: Readonly<Record<string, string>>,
  by: CryptoKey = key.privateKey,
): Promise<string> {
  return new SignJWT({ iss: ISSUER, aud: "api://scim", sub: "entra", exp: NOW + 600 })
    .setProtectedHeader({ alg: key.alg, ...header })
    .sign(by);
}

beforeAll(async () => {
  key = await newKey("k1", "ES256");
  named = await sign({ kid: "k1" });
  unnamed = await sign({});
});

beforeEach(() => {
  reads = new Map();
  check = jwtOnDemand({
    readKeys: async (address) => {
      reads.set(address, (reads.get(address) ?? 0) + 1);
      return published(address);
    },
    now: () => NOW * 1000,
  });
});

async function outcome(text: string, address = "https://login.example/keys"): Promise<string> {
  return (await check(text, { ...TRUST, jwksUri: address })).kind;
}

/** Asks for the keys of so many addresses, one after another; and of another one behind each. */
async function askAll(count: number, between?: string): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    expect(await outcome(named, `https://login.example/${at}`)).toBe("good");
    if (between !== undefined) expect(await outcome(named, between)).toBe("good");
  }
}

describe("of a key", () => {
  test.each<readonly [string, Readonly<Record<string, unknown>>, string, string]>([
    ["as it is", {}, "good", "good"],
    ["with members that nobody asks for", { x5c: ["MII…"], more: [{}, {}] }, "good", "good"],
    ["that is to verify", { key_ops: ["verify"] }, "good", "good"],
    ["that is to sign", { key_ops: ["sign"] }, "refused", "refused"],
    ["whose uses are none", { key_ops: "verify" }, "refused", "refused"],
    ["whose uses are more than there are", { key_ops: Array(9).fill("verify") }, "refused", "refused"],
    ["to encrypt", { use: "enc" }, "refused", "refused"],
    ["whose use is no text", { use: ["sig"] }, "refused", "refused"],
    ["whose algorithm is no text", { alg: null }, "refused", "refused"],
    ["whose name is no text", { kid: 1 }, "refused", "good"],
    ["that is private", { d: "AAAA" }, "refused", "refused"],
  ])("%s", async (_which, more, byName, byNone) => {
    published = () => ({ keys: [{ ...key.jwk, ...more }] });
    expect([await outcome(named), await outcome(unnamed)]).toEqual([byName, byNone]);
  });
});

describe("of an RSA key", () => {
  /** The same number, longer. */
  const padded = (text: string, bytes: number): string => {
    const number = Buffer.from(text, "base64url");
    return Buffer.concat([Buffer.alloc(bytes - number.length), number]).toString("base64url");
  };

  test.each([
    ["of the usual exponent", 256, 3, "good"],
    ["of 8192 bits", 1024, 4, "good"],
    ["of a longer modulus", 1032, 3, "refused"],
    ["of a longer exponent", 256, 5, "refused"],
  ])("%s", async (_which, modulus, exponent, expected) => {
    const { jwk, privateKey } = await newKey("k1");
    const [n, e] = [padded(jwk.n ?? "", modulus), padded(jwk.e ?? "", exponent)];
    published = () => ({ keys: [{ ...jwk, n, e }] });
    expect(await outcome(await sign({ alg: "RS256", kid: "k1" }, privateKey))).toBe(expected);
  });
});

test.each([
  ["is tried behind 19 others that may have signed it", 19, { kind: "good" }],
  [
    "is not tried behind 20 of them, which is said",
    20,
    { kind: "refused", reason: "The JWT names no key, and more than 20 of its issuer may have signed it." },
  ],
])("the key of a JWT that names none %s", async (_which, count, expected) => {
  const { jwk } = await newKey("other", "ES256");
  published = () => ({ keys: [...Array.from({ length: count }, () => jwk), key.jwk] });
  expect(await check(unnamed, { ...TRUST, jwksUri: "https://login.example/keys" })).toMatchObject(expected);
});

describe("sets of keys", () => {
  const others = (count: number, modulus: number): readonly JWK[] =>
    Array.from({ length: count }, (_, at) => ({
      kty: "RSA",
      kid: `${at}`,
      e: "AQAB",
      n: "A".repeat(modulus),
    }));

  test("are kept without what nobody asks for, however much that is", async () => {
    published = () => ({ keys: [{ ...key.jwk, more: "x".repeat(250_000) }] });
    await askAll(400);
    await askAll(400);
    expect(new Set(reads.values())).toEqual(new Set([1]));
  });

  test.each([
    ["that are many", 1001, 0, 0],
    ["that are large", 400, 99, 1300],
  ])("%s make the one go that was not asked for longest", async (_which, count, beside, modulus) => {
    published = () => ({ keys: [...others(beside, modulus), key.jwk] });
    await askAll(count, "https://login.example/asked");
    for (const at of ["asked", `${count - 1}`, "0"]) await outcome(named, `https://login.example/${at}`);
    const readsOf = (at: string): number | undefined => reads.get(`https://login.example/${at}`);
    expect([readsOf("asked"), readsOf(`${count - 1}`), readsOf("0")]).toEqual([1, 1, 2]);
  });
});
