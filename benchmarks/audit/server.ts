/**
 * The service over HTTP on a database of its own, with the audit log or without it; both give events their positions as
 * a server does. A program of its own: `server.ts with|without ADDRESS`.
 * @module
 */
import { createHmac, hash, randomBytes, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createModelCatalog, PROFILES, type EventFeed } from "@scim/core";
import { createAuditChain, type AuditChain } from "@scim/events";
import { scimPlugin } from "@scim/fastify";
import { createScimHandler } from "@scim/http";
import { createDefaultRegistry } from "@scim/schemas";
import { openPostgresStore } from "@scim/store/postgres";
import { openSqliteStore, type Store } from "@scim/store/sqlite";
import fastify from "fastify";
import { tellAddress } from "../http/servers/tell-address.ts";
import { serviceOver } from "../in-process.ts";

/** Between two looks for events without position, in milliseconds, and how many are given one at once. */
const LOOK_MS = 200;
const BATCH = 250;

const [kind, address = ""] = process.argv.slice(2);

function sampleChain(): AuditChain {
  return createAuditChain({
    keys: [{ id: "1", secret: randomBytes(32) }],
    hmac: (secret, text) => createHmac("sha256", secret).update(text).digest("base64url"),
    digest: (text) => hash("sha256", text, "base64url"),
    newSecret: () => randomUUID(),
    catalog: createModelCatalog(createDefaultRegistry()),
  });
}

function openStore(): Promise<Store> {
  const audit = kind === "with" ? sampleChain() : undefined;
  return address.startsWith("postgres:")
    ? openPostgresStore({ url: address, pending: "apply", audit })
    : openSqliteStore({ path: address, audit });
}

async function givePositions(events: EventFeed): Promise<never> {
  for (;;) {
    while ((await events.assign(BATCH)) >= BATCH);
    await delay(LOOK_MS);
  }
}

const PRINCIPAL = {
  tenant: "default",
  connection: "default",
  scopes: new Set(["scim"]),
  subject: null,
  profile: PROFILES.tolerant,
};

const store = await openStore();
const handler = createScimHandler({
  service: serviceOver(store.resources),
  authenticate: async () => PRINCIPAL,
});
const app = fastify();
await app.register(scimPlugin, { prefix: "/scim/v2", handler });
await app.listen({ port: 0 });
void givePositions(store.events);
tellAddress(app.server);
