/**
 * Two servers that hold the same for tenant acme: beside it, one of them holds a tenant globex with the same ids, names
 * and members, and the other nothing. What acme is answered must be the same on both.
 * @module
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@scim/schemas";
import { newFolder } from "../command-line/program.ts";
import { printed } from "../command-line/printed.ts";
import { clientOf, ENTERPRISE, GROUP, USER, type Client } from "../over-http/client.ts";
import type { Engine, TestDatabase } from "../over-http/engines.ts";
import { exchange, textMember, type WireRequest } from "../over-http/exchange.ts";
import { startInProcess } from "../over-http/in-process.ts";

/** Stands in every resource of globex, and in none of acme. */
export const SECRET = "globex-knows";

/** A server as acme sees it. */
export interface World {
  readonly database: TestDatabase;
  /** What acme is answered, without what differs from server to server. */
  ask(request: WireRequest): Promise<string>;
  /** A client of globex, where it is there. */
  readonly globex: Client | null;
}

/** Makes a world. Its ids are those of the records, in each tenant. */
export async function makeWorld(engine: Engine, tenants: readonly ("acme" | "globex")[]): Promise<World> {
  const database = await engine.make();
  const { environment } = database;
  const scim = async (...args: string[]) => (await printed(args, environment)).stdout.trim();
  const tokens = new Map<string, string>();
  for (const tenant of tenants) {
    await scim("tenant", "create", tenant);
    if (tenant === "globex") await scim("schema", "add", documentsFile(), "--tenant", tenant);
    const file = join(newFolder(), "all.jsonl");
    writeFileSync(
      file,
      recordsOf(tenant)
        .map((record) => JSON.stringify(record))
        .join("\n"),
    );
    await scim("import", file, "--keep-ids", "--tenant", tenant);
    tokens.set(tenant, await scim("token", "create", "--tenant", tenant, "--subject", "u-1"));
  }
  const { origin } = await startInProcess(environment);
  const [acme = "", globex] = [tokens.get("acme"), tokens.get("globex")];
  const likened = likening(origin);
  const newest = { cursor: "none" };
  return {
    database,
    globex: globex === undefined ? null : clientOf({ origin, base: "/scim/v2", token: globex }),
    ask: async (wire) => {
      const path = wire.path.replace("LAST_CURSOR", encodeURIComponent(newest.cursor));
      const headers = { authorization: `Bearer ${acme}`, ...wire.headers };
      const answer = await exchange(origin, { ...wire, path, headers });
      const cursor = answer.body["nextCursor"];
      if (typeof cursor === "string") newest.cursor = cursor;
      const { etag, location, "www-authenticate": challenge, "scim-filter-plan": plan } = answer.headers;
      return likened(JSON.stringify([answer.status, etag, location, challenge, plan, answer.text]));
    },
  };
}

/** URN of a resource type that globex alone has. */
export const BADGE = "urn:example:params:scim:schemas:core:2.0:Badge";
/** URN of an extension of User that globex alone has. */
export const DESK = "urn:example:params:scim:schemas:extension:globex:1.0:User";

function documentsFile(): string {
  const file = join(newFolder(), "documents.json");
  const attributes = [{ name: "displayName", type: "string" }];
  const documents = [
    { id: BADGE, name: "Badge", attributes },
    { name: "Badge", endpoint: "/Badges", schema: BADGE },
    { id: DESK, name: "Desk", attributes: [{ name: "desk", type: "string" }] },
    {
      name: "User",
      endpoint: "/Users",
      schema: USER,
      schemaExtensions: [ENTERPRISE, DESK].map((schema) => ({ schema, required: false })),
    },
  ];
  writeFileSync(file, JSON.stringify(documents));
  return file;
}

/** Ids that both tenants have, that globex alone has, and that nobody has. */
export const IDS = ["u-1", "u-2", "u-3", "g-1", "g-2", "only-globex", "group-of-globex", "nobodys"] as const;

function recordsOf(tenant: "acme" | "globex"): readonly JsonObject[] {
  const mark = tenant === "globex" ? { displayName: SECRET } : { displayName: "plain" };
  const user = (id: string, more: JsonObject = {}): JsonObject => ({
    schemas: [USER],
    id,
    userName: `name of ${id}`,
    externalId: `x-${id}`,
    ...mark,
    ...more,
  });
  const group = (id: string, members: readonly string[]): JsonObject => ({
    schemas: [GROUP],
    id,
    displayName: tenant === "globex" && id === "group-of-globex" ? SECRET : `name of ${id}`,
    members: members.map((value) => ({ value })),
  });
  const shared = [
    user("u-1", { [ENTERPRISE]: { manager: { value: "only-globex" } }, schemas: [USER, ENTERPRISE] }),
    user("u-2", { title: "same" }),
    user("u-3", { title: "same" }),
    group("g-1", ["u-1", "u-2", "only-globex"]),
    // One of the same id holds more in globex: what is found by members must not come from there.
    group("g-2", ["g-1", "u-3", ...(tenant === "globex" ? ["only-globex"] : [])]),
  ];
  if (tenant === "acme") return shared;
  const badge = { schemas: [BADGE], id: "u-1", displayName: SECRET };
  return [
    ...shared,
    badge,
    user("only-globex", { schemas: [USER, DESK], [DESK]: { desk: SECRET } }),
    group("group-of-globex", ["u-1", "g-1", "only-globex"]),
  ];
}

/** Puts in the place of what each server makes by itself the place at which it came. */
function likening(origin: string): (text: string) => string {
  const seen = new Map<string, string>();
  const named = (kind: string) => (found: string) => {
    const known = seen.get(found) ?? `${kind} ${seen.size}`;
    seen.set(found, known);
    return known;
  };
  return (text) =>
    text
      .replaceAll(origin, "ORIGIN")
      .replaceAll(/(?<="(?:next|previous)Cursor\\":\\")[\w-]+/g, "CURSOR")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "INSTANT")
      .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, named("id"))
      .replaceAll(/W\/\\*"[^"\\]+\\*"/g, named("tag"))
      .replaceAll(/(?<=Version\\":\\")[\w~-]+/g, named("version"));
}

/** What a tenant's rows hold, whatever their order; the positions of events are given behind their writing. */
export async function rowsOf({ database }: World, tenant: string): Promise<readonly string[]> {
  const tables = [
    "resources",
    "reference_values",
    "unique_values",
    "attribute_index",
    "events",
    "connections",
  ];
  const rows: string[] = [];
  for (const table of tables) {
    const found = await database.query(`SELECT * FROM ${table} WHERE tenant = '${tenant}'`);
    rows.push(...found.map((row) => `${table} ${JSON.stringify({ ...row, position: null })}`));
  }
  return rows.toSorted();
}

/** What globex knows and acme must not profit from: an entity tag and a cursor of its own. */
export async function foreignKnowledge(client: Client | null) {
  if (client === null) throw new TypeError("There is no globex in this world");
  const tag = String((await client.call("GET", "/Users/u-1")).headers.etag);
  const cursor = textMember((await client.call("GET", "/Users?cursor=&count=1")).body, "nextCursor");
  const { id } = await client.user({ userName: "made by globex", displayName: SECRET });
  return { tag, cursor, id };
}
