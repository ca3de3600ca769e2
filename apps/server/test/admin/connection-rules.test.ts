import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { printed } from "../command-line/printed.ts";
import { newFolder } from "../command-line/program.ts";
import { eventually } from "../eventually.ts";
import { type Client, clientOf, GROUP } from "../over-http/client.ts";
import { ENGINES } from "../over-http/engines.ts";
import { textMember } from "../over-http/exchange.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";
import { ADMIN_TOKEN } from "./admin-client.ts";
import { startAdministration, type Administration } from "./administering.ts";

const ACME = "/tenants/acme/connections";
const HR = `${ACME}/hr`;
const ON = { switches: ["group-name-unique"] };
const TAKEN = { status: 409, type: "uniqueness" };

/** A client of a new connection that lets groups have one name. */
async function strictClient(server: Administration, connection: string): Promise<Client> {
  await server.make(ACME, { connection, profile: "strict" });
  const token = textMember(await server.make(`${ACME}/${connection}/tokens`, {}), "token");
  return clientOf({ origin: server.origin, base: "/scim/v2", token });
}

async function named(answer: ReturnType<Client["call"]>): Promise<JsonObject> {
  const { status, body } = await answer;
  return { status, type: body["scimType"] ?? null };
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return value !== undefined && isJsonArray(value) ? value : [];
}

function post(client: Client, displayName: string): Promise<JsonObject> {
  return named(client.call("POST", "/Groups", { body: { schemas: [GROUP], displayName } }));
}

function rename(client: Client, path: string, displayName: string): Promise<JsonObject> {
  return named(client.patch(path, [{ op: "replace", path: "displayName", value: displayName }]));
}

describe.each(ENGINES)("group-name-unique on $name", (engine) => {
  test("comes on over no duplicates, which are listed, and holds names from before, whoever writes", async () => {
    const database = await engine.make();
    const server = await startAdministration(database.environment);
    await server.make("/tenants", { tenant: "acme" });
    const hr = await strictClient(server, "hr");
    const other = await strictClient(server, "other");
    const ops = await hr.group({ displayName: "Ops" });
    const twin = await hr.group({ displayName: "OPS" });
    const dev = await hr.group({ displayName: "Dev" });
    await other.group({ displayName: "Dev" });

    const { body: present } = await server.send("GET", HR);
    const refused = await server.send("PATCH", HR, { body: ON, match: present });
    expect(refused.status).toBe(409);
    const ids = [ops.id, twin.id];
    const detail = textMember(refused.body, "detail");
    expect(detail).toContain("of its resources of type Group one has the displayName of another");
    for (const id of ids) expect(detail).toContain(id);
    expect(refused.body).toMatchObject({ switch: "group-name-unique", duplicateCount: 1 });
    const [first] = listOf(refused.body["duplicates"]);
    expect(first !== undefined && isJsonObject(first) ? new Set(listOf(first["ids"])) : first).toEqual(
      new Set(ids),
    );

    // The command says the same, on the database and at the server.
    const command = ["connection", "change", "hr", "--tenant=acme", "--profile=entra"];
    const atServer = { ...database.environment, SCIM_ADMIN_TOKEN: ADMIN_TOKEN };
    for (const url of [[], ["--url", server.origin]])
      await expect(printed([...command, ...url], atServer)).rejects.toMatchObject({
        message: expect.stringMatching(/one has the displayName of another: "(?:Ops|OPS)" \(\S+, \S+\)/),
      });
    expect(present).toMatchObject({ profile: "strict", switches: [] });
    expect((await server.send("GET", HR)).body).toEqual(present);
    const third = await hr.group({ displayName: "oPs" });

    for (const { path } of [twin, third]) expect((await hr.call("DELETE", path)).status).toBe(204);
    expect((await server.send("PATCH", HR, { body: ON, match: present })).status).toBe(200);
    expect(await post(hr, "ops")).toEqual(TAKEN);
    const put = { schemas: [GROUP], displayName: "OPS" };
    expect(await named(hr.call("PUT", dev.path, { body: put }))).toEqual(TAKEN);
    expect(await rename(hr, dev.path, "oPS")).toEqual(TAKEN);
    expect(await rename(other, dev.path, "Ops")).toEqual(TAKEN);
    expect((await post(other, "Ops"))["status"]).toBe(201);
    // Also many at once, which are written together where no rule is held.
    const records = ["OPS", ...Array.from({ length: 40 }, (_, n) => `Team ${n}`)];
    const lines = records.map((displayName) =>
      JSON.stringify({ schemas: [GROUP], displayName, externalId: displayName }),
    );
    const file = join(newFolder(), "groups.jsonl");
    writeFileSync(file, lines.join("\n"));
    const importing = ["import", file, "--type=Group", "--tenant=acme", "--connection=hr", "--json"];
    const imported = await printed(importing, { ...database.environment, SCIM_PROFILE: "strict" });
    expect(JSON.parse(imported.stdout)).toMatchObject({ created: 40, rejected: 1 });
    // What gives a name up leaves it to others.
    expect((await rename(other, ops.path, "Operations"))["status"]).toBe(200);
    expect((await post(hr, "Ops"))["status"]).toBe(201);
    // What was deleted comes back under a name that is free alone.
    const back = await server.send("POST", `/tenants/acme/deleted/Group/${third.id}/restore`, { match: "*" });
    expect(back.status).toBe(409);

    expect((await server.send("PATCH", HR, { body: { switches: [] }, match: "*" })).status).toBe(200);
    await eventually(async () => expect((await post(hr, "Dev"))["status"]).toBe(201));
    expect((await server.send("PATCH", HR, { body: ON, match: "*" })).status).toBe(409);
    await server.send("DELETE", HR, { match: "*" });
    expect(await server.send("POST", ACME, { body: { connection: "hr" } })).toMatchObject({ status: 409 });
    expect((await server.send("GET", HR)).status).toBe(404);
  });
});

