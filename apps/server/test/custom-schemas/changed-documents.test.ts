import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino, { type Logger } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { printed } from "../command-line/printed.ts";
import { clientOf } from "../over-http/client.ts";
import { startInProcess, startOwnServer } from "../over-http/in-process.ts";

const DEVICE = "urn:example:params:scim:schemas:acme:1.0:Device";
const PART = "urn:example:params:scim:schemas:acme:1.0:Part";
const string = (name: string, more: object = {}): object => ({ name, type: "string", ...more });
const deviceType = { name: "Device", endpoint: "/Devices", schema: DEVICE };
const partType = { name: "Part", endpoint: "/Parts", schema: PART };
const device = (...attributes: readonly object[]): object => ({ id: DEVICE, attributes });
const part = (...attributes: readonly object[]): object => ({ id: PART, attributes });

const SERIAL = string("serial", { required: true });
const BADGE = string("badge");
const FIRST = [device(SERIAL, BADGE), deviceType, part(string("code")), partType];

let folder: string;
const environment = (documents: readonly object[]): Readonly<Record<string, string>> => {
  const schemas = mkdtempSync(join(folder, "documents-"));
  writeFileSync(join(schemas, "all.json"), JSON.stringify(documents));
  return { SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}`, SCIM_SCHEMAS: schemas };
};

/** A log, and the warnings in it. */
function watched(): { readonly log: Logger; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  return { log: pino({ level: "warn" }, { write: (line: string) => void warnings.push(line) }), warnings };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "scim-changed-documents-"));
  const server = await startOwnServer(environment(FIRST));
  for (const serial of ["A-1", "a-1"]) {
    await clientOf(server).call("POST", "/Devices", { body: { schemas: [DEVICE], serial, badge: "B-1" } });
  }
  await server.stop();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  [
    "an attribute becomes unique",
    [device(string("serial", { uniqueness: "server" }), BADGE), deviceType],
    "serial has uniqueness server",
  ],
  [
    "an attribute tells letter case apart",
    [device(string("serial", { caseExact: true }), BADGE), deviceType],
    "serial tells letter case apart",
  ],
  [
    "an attribute is of another type",
    [device({ name: "serial", type: "integer" }, BADGE), deviceType],
    "serial has type integer",
  ],
  [
    "an attribute holds a list",
    [device(string("serial", { multiValued: true }), BADGE), deviceType],
    "serial holds a list",
  ],
  [
    "a resource type is built on another schema",
    [device(SERIAL), part(SERIAL), { ...deviceType, schema: PART }],
    "schema is",
  ],
])("a start is refused by which stored values would be misread: %s", async (_case, documents, reason) => {
  const told = environment(documents);
  await expect(startInProcess(told)).rejects.toThrow(`resources of type Device`);
  await expect(startInProcess(told)).rejects.toThrow(reason);
  await expect(printed(["export", "--type", "Device"], told)).rejects.toThrow("--schemas or SCIM_SCHEMAS");
});

test.each([
  ["no documents", [], "it is gone"],
  ["documents of before", [device(SERIAL), deviceType], "badge is removed"],
])("commands refuse %s: what these lack would be left out, or lost", async (_case, documents, reason) => {
  const file = join(folder, "devices.jsonl");
  writeFileSync(file, JSON.stringify({ schemas: [DEVICE], serial: "A-1", badge: "B-1" }));
  const index = ["--type", "Device", "--path", "badge"];
  for (const command of [
    ["export"],
    ["import", file],
    ["import", file, "--dry-run"],
    ["index", "add", ...index],
  ]) {
    const refused = printed(command, environment(documents));
    await expect(refused).rejects.toThrow(`resources of type Device in tenant 'default' would lose`);
    await expect(refused).rejects.toThrow(reason);
    await expect(refused).rejects.toThrow("--schemas or SCIM_SCHEMAS");
  }
});

test("commands take documents that have more than the service was started with", async () => {
  const more = [device(SERIAL, BADGE, string("colour")), ...FIRST.slice(1)];
  const { stdout } = await printed(["export", "--type", "Device"], environment(more));
  expect(stdout.match(/"badge":"B-1"/g)).toHaveLength(2);
});

test("what only clients miss is told once, and a type without resources may change", async () => {
  const told = async (documents: readonly object[]): Promise<number> => {
    const { log, warnings } = watched();
    await (await startInProcess(environment(documents), log)).stop();
    return warnings.filter((line) => line.includes("badge is removed")).length;
  };
  const gone = [device(SERIAL), deviceType];
  expect(await told([...gone, part(string("code")), partType])).toBe(1);
  expect(await told([...gone, part(string("code")), partType])).toBe(0);
  const changed = part({ name: "code", type: "integer", uniqueness: "server" });
  expect(await told([...gone, changed, partType])).toBe(1);
});

test("what was gone for a while comes back as it was, or not at all", async () => {
  const other = environment([device(SERIAL, string("badge", { uniqueness: "server" })), deviceType]);
  await expect(startInProcess(other)).rejects.toThrow("badge has uniqueness server");
  await (await startInProcess(environment([]))).stop();
  await expect(startInProcess(other)).rejects.toThrow("badge has uniqueness server");
  const server = await startInProcess(environment(FIRST));
  const found = await server.call("GET", "/Devices?filter=badge+eq+%22b-1%22");
  expect(found.body).toMatchObject({ totalResults: 2 });
});
