import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runHere } from "./printed.ts";
import { newFolder, type Ended } from "./program.ts";

const DEVICE = "urn:example:params:scim:schemas:acme:1.0:Device";
const BADGE = "urn:acme:Badge";
const described = { name: "Thing", description: "What there is." };
const device = (...attributes: readonly object[]): object => ({ ...described, id: DEVICE, attributes });
const serial = { name: "serial", type: "string", description: "The number on the back." };
const type = { name: "Device", endpoint: "/Devices", schema: DEVICE };

/** Runs `scim schema` in a folder of documents. */
async function schema(args: readonly string[], files: Readonly<Record<string, object>>): Promise<Ended> {
  const folder = newFolder();
  for (const [name, document] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify(document));
  }
  return runHere(["schema", ...args], { folder });
}

describe("scim schema validate", () => {
  test("takes files in any order, prints notices and ends with 0", async () => {
    const bound = { ...type, schemaExtensions: [{ schema: BADGE }] };
    const ended = await schema(["validate", "type.json", "more"], {
      "type.json": bound,
      "more/device.json": device({ ...serial, pattern: "^x$" }),
      "more/badge.json": [{ ...described, id: BADGE, attributes: [serial] }],
    });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout.split("\n")).toEqual([
      expect.stringMatching(/^notice {2}more\/device\.json: attributes\[0\]\.pattern: is no characteristic/),
      expect.stringMatching(
        /^notice {2}type\.json: schemaExtensions\[0\]\.schema: "urn:acme:Badge" is accepted/,
      ),
      expect.stringMatching(/^notice {2}type\.json: schemaExtensions\[0\]\.schema: defines serial/),
      "3 documents usable, 3 notices.",
      "",
    ]);
  });

  test("prints every fault with file and path, and ends with 1", async () => {
    const ended = await schema(["validate", "device.json", "stray.json"], {
      "device.json": device({ name: "1st" }, { name: "a", type: "money" }),
      "stray.json": { hello: 1 },
    });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr.split("\n")).toEqual([
      "error   stray.json: document: is neither a Schema nor a ResourceType",
      expect.stringMatching(/^error {3}device\.json: attributes\[1\]\.type: must be one of string/),
      "",
    ]);
  });

  test.each<[why: string, args: readonly string[]]>([
    ["no file", ["validate"]],
    ["no action", []],
    ["another action", ["print", "x.json"]],
    ["one file to compare", ["diff", "x.json"]],
    ["three files to compare", ["diff", "x.json", "y.json", "z.json"]],
  ])("%s: a sentence on standard error, exit code 2", async (_why, args) => {
    const ended = await schema(args, { "x.json": device(serial) });
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(/^scim: .+\n$/);
  });
});

describe("what cannot be read", () => {
  test.each([
    ["missing.json", "missing.json cannot be read: ENOENT: no such file or directory, open 'missing.json'."],
    ["broken.json", expect.stringMatching(/^broken\.json cannot be read as JSON: .+\.$/)],
    ["none", "The folder none holds no file *.json."],
  ])("%s: what is wrong, exit code 1", async (path, message) => {
    const folder = newFolder();
    writeFileSync(join(folder, "broken.json"), "{");
    mkdirSync(join(folder, "none"));
    for (const args of [
      ["validate", path],
      ["diff", path, path],
      ["add", path],
    ]) {
      const { code, stdout, stderr } = await runHere(["schema", ...args, "--json"], { folder });
      expect([code, stdout, JSON.parse(stderr)]).toEqual([1, "", { error: { message, exitCode: 1 } }]);
    }
  });
});

describe("scim schema diff", () => {
  test("prints what breaks, and ends with 1", async () => {
    const ended = await schema(["diff", "old.json", "new.json"], {
      "old.json": device(serial, { name: "model" }),
      "new.json": { ...device({ ...serial, required: true }, { name: "colour" }), id: `${DEVICE}2` },
    });
    expect(ended).toMatchObject({ code: 1, stderr: "" });
    expect(ended.stdout.split("\n")).toEqual([
      `compatible  ${DEVICE} is another schema, ${DEVICE}2: both can be served beside each other`,
      `breaking    ${DEVICE} model is removed: clients that read or write it fail, and its stored values are lost`,
      `breaking    ${DEVICE} serial is required, was optional: clients that leave it out are refused, and stored resources may lack it`,
      `compatible  ${DEVICE} colour is new`,
      "4 differences, 2 breaking.",
      "",
    ]);
  });

  test("prints what is compatible, and ends with 0; folders hold many documents", async () => {
    const ended = await schema(["diff", "old", "new"], {
      "old/device.json": device(serial),
      "old/type.json": type,
      "new/all.json": [
        device(serial, { name: "model" }),
        { ...described, id: BADGE, attributes: [serial] },
        { ...type, schemaExtensions: [{ schema: BADGE }] },
      ],
    });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout.split("\n")).toEqual([
      `compatible  ${DEVICE} model is new`,
      `compatible  ${BADGE} is new`,
      "compatible  Device schemaExtensions[urn:acme:badge] is new",
      "3 differences, 0 breaking.",
      "",
    ]);
  });

  test("what is gone breaks; documents that cannot be used are refused", async () => {
    const gone = await schema(["diff", "old.json", "new.json"], {
      "old.json": [device(serial), type],
      "new.json": [device(serial)],
    });
    expect(gone).toMatchObject({
      code: 1,
      stdout: "breaking    Device is gone\n1 difference, 1 breaking.\n",
    });
    const broken = await schema(["diff", "old.json", "new.json"], {
      "old.json": device(serial),
      "new.json": device({ ...serial, name: "1st" }),
    });
    expect(broken).toMatchObject({ code: 1, stdout: "" });
    expect(broken.stderr).toContain("new.json: attributes[0].name: must be a letter");
  });
});