test("a profile that is a setting is on from the start; what breaks it is told by its ids, and held once it is mended", async () => {
  const [engine] = ENGINES;
  if (engine === undefined) throw new TypeError("There is an engine");
  const database = await engine.make();
  const token = newToken();
  const start = async (
    profile: string,
  ): Promise<{ client: Client; lines: string[]; stop: () => Promise<void> }> => {
    const lines: string[] = [];
    const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
    const environment = { ...database.environment, SCIM_TOKEN: token, SCIM_PROFILE: profile };
    const server = await startInProcess(environment, log);
    return { client: clientOf({ ...server, base: "/scim/v2", token }), lines, stop: () => server.stop() };
  };
  const heldIn = () =>
    database.query("SELECT id FROM unique_values WHERE path = 'displayName!' AND id LIKE 'complete:%'");
  const before = await start("strict");
  const [ops, twin] = [
    await before.client.group({ displayName: "Night watch" }),
    await before.client.group({ displayName: "night watch" }),
  ];
  await before.stop();

  const broken = await start("entra");
  await eventually(() => expect(broken.lines.join("")).toContain('"switch":"group-name-unique"'));
  const told = broken.lines.join("");
  for (const { id } of [ops, twin]) expect(told).toContain(id);
  expect(told).not.toMatch(/night watch/i);
  expect(await heldIn()).toEqual([]);
  const doctor = await printed(["doctor", "--json"], { ...database.environment, SCIM_PROFILE: "entra" });
  expect(doctor.stdout).toContain(
    "not held for resources from before: group-name-unique of connection 'default'",
  );
  expect((await broken.client.call("DELETE", twin.path)).status).toBe(204);
  await broken.stop();

  const mended = await start("entra");
  await eventually(async () => expect(await heldIn()).toHaveLength(1));
  expect(await post(mended.client, "NIGHT WATCH")).toEqual(TAKEN);
  await mended.stop();
  const again = await start("strict");
  await eventually(async () => expect(await heldIn()).toEqual([]));
  expect((await post(again.client, "NIGHT WATCH"))["status"]).toBe(201);
});
