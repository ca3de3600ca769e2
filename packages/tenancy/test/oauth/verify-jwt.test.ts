/** What is signed is asked once more: whoever finds a trust has read the text of a JWT, and believed nothing of it. */
import type { JWTPayload } from "jose";
import { beforeAll, expect, test } from "vitest";
import { type JwtCheck, jwtOnDemand } from "../../src/index.ts";
import { Issuer, newKey } from "./issuer.ts";

const NOW = 1_800_000_000;
const LONGEST = 86_400;
/** By how much clocks may differ. */
const SKEW = 60;
const CLAIMS = { aud: "api://scim", sub: "entra", exp: NOW + 600 };

let issuer: Issuer;
let check: JwtCheck;

beforeAll(async () => {
  issuer = new Issuer("https://login.example", [await newKey("k1")]);
  check = jwtOnDemand({ readKeys: issuer.readKeys, now: () => NOW * 1000 });
});

type Trust = Parameters<JwtCheck>[1];

async function reasonOf(claims: JWTPayload, trust: Partial<Trust> = {}): Promise<string | null> {
  const { issuer: name, jwksUri } = issuer;
  const outcome = await check(await issuer.sign(claims), {
    issuer: name,
    jwksUri,
    audience: "api://scim",
    claim: "sub",
    subject: "entra",
    ...trust,
  });
  return outcome.kind === "refused" ? outcome.reason : null;
}

test.each<readonly [string, JWTPayload, Partial<Trust>, string | null]>([
  ["as it was entered", {}, {}, null],
  ["of another issuer", { iss: "https://id.example" }, {}, "The claim iss of the JWT is not as entered."],
  ["for another audience", { aud: ["api://other"] }, {}, "The claim aud of the JWT is not as entered."],
  ["of another subject", { sub: "okta" }, {}, "The subject of the JWT is not the one entered."],
  ["whose subject stands in another claim", { azp: "entra" }, { claim: "azp", subject: "entra" }, null],
  [
    "whose subject stands in a claim that is not asked for",
    { sub: "okta", azp: "entra" },
    {},
    "The subject of the JWT is not the one entered.",
  ],
  [
    "by an algorithm that the issuer does not sign by",
    {},
    { algorithms: ["ES256"] },
    "The signature of the JWT is not valid.",
  ],
  ["for just a day", { exp: NOW + LONGEST + SKEW }, {}, null],
  ["for longer", { exp: NOW + LONGEST + SKEW + 1 }, {}, "The JWT is good for more than 24 hours."],
])("a JWT %s", async (_name, claims, trust, reason) => {
  expect(await reasonOf({ ...CLAIMS, ...claims }, trust)).toBe(reason);
});

test.each([
  [{ groups: ["a", 1, null, { b: 1 }, "c"] }, "groups", ["a", "c"]],
  [{ groups: "a" }, "groups", ["a"]],
  [{ groups: 1 }, "groups", []],
  [{}, "constructor", []],
] as const)("of %j the claim %s tells %j", async (claims, groupClaim, groups) => {
  const { issuer: name, jwksUri } = issuer;
  const trust = { issuer: name, jwksUri, audience: "api://scim", claim: "sub", subject: "entra", groupClaim };
  expect(await check(await issuer.sign({ ...CLAIMS, ...claims }), trust)).toEqual({
    kind: "good",
    jwt: { expires: (CLAIMS.exp + SKEW) * 1000, jti: null, groups },
  });
});

test("the code that checks JWTs is loaded again where that failed", async () => {
  const lacking = new Error("EMFILE: too many open files");
  let asked = 0;
  const again = jwtOnDemand({
    get readKeys() {
      asked += 1;
      if (asked === 1) throw lacking;
      return issuer.readKeys;
    },
    now: () => NOW * 1000,
  });
  const { issuer: name, jwksUri } = issuer;
  const trust = { issuer: name, jwksUri, audience: "api://scim", claim: "sub", subject: "entra" };
  const text = await issuer.sign(CLAIMS);
  await expect(again(text, trust)).rejects.toBe(lacking);
  expect(await again(text, trust)).toHaveProperty("kind", "good");
});
