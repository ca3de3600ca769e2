import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { expect, test } from "vitest";
import { startAdministered } from "../admin/admin-client.ts";
import { newFolder } from "../command-line/program.ts";

const BADGE = "urn:example:params:scim:schemas:acme:1.0:Badge";
const DOCUMENTS = [
  { id: BADGE, attributes: [{ name: "holder", type: "string" }] },
  { name: "Badge", endpoint: "/Badges", schema: BADGE },
];

test("who is a resource of a type that the service lacks is erased once it has it again, and the refusal says so", async () => {
  const folder = newFolder();
  const schemas = join(folder, "schemas");
  mkdirSync(schemas);
  writeFileSync(join(schemas, "all.json"), JSON.stringify(DOCUMENTS));
  const without = { SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}` };
  const start = (environment: Readonly<Record<string, string>>) =>
    startAdministered(environment, pino({ level: "silent" }));

  const first = await start({ ...without, SCIM_SCHEMAS: schemas });
  const made = await first.call("POST", "/Badges", { body: { schemas: [BADGE], holder: "Ines Maier" } });
  const id = String(made.body["id"]);
  const path = `/tenants/default/subjects/${id}`;
  await first.stop();
  const backup = join(folder, "backup.db");
  copyFileSync(join(folder, "scim.db"), backup);

  const lacking = await start(without);
  expect(await lacking.ask("DELETE", path)).toMatchObject({
    status: 409,
    body: { detail: expect.stringMatching(/resource type Badge.*Put its documents back/) },
  });
  await lacking.stop();
  // Nothing was noted that the next start would have to do.
  await (await start(without)).stop();

  const again = await start({ ...without, SCIM_SCHEMAS: schemas });
  expect(await again.ask("DELETE", path)).toMatchObject({ status: 200, body: { resources: 1 } });
  expect((await again.call("GET", `/Badges/${id}`)).status).toBe(404);
  await again.stop();

  // Behind a restored backup the list names who cannot be erased yet: nobody is told that it is done.
  copyFileSync(backup, join(folder, "scim.db"));
  await expect(start(without)).rejects.toThrow(/resource type Badge.*Put its documents back/);
  const restored = await start({ ...without, SCIM_SCHEMAS: schemas });
  expect((await restored.call("GET", `/Badges/${id}`)).status).toBe(404);
  await restored.stop();
});
