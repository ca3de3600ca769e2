import { createScimClient } from "@scim/client";
import { fileSource, planSync, readMapping, SyncState } from "@scim/sync";

const { SCIM_BASE_URL = "http://127.0.0.1:8080/scim/v2", SCIM_TOKEN = "", FOLDER = "." } = process.env;
const client = createScimClient({ baseUrl: SCIM_BASE_URL, auth: SCIM_TOKEN });

const mapping = `
resources:
  - { type: User, key: "{id}", match: externalId, leavers: deactivate,
      set: { externalId: "{id}", userName: "{mail | lower}", displayName: "{first} {last}" } }
`;
const { plan, apply } = await planSync({
  client,
  mapping: readMapping(mapping, "mapping.yaml"),
  sources: { people: fileSource(`${FOLDER}/people.csv`) },
  state: SyncState.read(`${FOLDER}/people.state`, client.baseUrl),
});
console.log(plan.counts[0]?.create, plan.refusals); // 2 []
console.log((await apply()).done); // { create: 2, update: 0, references: 0, deactivate: 0, delete: 0 }
await client.close();
