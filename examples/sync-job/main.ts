/**
 * A nightly job: keeps a SCIM service of another make (scimmy-routers) in step with the entries of a directory, as
 * `ldapsearch -LLL` writes them. The first run fills the service, the second writes nothing, and the third follows what
 * changed in the directory.
 * @module
 */
import { deepEqual, equal } from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createScimClient, type ScimClient } from "@scim/client";
import { fileSource, planSync, readMapping, SyncState, type ApplyReport } from "@scim/sync";
import { startOldService } from "../migrate-from-scimmy/old-service.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const MAPPING = readMapping(readFileSync(join(HERE, "mapping.yaml"), "utf8"), "mapping.yaml");

const folder = mkdtempSync(join(tmpdir(), "scim-sync-job-"));
const people = join(folder, "people.ldif");
try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const service = await startOldService();
  let written = 0;
  const client = createScimClient({
    baseUrl: service.baseUrl,
    auth: service.token,
    onEvent: (event) => {
      if (event.kind === "request" && event.method !== "GET") written += 1;
    },
  });
  try {
    cpSync(join(HERE, "people.ldif"), people);
    deepEqual((await job(client)).done, { create: 4, update: 0, references: 1, deactivate: 0, delete: 0 });
    deepEqual(await membersOf(client, "engineers"), ["Ada Lovelace", "Åsa Ståhl"]);

    written = 0;
    deepEqual((await job(client)).done, { create: 0, update: 0, references: 0, deactivate: 0, delete: 0 });
    equal(written, 0, "A second run writes nothing");

    // Ada marries, Grace leaves, Asa changes the team.
    const changed = readFileSync(people, "utf8")
      .replaceAll("Lovelace", "King")
      .replace(/dn: uid=grace[^]*?\n\n/, "")
      .replace(/member: uid=asa.*\n .*\n/, "");
    writeFileSync(people, changed);
    deepEqual((await job(client)).done, { create: 0, update: 1, references: 1, deactivate: 1, delete: 0 });
    deepEqual(await membersOf(client, "engineers"), ["Ada King"]);
    const grace = await client.users.list({ filter: 'externalId eq "grace"' }).first();
    equal(grace?.active, false);
    written = 0;
    await job(client);
    equal(written, 0, "And again nothing");
    console.log("The service follows the directory.");
  } finally {
    await client.close();
    await service.stop();
  }
}

/** What runs every night. */
async function job(client: ScimClient): Promise<ApplyReport> {
  const { plan, apply } = await planSync({
    client,
    mapping: MAPPING,
    sources: { directory: fileSource(people) },
    state: SyncState.read(join(folder, "job.state"), client.baseUrl),
  });
  for (const { place, message } of plan.faults) console.warn(`${place}: ${message}`);
  const report = await apply();
  for (const { action, key, message, remedy } of report.failures)
    console.warn(`${action} ${key}: ${message}. ${remedy}`);
  equal(plan.faults.length + report.failures.length, 0);
  return report;
}

async function membersOf(client: ScimClient, name: string): Promise<readonly string[]> {
  const group = await client.groups.list({ filter: `displayName eq "${name}"` }).first();
  const users = await Promise.all((group?.members ?? []).map(({ value }) => client.users.get(value ?? "")));
  return users.map(({ displayName = "" }) => displayName).toSorted();
}
