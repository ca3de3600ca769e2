import { SignJWT, exportJWK } from "jose";
import { generateKeyPairSync } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addClientTrust } from "../../src/index.ts";
import { Issuer, type IssuerKey, newKey } from "./issuer.ts";
import { type MadeClient, type OAuthService, oauthService, START } from "./oauth-service.ts";

const AUDIENCE = "https://scim.example/oauth2/token";
const NOW = START / 1000;
const TIMES = { iat: NOW, exp: NOW + 300 };

let rsa: IssuerKey;
let edwards: IssuerKey;
beforeAll(async () => {
  [rsa, edwards] = await Promise.all([newKey("rsa"), newKey("edwards", "Ed25519")]);
});

let keys: Issuer;
let service: OAuthService;
let client: MadeClient;
beforeEach(async () => {
  keys = new Issuer("https://client.example", [rsa]);
  service = await oauthService(keys.readKeys);
  client = await service.client();
  await addClientTrust(service.ports, client, {
    purpose: "assertion",
    issuer: client.clientId,
    jwksUri: keys.jwksUri,
    audience: AUDIENCE,
    subject: client.clientId,
    createdBy: "ann",
  });
});

async function sent(assertion: string, named: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const { status, body } = await service.send({
    grant_type: "client_credentials",
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
    ...named,
  });
  return [status, body["error"]];
}

/** What Authlib and Nimbus sign. */
function signed(of = client.clientId, by: IssuerKey = rsa): Promise<string> {
  return keys.sign({ iss: of, sub: of, aud: AUDIENCE, ...TIMES }, { by });
}

describe("a client that signs for itself", () => {
  test("need not send its client_id", async () => {
    expect(await sent(await signed())).toEqual([200, undefined]);
    expect(await sent(await signed(), { client_id: client.clientId })).toEqual([200, undefined]);
  });

  test("is not another, whatever it signs or sends", async () => {
    const other = await service.client();
    expect(await sent(await signed(other.clientId))).toEqual([401, "invalid_client"]);
    expect(await sent(await signed(), { client_id: other.clientId })).toEqual([401, "invalid_client"]);
  });

  test("is counted by its subject where it fails", async () => {
    const forged = `${await signed()}A`;
    const failures = await Promise.all(Array.from({ length: 12 }, () => sent(forged)));
    expect(failures).toContainEqual([429, "invalid_client"]);
    const other = await service.client();
    expect(await sent(await signed(other.clientId))).toEqual([401, "invalid_client"]);
  });

  test("may name the algorithm of its key as RFC 9864 does", async () => {
    keys.keys = [edwards];
    expect(await sent(await signed(client.clientId, edwards))).toEqual([200, undefined]);
  });

  test("need not name its key, also beside one that is too short to be used", async () => {
    const short = await exportJWK(generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey);
    const published = { ...rsa, jwk: { ...short, alg: "RS256" } };
    keys.keys = [published, rsa];
    const unnamed = await new SignJWT({ iss: client.clientId, sub: client.clientId, aud: AUDIENCE, ...TIMES })
      .setProtectedHeader({ alg: "RS256" })
      .sign(rsa.privateKey);
    expect(await sent(unnamed)).toEqual([200, undefined]);
  });
});
