/**
 * An application with a table of users of its own serves SCIM over it, by `node:http` alone: an identity provider creates a
 * user, finds, changes, deactivates and deletes it, while the application goes on writing the same rows.
 * @module
 */
import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import { hash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import {
  createHandlerStore,
  createScimService,
  PROFILES,
  type Authenticator,
  type Sources,
} from "@scim/core";
import { handlerReport, runHandlerContract } from "@scim/core/testing";
import { createScimHandler } from "@scim/http";
import { createNodeHandler } from "@scim/http/node";
import { BULK_REQUEST_URN, PATCH_OP_URN, USER_URN, type JsonObject } from "@scim/schemas";
import { usersRegistry } from "./registry.ts";
import { openDatabase, renameUser } from "./table.ts";
import { usersHandler } from "./users-handler.ts";

const sources: Sources = {
  now: () => Date.now(),
  newId: () => randomUUID(),
  newNonce: () => randomBytes(5).toString("base64url"),
  digest: (text) => hash("sha256", text, "base64url"),
};

const registry = usersRegistry();
const database = openDatabase();
const store = createHandlerStore({ registry, sources, handlers: { User: usersHandler(database) } });
const service = createScimService({ registry, store, sources });

/** The application knows its callers already. The tenant is the organisation, whose rows alone are seen. */
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

/** What else the application serves comes behind SCIM. */
const scim = createNodeHandler(createScimHandler({ service, authenticate }), { prefix: "/scim/v2" });
const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
  scim(request, response, () => response.end("Hello."));
}).listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`;

interface Answer {
  readonly status: number;
  readonly etag: string | undefined;
  readonly body: JsonObject;
}

async function call(
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  { body, ifMatch }: { readonly body?: JsonObject; readonly ifMatch?: string } = {},
): Promise<Answer> {
  const answer = await fetch(`${origin}/scim/v2${path}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(body === undefined ? {} : { "content-type": "application/scim+json" }),
      ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    etag: answer.headers.get("etag") ?? undefined,
    // Every answer with a body is a JSON object.
    body: text === "" ? {} : (JSON.parse(text) as JsonObject),
  };
}

const find = (filter: string): Promise<Answer> => call("GET", `/Users?filter=${encodeURIComponent(filter)}`);
const patchOf = (...Operations: readonly JsonObject[]): { readonly body: JsonObject } => ({
  body: { schemas: [PATCH_OP_URN], Operations },
});

async function provision(): Promise<void> {
  equal((await find('userName eq "bjensen@acme.example"')).body["totalResults"], 0);
  const created = await call("POST", "/Users", {
    body: {
      schemas: [USER_URN],
      externalId: "5f7c",
      userName: "BJensen@acme.example",
      active: true,
      name: { givenName: "Barbara", familyName: "Jensen" },
      emails: [{ primary: true, type: "work", value: "bjensen@acme.example" }],
    },
  });
  equal(created.status, 201, JSON.stringify(created.body));
  const id = String(created.body["id"]);
  match(id, /^\d+$/, "the id is the table's own");
  deepEqual((await call("GET", `/Users/${id}`)).body, created.body);
  equal(
    (await call("POST", "/Users", { body: { schemas: [USER_URN], userName: "bjensen@ACME.example" } }))
      .status,
    409,
  );

  for (const filter of [
    'userName eq "bjensen@acme.example"',
    'externalId eq "5f7c" and active eq true',
    'emails[type eq "work" and value sw "BJ"]',
    'name.familyName co "ense" and not (title pr)',
  ])
    equal((await find(filter)).body["totalResults"], 1, filter);
  await change(id, created.etag ?? "");
}

async function change(id: string, etag: string): Promise<void> {
  const title = await call("PATCH", `/Users/${id}`, patchOf({ op: "Add", path: "title", value: "Guide" }));
  equal(title.status, 200, JSON.stringify(title.body));
  equal(title.body["title"], "Guide");

  // The application writes the row: the version of SCIM moves with it, and the older one is refused.
  renameUser(database, Number(id), "Babs");
  const stale = patchOf({ op: "Replace", path: "name.givenName", value: "Barbara" });
  const refused = await call("PATCH", `/Users/${id}`, { ...stale, ifMatch: title.etag ?? "" });
  equal(refused.status, 412);
  notEqual(title.etag, etag);
  const current = await call("GET", `/Users/${id}`);
  deepEqual(current.body["name"], { givenName: "Babs", familyName: "Jensen" });
  equal((await call("PATCH", `/Users/${id}`, { ...stale, ifMatch: current.etag ?? "" })).status, 200);

  const off = await call("PATCH", `/Users/${id}`, patchOf({ op: "Replace", path: "active", value: "False" }));
  equal(off.body["active"], false);
  const row = database.prepare("SELECT login, is_active, title FROM users WHERE id = ?").get(Number(id));
  deepEqual({ ...row }, { login: "BJensen@acme.example", is_active: 0, title: "Guide" });
  equal((await call("DELETE", `/Users/${id}`)).status, 204);
  equal((await call("GET", `/Users/${id}`)).status, 404);
}

async function bulk(): Promise<void> {
  const Operations = ["amy", "bob", "amy", "Zoë"].map((userName, index) => ({
    method: "POST",
    path: "/Users",
    bulkId: `u${index}`,
    data: { schemas: [USER_URN], userName },
  }));
  const { body } = await call("POST", "/Bulk", { body: { schemas: [BULK_REQUEST_URN], Operations } });
  const statuses = JSON.stringify(body["Operations"]).match(/"status":"\d+"/g);
  deepEqual(
    statuses?.filter((each) => !each.includes("40")),
    ['"status":"201"', '"status":"201"'],
  );
  const page = await call("GET", "/Users?sortBy=userName&sortOrder=descending&attributes=userName&count=1");
  match(JSON.stringify(page.body), /"totalResults":2.*"userName":"bob"/);
}

/** What every handler must do, and what this one does not support. */
async function contract(): Promise<void> {
  const findings = await runHandlerContract({
    type: "User",
    registry,
    sources,
    open: () => usersHandler(openDatabase()),
    sample: (n) => ({
      userName: `User${n}`,
      externalId: `E${n % 7}`,
      name: { givenName: `Given ${n % 3}`, familyName: `Family_${n % 5}%` },
      active: n % 2 === 0,
      ...(n % 4 === 0 ? { title: "Guide" } : {}),
      ...(n % 3 === 0 ? { emails: [{ value: `user${n}@acme.example`, type: "work", primary: true }] } : {}),
    }),
    changed: (n) => ({ userName: `User${n}`, title: "Lead", active: false }),
  });
  console.log(handlerReport(findings));
  ok(findings.every(({ outcome }) => outcome !== "broken"));
}

try {
  equal(await (await fetch(origin)).text(), "Hello.");
  await provision();
  await bulk();
  await contract();
  console.log("own-users-table: served over the application's own table");
} finally {
  server.close();
  database.close();
}
