import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadIdentityProviderCases } from "@scim/fixtures";
import type { IdentityProviderCase, StateCheck } from "@scim/fixtures";
import type { JsonObject, JsonValue, SchemaDefinition } from "@scim/schemas";
import { clientOf, GROUP, USER, type Client } from "../over-http/client.ts";
import { exchange, resourcesOf, textMember, type WireAnswer } from "../over-http/exchange.ts";
import { userExtendedBy, writeDocuments, type Documents } from "../over-http/documents.ts";
import { startOwnServer, type OwnServer } from "../over-http/in-process.ts";
import { fillJson, fillText, placeholdersOf, type Placeholders } from "./placeholders.ts";
import { applyCheck } from "./state-check.ts";

const cases = loadIdentityProviderCases();
/** A server for each set of switches that rows ask for. */
const servers = new Map<string, OwnServer>();
let server: OwnServer;
let documents: Documents;
let client: Client;

beforeAll(async () => {
  documents = await writeDocuments(userExtendedBy(extensions()));
});

afterAll(async () => {
  for (const each of servers.values()) await each.stop();
  await documents.remove();
});

async function serverWith(switches: string): Promise<OwnServer> {
  const running = servers.get(switches);
  if (running !== undefined) return running;
  const started = await startOwnServer({
    SCIM_SCHEMAS: documents.directory,
    ...(switches === "" ? {} : { SCIM_SWITCHES: switches }),
  });
  servers.set(switches, started);
  return started;
}

const byClient = Map.groupBy(cases, (row) => row.client);

describe.each([...byClient.keys()])("%s", (name) => {
  test.each(byClient.get(name) ?? [])("$id $method", async (row) => {
    server = await serverWith(row.given.switches.join(","));
    client = clientOf(server);
    const placeholders = placeholdersOf(server.token, server.base);
    if (row.given.alone) await emptyTenant();
    const made = await makePreconditions(row, placeholders);
    const answer = await send(row, placeholders);
    expect(row.status, answer.text).toContain(answer.status);
    for (const check of row.checks) await holds(check, { row, answer, made, placeholders });
  });
});

/** Paths of the resources that a row asks for, by their names. */
type Made = ReadonlyMap<string, string>;

async function makePreconditions(
  row: IdentityProviderCase,
  placeholders: Map<string, string>,
): Promise<Made> {
  const paths = new Map<string, string>();
  const make = async (endpoint: string, urn: string, resources: Readonly<Record<string, JsonObject>>) => {
    for (const [name, resource] of Object.entries(resources)) {
      const body = { schemas: [urn], ...fillJson(resource, placeholders) };
      const answer = await client.call("POST", endpoint, { body });
      expect(answer.status, answer.text).toBe(201);
      const id = textMember(answer.body, "id");
      placeholders.set(`${name}.id`, id);
      paths.set(name, `${endpoint}/${id}`);
    }
  };
  await make("/Users", USER, row.given.users);
  await make("/Groups", GROUP, row.given.groups);
  return paths;
}

function send(row: IdentityProviderCase, placeholders: Placeholders): Promise<WireAnswer> {
  const headers = Object.entries(row.headers).map(([name, value]) => [name, fillText(value, placeholders)]);
  return exchange(server.origin, {
    method: row.method,
    path: server.base + fillText(row.path, placeholders),
    headers: Object.fromEntries(headers),
    body: row.body === null ? null : fillText(row.body, placeholders),
  });
}

interface Outcome {
  readonly row: IdentityProviderCase;
  readonly answer: WireAnswer;
  readonly made: Made;
  readonly placeholders: Placeholders;
}

async function holds(check: StateCheck, outcome: Outcome): Promise<void> {
  if (check.test === "gone") {
    const answer = await client.call("GET", pathOf(check.on, outcome));
    expect(answer.status).toBe(404);
    return;
  }
  const expected = expectedOf(check, outcome.placeholders);
  applyCheck({ ...check, expected }, await documentOf(check.on, outcome));
}

function expectedOf(check: StateCheck, placeholders: Placeholders): JsonValue {
  if (check.test !== "members" || !Array.isArray(check.expected))
    return fillJson(check.expected, placeholders);
  return check.expected.map((name) => placeholders.get(`${name}.id`) ?? null);
}

async function documentOf(on: string, outcome: Outcome): Promise<JsonValue> {
  if (on === "response") return outcome.answer.body;
  if (on === "headers") return JSON.parse(JSON.stringify(outcome.answer.headers)) as JsonObject;
  const answer = await client.call("GET", pathOf(on, outcome));
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

function pathOf(on: string, { row, answer, made }: Outcome): string {
  if (on === "new") return `${row.path.replace(/\/$/, "")}/${textMember(answer.body, "id")}`;
  const path = made.get(on);
  if (path === undefined) throw new TypeError(`${row.id} makes no ${on}.`);
  return path;
}

/** Rows that count everything in the tenant need it empty before. */
async function emptyTenant(): Promise<void> {
  for (const endpoint of ["/Users", "/Groups"]) {
    const { body } = await client.call("GET", `${endpoint}?count=1000&attributes=id`);
    for (const resource of resourcesOf(body)) {
      await client.call("DELETE", `${endpoint}/${textMember(resource, "id")}`);
    }
  }
}

/** The extensions that some rows need, each with its one attribute. */
function extensions(): readonly SchemaDefinition[] {
  const wanted = cases.flatMap((row) => (row.given.extension === null ? [] : [row.given.extension]));
  const names = new Map(wanted.map(({ schema, attribute }) => [schema, attribute]));
  return [...names].map(([id, name]) => ({ id, name: "Extension", attributes: [{ name, type: "string" }] }));
}
