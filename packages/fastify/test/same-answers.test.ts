import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { createScimService, PROFILES } from "@scim/core";
import { createMemoryStore } from "@scim/core/testing";
import { createScimHandler, type ScimHandler } from "@scim/http";
import { createDefaultRegistry } from "@scim/schemas";
import { expect, test } from "vitest";
import { type AdapterName, listen, originOf } from "./adapters.ts";

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/** A service that makes the same ids, dates and versions each time. */
function sameEachTime(): ScimHandler {
  let count = 0;
  const next = (): string => `${(count += 1)}`.padStart(4, "0");
  const service = createScimService({
    registry: createDefaultRegistry(),
    store: createMemoryStore(),
    sources: { now: () => 1_700_000_000_000, newId: next, newNonce: next, digest: (text) => text },
  });
  const principal = {
    tenant: "default",
    connection: "default",
    subject: null,
    scopes: new Set(["scim"]),
    profile: PROFILES.tolerant,
  };
  return createScimHandler({
    service,
    authenticate: async (token) => (token === "secret" ? principal : null),
    limits: { bodyBytes: 200_000 },
  });
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
}

const members = Array.from({ length: 2500 }, (_, at) => ({ value: `u${at}`, display: "Zoë" }));
const rename = (name: string) => ({
  schemas: [PATCH],
  Operations: [{ op: "replace", path: "displayName", value: name }],
});
const deletion = (path: string) => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"],
  Operations: [{ method: "DELETE", path }],
});

/** Requests in their order, and what each is answered with. `{user}`, `{group}` and `{tag}` are of what was made before. */
const REQUESTS: readonly (readonly [path: string, status: number, sent?: Sent])[] = [
  ["", 200],
  ["/", 200],
  ["/Users", 201, { method: "POST", body: { schemas: [USER], userName: "bjensen", displayName: "Zoë 𝒵" } }],
  ["/Groups", 201, { method: "POST", body: { schemas: [GROUP], displayName: "All", members } }],
  ["/Users/{user}", 200],
  ["/Users/{user}", 200, { method: "HEAD" }],
  ["/Users/{user}?attributes=userName", 200, { headers: { "SCIM-EXPLAIN": "true" } }],
  ["/Users/{user}", 304, { headers: { "If-None-Match": ['W/"none"', "{tag}"] } }],
  ["/Users/{user}", 304, { method: "HEAD", headers: { "IF-NONE-MATCH": "{tag}" } }],
  ["/Users/{user}", 412, { method: "PATCH", headers: { "if-match": 'W/"none"' }, body: rename("a") }],
  ["/Users/{user}", 412, { method: "DELETE", headers: { "if-match": 'W/"none"' } }],
  ["/Users/{user}", 204, { method: "PATCH", headers: { prefer: "return=minimal" }, body: rename("b") }],
  ["/Users/{user}", 200, { method: "PATCH", body: rename("c") }],
  [
    "/Users/{user}",
    412,
    { method: "PUT", headers: { "if-match": "{tag}" }, body: { schemas: [USER], userName: "b" } },
  ],
  ["/Users/{user}", 200, { method: "PUT", body: { schemas: [USER], userName: "bjensen" } }],
  ["/Users/..%2FGroups", 404],
  [`/Users?filter=${encodeURIComponent('userName eq "bjensen" and not (title pr)')}`, 200],
  ["/Users?filter=userName+eq+%22%2526%22", 200],
  ["/Users?filter=userName", 400],
  ["/Users?count=", 400],
  ["/Users/.search", 200, { method: "POST", body: { filter: "userName pr" } }],
  ["/Bulk", 200, { method: "POST", body: deletion("/Users/none") }],
  ["/.dry-run/Users/{user}", 200, { method: "DELETE" }],
  ["/Groups/{group}", 200],
  ["/Groups/{group}", 200, { method: "HEAD" }],
  ["/Groups?attributes=members", 200],
  ["/Users", 400, { method: "POST", body: '{"userName":' }],
  ["/Users", 400, { method: "POST", body: "" }],
  ["/Users", 400, { method: "POST" }],
  ["/Users", 415, { method: "POST", headers: { "content-type": "text/plain" }, body: "{}" }],
  ["/Users", 413, { method: "POST", body: { userName: "x".repeat(300_000) } }],
  ["/Users", 406, { headers: { accept: "text/html" } }],
  ["/Users", 401, { headers: { authorization: "Bearer other" } }],
  ["/Users", 401, { headers: { authorization: "" } }],
  ["/Users", 405, { method: "PROPFIND" }],
  ["/Users", 204, { method: "OPTIONS" }],
  ["/Nothing", 404],
  ["/ServiceProviderConfig", 200],
  ["/Schemas", 200],
  ["/Users/{user}", 204, { method: "DELETE" }],
  ["/Users/{user}", 404],
];

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

async function send(url: string, { method = "GET", headers = {}, body }: Sent = {}): Promise<Answer> {
  const outgoing = httpRequest(url, {
    method,
    headers: {
      authorization: "Bearer secret",
      ...(body === undefined ? {} : { "content-type": "application/scim+json" }),
      ...headers,
    },
  });
  outgoing.end(body === undefined || typeof body === "string" ? body : JSON.stringify(body));
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  const text = (await incoming.toArray()).join("");
  const { date: _, connection: __, "keep-alive": ___, ...told } = incoming.headers;
  return { status: incoming.statusCode, headers: told, text };
}

/** What was made before, in the place of its name. */
function filled<Text>(text: Text, made: ReadonlyMap<string, string>): Text {
  // A text stays a text, and a structure of texts keeps its form.
  return JSON.parse(
    JSON.stringify(text).replaceAll(/\{(user|group|tag)\}/g, (_, name: string) =>
      JSON.stringify(made.get(name) ?? "").slice(1, -1),
    ),
  ) as Text;
}

async function answersOf(adapter: AdapterName): Promise<readonly Answer[]> {
  const base = `${originOf(await listen(adapter, sameEachTime()))}/scim/v2`;
  const made = new Map<string, string>();
  const answers: Answer[] = [];
  for (const [path, , { headers, ...sent } = {}] of REQUESTS) {
    const answer = await send(base + filled(path, made), { ...sent, headers: filled(headers ?? {}, made) });
    answers.push(answer);
    if (answer.status !== 201) continue;
    made.set(path === "/Users" ? "user" : "group", String(JSON.parse(answer.text).id));
    if (path === "/Users") made.set("tag", answer.headers.etag ?? "");
  }
  return answers;
}

test("every adapter gives the same answers, bytes and headers alike", async () => {
  const byPlugin = await answersOf("fastify");
  const named = (answers: readonly Answer[]): unknown[] =>
    answers.map(({ status, headers, text }, at) => ({
      request: `${REQUESTS[at]?.[2]?.method ?? "GET"} ${REQUESTS[at]?.[0] ?? ""}`,
      status,
      headers,
      text,
    }));
  expect(byPlugin.map(({ status }) => status)).toEqual(REQUESTS.map(([, status]) => status));
  expect(named(await answersOf("node"))).toEqual(named(byPlugin));
  expect(named(await answersOf("fetch"))).toEqual(named(byPlugin));
});
