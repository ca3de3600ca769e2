/**
 * Refuses a user when no seat is left: a hook looks at each change before it is written.
 *
 * The answer is 400 `invalidValue` with a sentence that an administrator reads in the log of the identity provider. 409
 * would say that the user exists already, and providers then look for it and adopt another; 403 that the token has no
 * rights, and some stop altogether; 5xx and 429 that trying again soon may help.
 * @module
 */
import { deepEqual, equal, match } from "node:assert/strict";
import { hash, randomBytes, randomUUID } from "node:crypto";
import {
  createScimService,
  PROFILES,
  type Authenticator,
  type HookedChange,
  type RequestContext,
  type ResourceHooks,
  type ScimService,
} from "@scim/core";
import { scimPlugin } from "@scim/fastify";
import { createScimHandler } from "@scim/http";
import {
  BULK_REQUEST_URN,
  createDefaultRegistry,
  PATCH_OP_URN,
  ScimError,
  USER_URN,
  type JsonObject,
} from "@scim/schemas";
import { openSqliteStore } from "@scim/store/sqlite";
import Fastify from "fastify";

/** What each tenant has paid for. */
const SEATS: ReadonlyMap<string, number> = new Map([["acme", 2]]);

/** Whether a change makes a user take a seat that it did not have. */
function takesSeat({ before, after }: HookedChange): boolean {
  const has = (user: JsonObject | null): boolean => user !== null && user["active"] !== false;
  return has(after) && !has(before);
}

/** The hook asks the service itself; it might as well ask a database or another service. */
function seatHooks(service: () => ScimService): ResourceHooks {
  return {
    plan: async ({ tenant, signal }, change) => {
      if (!takesSeat(change)) return;
      const seats = SEATS.get(tenant) ?? 0;
      if ((await activeUsers(service(), tenant, signal)) < seats) return;
      throw new ScimError(
        "invalidValue",
        `All ${seats} seats are taken: deactivate a user, or buy seats at https://acme.example/billing.`,
      );
    },
  };
}

async function activeUsers(service: ScimService, tenant: string, signal: AbortSignal): Promise<number> {
  const context: RequestContext = {
    tenant,
    connection: "seats",
    subject: null,
    profile: PROFILES.strict,
    baseUrl: "",
    signal,
    onSwitch: () => undefined,
  };
  const { totalResults } = await service.list(context, {
    type: "User",
    filter: "not (active eq false)",
    count: 0,
    sortBy: null,
    sortOrder: null,
    startIndex: null,
    cursor: null,
    source: "body",
    attributes: null,
    excludedAttributes: null,
  });
  return totalResults ?? 0;
}

const store = await openSqliteStore({ path: ":memory:" });
const service: ScimService = createScimService({
  registry: createDefaultRegistry(),
  store: store.resources,
  hooks: { User: seatHooks(() => service) },
  sources: {
    now: () => Date.now(),
    newId: () => randomUUID(),
    newNonce: () => randomBytes(5).toString("base64url"),
    digest: (text) => hash("sha256", text, "base64url"),
  },
});

const TOKEN = randomBytes(32).toString("base64url");
const authenticate: Authenticator = async (token) =>
  token === TOKEN
    ? {
        tenant: "acme",
        connection: "entra",
        subject: null,
        scopes: new Set(["scim"]),
        profile: PROFILES.entra,
      }
    : null;
const app = Fastify({ http: { maxHeaderSize: 65_536 } });
await app.register(scimPlugin, { prefix: "/scim/v2", handler: createScimHandler({ service, authenticate }) });

async function call(method: "POST" | "PATCH" | "DELETE", path: string, payload?: JsonObject) {
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    ...(payload === undefined ? {} : { "content-type": "application/scim+json" }),
  };
  const answer = await app.inject({
    method,
    url: `/scim/v2${path}`,
    headers,
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, body: answer.body === "" ? {} : answer.json<JsonObject>() };
}

const user = (userName: string, members: JsonObject = {}): JsonObject => ({
  schemas: [USER_URN],
  userName,
  ...members,
});
const patch = (...Operations: readonly JsonObject[]): JsonObject => ({ schemas: [PATCH_OP_URN], Operations });

try {
  const amy = await call("POST", "/Users", user("amy"));
  equal((await call("POST", "/Users", user("bob"))).status, 201);

  const refused = await call("POST", "/Users", user("cat"));
  equal(refused.status, 400);
  equal(refused.body["scimType"], "invalidValue");
  match(String(refused.body["detail"]), /^All 2 seats are taken/);

  // A user without a seat may wait, and takes one when somebody leaves.
  const dan = await call("POST", "/Users", user("dan", { active: false }));
  equal(dan.status, 201);
  const activate = patch({ op: "Replace", path: "active", value: "True" });
  equal((await call("PATCH", `/Users/${String(dan.body["id"])}`, activate)).status, 400);
  equal((await call("POST", "/.dry-run/Users", user("eve"))).body["status"], "400");
  equal((await call("DELETE", `/Users/${String(amy.body["id"])}`)).status, 204);
  equal((await call("PATCH", `/Users/${String(dan.body["id"])}`, activate)).status, 200);

  const { body } = await call("POST", "/Bulk", {
    schemas: [BULK_REQUEST_URN],
    Operations: [
      { method: "POST", path: "/Users", bulkId: "f", data: user("fay") },
      { method: "POST", path: "/Users", bulkId: "g", data: user("gus", { active: false }) },
    ],
  });
  deepEqual(
    JSON.stringify(body["Operations"])
      .match(/"status":"(?:201|400)"(?=[,}])/g)
      ?.slice(0, 1),
    ['"status":"400"'],
  );
  console.log("seats-refused: no user without a seat");
} finally {
  await app.close();
  await store.close();
}
