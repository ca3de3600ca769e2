/** What a store answers is compared once more: one that compares keys as a language does would let others in. */
import { createHmac } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { createTokenHasher, findClientToken } from "../../src/index.ts";
import { authenticateClient } from "../../src/oauth/authenticate-client.ts";
import { KEY, type MadeClient, type OAuthService, oauthService } from "./oauth-service.ts";

let service: OAuthService;
let client: MadeClient;
let text: string;
beforeEach(async () => {
  service = await oauthService();
  client = await service.client();
  const grant = {
    grant_type: "client_credentials",
    client_id: client.clientId,
    client_secret: client.secret,
  };
  text = String((await service.send(grant)).body["access_token"]);
});

type Found = Awaited<ReturnType<OAuthService["stores"]["clients"]["findAccessTokens"]>>;

/** The client that the token leads to by a store that answers something else. */
async function leadsTo(answered: (found: Found) => Found): Promise<string | null> {
  const { hasher } = service.ports;
  const findAccessTokens: OAuthService["stores"]["clients"]["findAccessTokens"] = async (tenant, hashes) =>
    answered(await service.stores.clients.findAccessTokens(tenant, hashes));
  return (await findClientToken(text, { clients: { findAccessTokens }, hasher }))?.id ?? null;
}

test.each<readonly [string, (found: Found) => Found, boolean]>([
  ["as it is kept", (found) => found, true],
  ["behind others", (found) => [...found.map(ofOtherHash), ...found], true],
  ["of another hash", (found) => found.map(ofOtherHash), false],
  [
    "of a hash that begins alike",
    (found) =>
      found.map(({ token, client: of }) => ({ client: of, token: { ...token, hash: token.hash.slice(1) } })),
    false,
  ],
  [
    "by another key",
    (found) => found.map(({ token, client: of }) => ({ client: of, token: { ...token, keyId: "other" } })),
    false,
  ],
  ["not at all", () => [], false],
])(
  "the access token of a client that is answered %s leads to its client or to none",
  async (_name, answered, isFound) => {
    expect(await leadsTo(answered)).toBe(isFound ? client.id : null);
  },
);

test("a client's access tokens and secrets stay good where there is a newer key", async () => {
  const newer = { id: "newer", secret: new Uint8Array(32).fill(8) };
  const hasher = createTokenHasher([newer, KEY], (secret, sent) =>
    createHmac("sha256", secret).update(sent).digest(),
  );
  const { stores } = service;
  expect(await findClientToken(text, { clients: stores.clients, hasher })).toMatchObject({ id: client.id });
  const proof = { kind: "secret", clientId: client.clientId, secret: client.secret } as const;
  const options = {
    ...stores,
    hasher,
    now: () => service.now,
    checkJwt: async () => ({ kind: "refused", reason: "none" }) as const,
  };
  expect(await authenticateClient(proof, options)).toMatchObject({ client: { id: client.id } });
});

function ofOtherHash({ token, client: of }: Found[number]): Found[number] {
  return { client: of, token: { ...token, hash: token.hash.toUpperCase().replaceAll(/./g, "0") } };
}
