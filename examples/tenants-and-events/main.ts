/**
 * A Fastify application with tenants, OAuth clients, an audit log and receivers of events: what the reference server has, mounted in
 * a program of one's own.
 * @module
 */
import { deepEqual, equal, match } from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { createModelCatalog, createScimService, PROFILES } from "@scim/core";
import {
  createAuditChain,
  createDeliveryWorker,
  createPushForm,
  createStream,
  createTokenSigner,
  createWebhook,
  createWebhookForm,
  eraseSubject,
  publishedKeys,
  verifyAudit,
} from "@scim/events";
import { scimPlugin } from "@scim/fastify";
import { createScimHandler } from "@scim/http";
import { createDefaultRegistry, USER_URN } from "@scim/schemas";
import { openSqliteStore } from "@scim/store/sqlite";
import {
  addClientSecret,
  clientIdOf,
  createAuthenticator,
  createClient,
  createTenant,
  createTokenEndpoint,
  findClientToken,
  jwtOnDemand,
} from "@scim/tenancy";
import Fastify from "fastify";
import { digests, hasher, seal } from "./secrets.ts";
import { createSend } from "./send.ts";
import { keepUp, startUpkeep, tell } from "./upkeep.ts";

const registry = createDefaultRegistry();
const catalog = createModelCatalog(registry);
const newId = () => randomUUID();
const newNonce = () => randomBytes(5).toString("base64url");
const instantNow = () => new Date().toISOString();
const profileOf = () => PROFILES.tolerant;
/** Who does what this program does by itself, as the trail of administration names it. */
const actor = { command: "main" };

const audit = createAuditChain({
  ...digests,
  catalog,
  newSecret: () => randomBytes(16).toString("base64url"),
});
const store = await openSqliteStore({ path: ":memory:", audit });
const { tenants, connections, clients, tokens } = store;
const service = createScimService({
  registry,
  store: store.resources,
  sources: { now: Date.now, newId, newNonce, digest: digests.digest },
});

// A customer, with a client that its identity provider is.
const acting = { actor, now: instantNow, random: Math.random };
const rules = {
  rules: store.resources.rules ?? null,
  profileOf,
  catalogOf: () => catalog,
  newId,
  now: instantNow,
};
await createTenant({ ...acting, tenants, uniqueness: rules }, { tenant: "acme", displayName: "Acme Ltd" });
const types = async () => registry.resourceTypes().map(({ name }) => name);
const clientPorts = {
  ...acting,
  tenants,
  connections,
  clients,
  hasher,
  resourceTypes: types,
  randomBytes,
  newId,
};
const client = await createClient(clientPorts, { tenant: "acme", name: "Entra", createdBy: "main" });
const { text: secret } = await addClientSecret(clientPorts, client, { createdBy: "main" });

const authenticate = createAuthenticator({
  store: tokens,
  hasher,
  tenants,
  connections,
  profileOf,
  now: Date.now,
  others: [(text) => findClientToken(text, { clients, hasher })],
});
const noIssuers = (address: string): never => {
  throw new Error(`no client of this program signs JWTs, and no keys are read at ${address}`);
};
const checkJwt = jwtOnDemand({ readKeys: async (address) => noIssuers(address), now: Date.now });
const askForToken = createTokenEndpoint({
  clients,
  tenants,
  connections,
  hasher,
  checkJwt,
  randomBytes,
  now: Date.now,
});

const app = Fastify({ http: { maxHeaderSize: 65_536 } });
await app.register(scimPlugin, { prefix: "/scim/v2", handler: createScimHandler({ service, authenticate }) });
await app.register(async (scope) => {
  const form = { parseAs: "string", bodyLimit: 32_768 } as const;
  scope.addContentTypeParser("application/x-www-form-urlencoded", form, (_, body, done) => done(null, body));
  scope.post<{ Body: string }>("/oauth2/token", async ({ id, ip, headers, body }, reply) => {
    const { authorization, "content-type": contentType } = headers;
    const answer = await askForToken({ id, address: ip, authorization, contentType, body: body ?? "" });
    return reply.code(answer.status).headers(answer.headers).send(answer.body);
  });
  scope.get("/.well-known/jwks.json", () => publishedKeys({ signingKeys: store.signingKeys, now: Date.now }));
});

// Receivers, here one on this machine: in earnest both are false.
const allowed = { privateAddresses: true, plainHttp: true };
const received: string[] = [];
const receiver = createServer((request, response) => {
  received.push(String(request.headers["webhook-id"] ?? request.headers["content-type"]));
  request.resume().on("end", () => response.writeHead(202).end());
}).listen(0, "127.0.0.1");
await once(receiver, "listening");
const address = receiver.address();
const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/events`;
const ports = {
  receivers: store.receivers,
  events: store.events,
  signingKeys: store.signingKeys,
  allowed,
  seal,
  actor,
  newId,
  randomBytes,
  random: Math.random,
  now: Date.now,
};
const webhook = await createWebhook(ports, { tenant: "acme", url });
match(webhook.secret, /^whsec_/);
await createStream(ports, { tenant: "acme", method: "push", url, audience: "https://receiver.example" });

const issuerOf = (tenant: string) => `https://scim.example/scim/${tenant}/v2`;
const signer = createTokenSigner({ ...ports, catalog, issuerOf });
const worker = createDeliveryWorker({
  ...ports,
  forms: {
    webhook: createWebhookForm({ ...ports, catalog, hmac: digests.hmac }),
    push: createPushForm({ ...ports, signer }),
  },
  send: createSend(allowed),
  holder: newId(),
  leaseMs: 30_000,
  giveUpAfter: 72 * 3_600_000,
  isStopped: () => false,
  onError: console.error,
});
const stopUpkeep = startUpkeep({ store, keys: digests, worker });

try {
  const asked = await app.inject({
    method: "POST",
    url: "/oauth2/token",
    headers: {
      authorization: `Basic ${Buffer.from(`${clientIdOf(client)}:${secret}`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    payload: "grant_type=client_credentials",
  });
  const { access_token: token } = asked.json<{ access_token: string }>();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/scim+json" };
  const payload = { schemas: [USER_URN], userName: "ann" };
  const made = await app.inject({ method: "POST", url: "/scim/v2/Users", headers, payload });
  equal(made.statusCode, 201);

  // The timers do it too; a program that asserts does not wait for them.
  await tell({ store, worker });
  await worker.idle();
  deepEqual(
    received.toSorted(),
    [
      `evt_acme_1_${made.json<{ meta: { version: string } }>().meta.version.slice(3, -1)}`,
      "application/secevent+jwt",
    ].toSorted(),
  );
  await keepUp({ store, keys: digests });
  const { valid, entries, signed } = await verifyAudit("acme", { ...store, ...digests });
  deepEqual([valid, entries, signed?.position], [true, 1, 1]);

  const { id } = made.json<{ id: string }>();
  const erased = await eraseSubject(
    {
      ...digests,
      erasures: store.erasures,
      origin: actor,
      now: instantNow,
      newNonce,
      // In earnest: a line in a file that no restored backup takes back.
      note: async () => undefined,
      remove: async () => {
        await app.inject({ method: "DELETE", url: `/scim/v2/Users/${id}`, headers });
      },
    },
    { tenant: "acme", id },
  );
  deepEqual([erased?.resources, erased?.secrets], [1, 1]);
  equal((await verifyAudit("acme", { ...store, ...digests })).valid, true);
  console.log(
    `${received.length} receivers were told of Ann, who is erased; the chain of the audit log holds.`,
  );
} finally {
  stopUpkeep();
  await worker.idle();
  await app.close();
  receiver.close();
  await store.close();
}
