/**
 * Replaces a running SCIM service of another make, and its identity providers notice nothing: exports its users and
 * groups by its own API, imports them with their ids, and sends recorded requests of Entra and Okta to the new service
 * with the ids that these know.
 * @module
 */
import { deepEqual, equal, ok } from "node:assert/strict";
import { execFile } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { SEARCH_REQUEST_URN } from "@scim/schemas";
import { createClient, type Client, type Json } from "../scim-client.ts";
import { startServer } from "../scim-server.ts";
import { provision, recordedCases, replay, type KnownCase } from "./cycles.ts";
import { startOldService } from "./old-service.ts";

const PROGRAM = fileURLToPath(new URL("../../apps/server/dist/cli.js", import.meta.url));
const FEWEST_CASES = 40;
const PAGE = 50;

const folder = mkdtempSync(join(tmpdir(), "scim-migrate-"));
const source = join(folder, "old-service.json");
const database = `sqlite:${join(folder, "scim.db")}`;
try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const old = await startOldService();
  const cases: KnownCase[] = [];
  let before: readonly Json[];
  try {
    const client = createClient(old, "/Users");
    for (const row of recordedCases()) cases.push(await provision(client, row));
    before = [...(await exportAll(client, "/Users")), ...(await exportAll(client, "/Groups"))];
  } finally {
    await old.stop();
  }
  ok(cases.length >= FEWEST_CASES, `Only ${cases.length} recorded requests`);
  await importAll(before.length);
  await replaceOld(before, cases);
  console.log(
    `${before.length} resources moved, and ${cases.length} requests of Entra and Okta were answered as before.`,
  );
}

/** Saves the pages of a list one behind the other, as any client of the old service could. */
async function exportAll(client: Client, endpoint: string): Promise<readonly Json[]> {
  const all: Json[] = [];
  for (;;) {
    // It takes numbers of pages from a body, and no others.
    const query = { schemas: [SEARCH_REQUEST_URN], startIndex: all.length + 1, count: PAGE };
    const { status, body } = await client.call("POST", `${endpoint}/.search`, { body: query });
    equal(status, 200, JSON.stringify(body));
    appendFileSync(source, `${JSON.stringify(body)}\n`);
    // A ListResponse holds resources.
    const page = (body["Resources"] ?? []) as readonly Json[];
    all.push(...page);
    if (page.length === 0 || all.length >= Number(body["totalResults"])) return all;
  }
}

/** Rehearses the import, and does it. */
async function importAll(count: number): Promise<void> {
  const run = promisify(execFile);
  const args = [PROGRAM, "import", source, "--keep-ids", "--database-url", database];
  const rehearsed = await run(process.execPath, [...args, "--dry-run"]);
  const done = await run(process.execPath, args);
  const told = `${count} records: ${count} created, 0 replaced, 0 unchanged, 0 rejected.`;
  equal(rehearsed.stdout.trim(), `Nothing was written. ${told}`);
  equal(done.stdout.trim(), told);
}

async function replaceOld(before: readonly Json[], cases: readonly KnownCase[]): Promise<void> {
  const server = await startServer(null, { SCIM_DATABASE_URL: database });
  try {
    const client = createClient(server, "/Users");
    for (const resource of before) await isThere(client, resource);
    for (const recorded of cases) await replay(server, recorded);
  } finally {
    await server.stop();
  }
}

/** A resource has its id, its externalId, its members and the instant of its creation. */
async function isThere(client: Client, resource: Json): Promise<void> {
  const isGroup = JSON.stringify(resource["schemas"]).includes(":Group");
  const { status, body } = await client.call(
    "GET",
    `/${isGroup ? "Groups" : "Users"}/${String(resource["id"])}`,
  );
  equal(status, 200, JSON.stringify(body));
  deepEqual(known(body), known(resource));
}

/** What an identity provider relies on. */
function known(resource: Json): readonly unknown[] {
  // Members are objects with a value, meta is an object.
  const members = (resource["members"] ?? []) as readonly Json[];
  const { created } = (resource["meta"] ?? {}) as Json;
  const { id, externalId, userName, displayName } = resource;
  return [id, externalId, userName, displayName, created, members.map(({ value }) => value)];
}
