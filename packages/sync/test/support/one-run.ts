/**
 * One run in a process of its own, which a test kills.
 * @module
 */
import { readFileSync } from "node:fs";
import { createScimClient } from "@scim/client";
import { fileSource, planSync, readMapping, SyncState } from "@scim/sync";

const [, , baseUrl = "", token = "", mapping = "", people = "", state = ""] = process.argv;
// Node 22 reads this file as it is, and does not know `using`.
const client = createScimClient({ baseUrl, auth: token });
const { apply } = await planSync({
  client,
  mapping: readMapping(readFileSync(mapping, "utf8"), mapping),
  sources: { people: fileSource(people) },
  state: SyncState.read(state, client.baseUrl),
  concurrency: 4,
});
await apply();
await client.close();
