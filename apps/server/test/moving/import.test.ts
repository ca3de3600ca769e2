import { Buffer } from "node:buffer";
import { existsSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENTERPRISE_USER_URN, GROUP_URN, USER_URN, type JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { newFolder } from "../command-line/program.ts";
import { importOptions, type ImportFlags } from "../../src/import/import-options.ts";
import { runImport } from "../../src/import/run-import.ts";
import { openSource } from "../../src/import/source/open-source.ts";
import { exported, importInto, operatorIn, SILENT } from "./imports.ts";

const userOf = (userName: string, more: JsonObject = {}): JsonObject => ({
  schemas: [USER_URN],
  userName,
  ...more,
});
const lines = (...bodies: readonly (JsonObject | string)[]): string =>
  bodies.map((body) => `${typeof body === "string" ? body : JSON.stringify(body)}\n`).join("");

describe("broken records are rejected with their line and reason, and the rest goes on", () => {
  const cases: readonly (readonly [string, string | Buffer, number, RegExp])[] = [
    [
      "no JSON",
      '{"schemas":',
      400,
      /^The record is not valid JSON: .* at line 1, column 12 of the record\.$/,
    ],
    ["no object", "[1]", 400, /no JSON object/],
    ["no type", '{"userName":"x"}', 400, /does not tell its resource type/],
    ["a member twice", `{"schemas":["${USER_URN}"],"userName":"x","userName":"y"}`, 400, /occurs twice/],
    [
      "a number that no double holds",
      `{"schemas":["${USER_URN}"],"userName":"x","title":1e999}`,
      400,
      /number/,
    ],
    ["an attribute that is missing", `{"schemas":["${USER_URN}"],"displayName":"x"}`, 400, /userName/],
    ["a value of another type", `{"schemas":["${USER_URN}"],"userName":{"a":1}}`, 400, /userName/],
    [
      "Latin-1",
      Buffer.from(`{"schemas":["${USER_URN}"],"userName":"Jürgen"}`, "latin1"),
      400,
      /not UTF-8.*--encoding/,
    ],
    [
      "a line that is too long",
      JSON.stringify(userOf("x", { title: "x".repeat(3000) })),
      400,
      /at most 2048 are read/,
    ],
    [
      "a key that a line before has",
      JSON.stringify(userOf("FIRST")),
      409,
      /Record 1 has the same value of attribute 'userName'/,
    ],
    [
      "an externalId that a line before has",
      JSON.stringify(userOf("x", { externalId: "e1" })),
      409,
      /Record 1 has the same value of attribute 'externalId'/,
    ],
    ["rows of another type", '{"schemas":["urn:x"]}', 400, /does not tell/],
    [
      "a type that is not there",
      JSON.stringify(userOf("x", { meta: { resourceType: "Robot" } })),
      400,
      /no resource type "Robot", which 'meta.resourceType' names; there are User, Group.*--type/,
    ],
    [
      "a type that is no name",
      JSON.stringify(userOf("x", { meta: { resourceType: ["User"] } })),
      400,
      /no resource type \["User"\]/,
    ],
  ];

  test.each(cases)("%s", async (_, line, status, detail) => {
    const folder = newFolder();
    const operator = await operatorIn(folder);
    const content = Buffer.concat([
      Buffer.from(lines(userOf("first", { externalId: "e1" }))),
      Buffer.isBuffer(line) ? line : Buffer.from(line),
      Buffer.from(`\n\n${lines(userOf("last"))}`),
    ]);
    const flags = { "max-record": "2048" };
    const tried = await importInto(operator, {
      folder,
      name: "a.jsonl",
      content,
      flags: { ...flags, "dry-run": true },
    });
    expect(await exported(operator)).toBe("");
    const { summary, rejected } = await importInto(operator, { folder, name: "b.jsonl", content, flags });
    expect(summary).toMatchObject({ records: 3, created: 2, rejected: 1 });
    expect(rejected).toEqual([
      expect.objectContaining({ record: 2, line: 2, status, detail: expect.stringMatching(detail) }),
    ]);
    expect(tried).toEqual({ summary: expect.objectContaining({ created: 2, rejected: 1 }), rejected });
  });

  test("what belongs to several resources tells of none", async () => {
    const folder = newFolder();
    const operator = await operatorIn(folder);
    for (const name of ["a", "b"]) {
      const body = userOf(name, { externalId: "same" });
      const none = { attributes: null, excludedAttributes: null };
      await operator.service.create(operator.context, { type: "User", body, ...none });
    }
    const content = lines(userOf("c", { externalId: "same" }));
    const { rejected } = await importInto(operator, { folder, name: "a.jsonl", content });
    expect(rejected[0]).toMatchObject({ status: 409, detail: expect.stringContaining("2 resources") });
  });

  test("a dry run rejects what takes a unique value of another resource", async () => {
    const folder = newFolder();
    const operator = await operatorIn(folder);
    const held = lines(userOf("anna", { externalId: "1" }), userOf("bo", { externalId: "2" }));
    await importInto(operator, { folder, name: "held.jsonl", content: held });
    const content = lines(userOf("BO", { externalId: "1" }), userOf("carl"));
    const flags = { "dry-run": true };
    const tried = await importInto(operator, { folder, name: "a.jsonl", content, flags });
    expect(tried.summary).toMatchObject({ created: 1, replaced: 0, rejected: 1 });
    expect(tried.rejected[0]).toMatchObject({ record: 1, status: 409, scimType: "uniqueness" });
    expect(await importInto(operator, { folder, name: "a.jsonl", content })).toEqual(tried);
  });

  test("a group is not overwritten by another of its name, and a dry run says so", async () => {
    const folder = newFolder();
    const operator = await operatorIn(folder, { profile: "strict" });
    const groupOf = (member: string, more: JsonObject): JsonObject => ({
      schemas: [GROUP_URN],
      displayName: "Sales",
      members: [{ value: member }],
      ...more,
    });
    const content = lines(groupOf("m1", { externalId: "A" }), groupOf("m3", {}));
    const source = { folder, name: "a.jsonl", content };
    const tried = await importInto(operator, { ...source, flags: { "dry-run": true } });
    expect(tried.summary).toMatchObject({ created: 1, rejected: 1 });
    expect(tried.rejected).toMatchObject([
      { record: 2, line: 2, status: 409, detail: expect.stringContaining("Record 1 means the same Group") },
    ]);
    expect(await importInto(operator, source)).toEqual(tried);
    const again = await importInto(operator, source);
    expect(again.summary).toMatchObject({ created: 0, replaced: 0, unchanged: 1, rejected: 1 });
    const alone = await importInto(operator, { ...source, content: lines(groupOf("m3", {})) });
    expect(alone.rejected).toMatchObject([
      { record: 1, detail: expect.stringContaining("has an 'externalId'") },
    ]);
    const kept: JsonObject = JSON.parse(await exported(operator));
    expect(kept).toMatchObject({ externalId: "A", members: [{ value: "m1" }] });
  });

  test("a source without faults leaves no report behind, also where there was one", async () => {
    const folder = newFolder();
    const operator = await operatorIn(folder);
    await importInto(operator, { folder, name: "a.jsonl", content: "broken\n" });
    expect(existsSync(join(folder, "a.jsonl.rejected.jsonl"))).toBe(true);
    await importInto(operator, { folder, name: "a.jsonl", content: lines(userOf("bo")) });
    expect(existsSync(join(folder, "a.jsonl.rejected.jsonl"))).toBe(false);
  });
});

describe("a record without schemas", () => {
  const bare = [{ userName: "a" }, { schemas: [], userName: "b" }, { SCHEMAS: null, userName: "c" }];

  test.each<[string, readonly JsonObject[], ImportFlags]>([
    ["--type", bare, { type: "user" }],
    ["meta.resourceType", bare.map((body) => ({ ...body, meta: { resourceType: "User" } })), {}],
  ])("has that of its type where %s tells it; extensions join it", async (_, bodies, flags) => {
    const folder = newFolder();
    const operator = await operatorIn(folder);
    const employee = { userName: "d", [ENTERPRISE_USER_URN]: { employeeNumber: "1" } };
    const more = bodies[0]?.["meta"] === undefined ? {} : { meta: { resourceType: "User" } };
    const content = lines(...bodies, { ...employee, ...more });
    const { summary } = await importInto(operator, { folder, name: "a.jsonl", content, flags });
    expect(summary).toMatchObject({ created: 4, rejected: 0 });
    const kept = (await exported(operator))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).schemas);
    expect(kept).toEqual([[USER_URN], [USER_URN], [USER_URN], [USER_URN, ENTERPRISE_USER_URN]]);
  });
});

test("R7643-2.1-01 a record tells its type by names in any letter case", async () => {
  const folder = newFolder();
  const operator = await operatorIn(folder);
  const content = lines(
    { Schemas: [USER_URN], userName: "a" },
    { META: { ResourceType: "User" }, userName: "b" },
    { schemas: [USER_URN], Meta: { resourcetype: "Group" }, displayName: "c" },
  );
  const { summary } = await importInto(operator, { folder, name: "a.jsonl", content });
  expect(summary).toMatchObject({ created: 3, rejected: 0 });
  expect(await exported(operator)).toContain(`{"schemas":["${GROUP_URN}"]`);
});

describe("an import", () => {
  test("takes no file for its report that is none, such as the source, and leaves it as it is", async () => {
    const folder = newFolder();
    const content = lines(userOf("a"));
    const name = "users.jsonl";
    const report = join(folder, name);
    const refused = importInto(await operatorIn(folder), { folder, name, content, flags: { report } });
    await expect(refused).rejects.toThrow("exists and is no report of an import: name another file");
    expect(readFileSync(report, "utf8")).toBe(content);
  });

  test("writes its report to what is no file, and never takes its place", async () => {
    const folder = newFolder();
    const report = join(folder, "device");
    symlinkSync("/dev/null", report);
    const operator = await operatorIn(folder);
    for (const content of [lines(userOf("a")), lines("broken")]) {
      const options = importOptions([join(folder, "users.jsonl")], { report });
      writeFileSync(join(folder, "users.jsonl"), content);
      const { signal } = new AbortController();
      const source = await openSource(options, signal);
      await runImport({ operator, source, options, progress: SILENT, signal });
      expect(readlinkSync(report)).toBe("/dev/null");
    }
  });

  test("twice changes nothing, and finds resources by externalId, then by userName", async () => {
    const folder = newFolder();
    const operator = await operatorIn(folder);
    const content = lines(userOf("anna", { externalId: "1" }), userOf("bo"));
    await importInto(operator, { folder, name: "a.jsonl", content });
    const before = await exported(operator);
    const again = await importInto(operator, { folder, name: "a.jsonl", content });
    expect(again.summary).toMatchObject({ created: 0, replaced: 0, unchanged: 2 });
    const renamed = lines(userOf("anne", { externalId: "1" }), userOf("BO", { externalId: "2" }));
    const { summary } = await importInto(operator, { folder, name: "b.jsonl", content: renamed });
    expect(summary).toMatchObject({ created: 0, replaced: 2 });
    expect((await exported(operator)).split("\n")).toHaveLength(before.split("\n").length);
  });

  test("of records that are new, known and broken does with each what it is", async () => {
    const folder = newFolder();
    const operator = await operatorIn(folder);
    const many = (count: number, from: number): readonly JsonObject[] =>
      Array.from({ length: count }, (_, index) =>
        userOf(`user ${from + index}`, { externalId: `${from + index}` }),
      );
    await importInto(operator, { folder, name: "a.jsonl", content: lines(...many(3, 0)) });
    const [same, other, third] = many(3, 0);
    const content = lines(
      ...many(2600, 100),
      "broken",
      { ...same },
      { ...other, title: "Dr" },
      { ...third, externalId: "another" },
      ...many(200, 5000),
      "broken",
    );
    const { summary, rejected } = await importInto(operator, { folder, name: "b.jsonl", content });
    expect(summary).toMatchObject({ records: 2805, created: 2800, replaced: 1, unchanged: 1, rejected: 3 });
    expect(rejected.map(({ record, status }) => [record, status])).toEqual([
      [2601, 400],
      [2805, 400],
      [2604, 409],
    ]);
    expect((await exported(operator)).trimEnd().split("\n")).toHaveLength(2803);
  });

  test("takes the type that its flag names before that of a record, and its schema where it names none", async () => {
    const folder = newFolder();
    const operator = await operatorIn(folder);
    const content = lines(userOf("anna", { meta: { resourceType: null } }), userOf("bo", { meta: {} }));
    expect((await importInto(operator, { folder, name: "a.jsonl", content })).rejected).toEqual([]);
    const robot = lines(userOf("carla", { meta: { resourceType: "Robot" } }));
    const typed = { folder, name: "b.jsonl", content: robot, flags: { type: "User" } };
    expect((await importInto(operator, typed)).summary).toMatchObject({ created: 1, rejected: 0 });
  });

  test("with mode create rejects what exists with other content", async () => {
    const folder = newFolder();
    const operator = await operatorIn(folder);
    await importInto(operator, { folder, name: "a.jsonl", content: lines(userOf("anna"), userOf("bo")) });
    const content = lines(userOf("anna"), userOf("bo", { title: "Dr" }), userOf("carla"));
    const flags = { mode: "create" };
    const { summary, rejected } = await importInto(operator, { folder, name: "b.jsonl", content, flags });
    expect(summary).toMatchObject({ created: 1, unchanged: 1, rejected: 1 });
    expect(rejected[0]).toMatchObject({ record: 2, status: 409 });
  });

  test("reads a ListResponse with users and groups, and keeps ids where it is told", async () => {
    const folder = newFolder();
    const operator = await operatorIn(folder);
    const meta = (resourceType: string): JsonObject => ({
      resourceType,
      created: "2020-01-02T03:04:05Z",
      version: "x",
    });
    const Resources = [
      { ...userOf("anna", { groups: [{ value: "g1" }] }), id: "u1", meta: meta("User") },
      {
        schemas: [GROUP_URN],
        id: "g1",
        displayName: "G",
        members: [{ value: "u1" }, { value: "u2" }],
        meta: meta("Group"),
      },
      { ...userOf("bad"), id: "not/ours", meta: meta("User") },
    ];
    const content = JSON.stringify({ totalResults: 3, Resources }, null, 2);
    const flags = { "keep-ids": true };
    const { rejected } = await importInto(operator, { folder, name: "a.json", content, flags });
    expect(rejected).toEqual([
      expect.objectContaining({ record: 3, detail: expect.stringContaining("'id' cannot be kept") }),
    ]);
    const [user, group] = (await exported(operator))
      .trimEnd()
      .split("\n")
      .map((line): JsonObject => JSON.parse(line));
    expect(user).toMatchObject({ id: "u1", meta: { created: "2020-01-02T03:04:05.000Z" } });
    expect(group).toMatchObject({ id: "g1", members: [{ value: "u1" }, { value: "u2" }] });
    const again = await importInto(operator, { folder, name: "b.json", content, flags });
    expect(again.summary).toMatchObject({ unchanged: 2, rejected: 1 });
  });

  test("R7643-3.1-02 keeps an id once, whatever the type, also where a run is only tried", async () => {
    const folder = newFolder();
    const operator = await operatorIn(folder);
    const people = lines({ ...userOf("seven"), id: "1007" }, { ...userOf("eight"), id: "1008" });
    const kept = { "keep-ids": true };
    await importInto(operator, { folder, name: "people.jsonl", content: people, flags: kept });
    const groups = ["1006", "1007"].map((id) => ({ schemas: [GROUP_URN], id, displayName: `group ${id}` }));
    const source = { folder, name: "groups.jsonl", content: lines(...groups) };
    for (const flags of [{ ...kept, "dry-run": true }, kept]) {
      const { summary, rejected } = await importInto(operator, { ...source, flags });
      expect(summary).toMatchObject({ created: 1, rejected: 1 });
      expect(rejected).toMatchObject([
        {
          record: 2,
          status: 409,
          detail: expect.stringMatching(/of another type.*import the record without its id/),
        },
      ]);
    }
    const all = lines(groups[0] ?? {}, { ...userOf("six"), id: "1006" });
    const { rejected } = await importInto(operator, { folder, name: "all.jsonl", content: all, flags: kept });
    expect(rejected).toMatchObject([{ record: 2, detail: expect.stringContaining("attribute 'id'") }]);
  });

  test("of a list with commas too many rejects what is missing with its line, and takes the rest", async () => {
    const folder = newFolder();
    const operator = await operatorIn(folder);
    const [first, last] = [userOf("anna"), userOf("bo")].map((body) => JSON.stringify(body));
    const content = `{"Resources":[\n${first},\n,\n${last},\n]}`;
    const { summary, rejected } = await importInto(operator, { folder, name: "a.json", content });
    expect(summary).toMatchObject({ records: 4, created: 2, rejected: 2 });
    expect(rejected).toEqual(
      [2, 4].map((record) => ({
        record,
        line: record + 1,
        status: 400,
        scimType: "invalidSyntax",
        detail: "The list has a comma too many here, or lacks the element beside it.",
      })),
    );
  });

  test("of UTF-16 with half a surrogate pair rejects its record", async () => {
    const folder = newFolder();
    const operator = await operatorIn(folder);
    const [first, half, last] = ["anna", "bo HALF", "carla"].map((name) => JSON.stringify(userOf(name)));
    const text = `\ufeff${first}\n${half?.replace("HALF", "\ud83d")}\n${last}\n`;
    const content = Buffer.from(text, "utf16le");
    const { summary, rejected } = await importInto(operator, { folder, name: "a.jsonl", content });
    expect(summary).toMatchObject({ records: 3, created: 2, rejected: 1 });
    expect(rejected).toMatchObject([{ record: 2, line: 2, status: 400 }]);
    expect(rejected[0]?.detail).toMatch(/not UTF-8 \(or UTF-16 or what was named, where the source is\)/);
  });

  test("reads CSV with quotes, line ends and another delimiter", async () => {
    const folder = newFolder();
    const operator = await operatorIn(folder);
    const content = [
      `userName;displayName;emails[type eq ""work""].value;active;${ENTERPRISE_USER_URN}:department`.replaceAll(
        '""',
        '"',
      ),
      'anna;"Anna; the ""first""\r\nof them";a@x.example;true;R&D',
      "bo;Bo;;false;",
      'carla;"Car"la;;;',
      "dora;Dora",
      `eve;"Eve;${"x".repeat(2000)};;`,
      "fred;Fred;;;",
      "gus;Gus;;;",
    ].join("\r\n");
    const flags = { type: "User", "max-record": "1024" };
    // The header holds quotes inside a field, which are those of the path.
    const { summary, rejected } = await importInto(operator, { folder, name: "a.csv", content, flags });
    expect(summary).toMatchObject({ records: 5, created: 2, rejected: 3 });
    expect(rejected.map(({ line, detail }) => [line, detail])).toEqual([
      [5, "Something stands behind the closing quote of column 2."],
      [6, "The record has 2 columns where the header has 5."],
      [7, expect.stringMatching(/^A quote .*, which opens on line 7, is never closed: all .*, 2037 bytes/)],
    ]);
    const headless = importInto(operator, { folder, name: "b.csv", content: '"userName\nbo\n', flags });
    await expect(headless).rejects.toThrow(/header of the CSV cannot be used: A quote .* is never closed/);
    const old = importInto(operator, { folder, name: "c.csv", content: "userName\rbo\r", flags });
    await expect(old).rejects.toThrow(/header of the CSV cannot be used: Its lines end in CR alone: save/);
    expect(await exported(operator)).toContain(String.raw`"displayName":"Anna; the \"first\"\r\nof them"`);
  });

  test("refuses CSV of which one column would take the place of another, and keeps the places of lists", async () => {
    const folder = newFolder();
    const operator = await operatorIn(folder);
    const overlapping = 'userName,emails[type eq "work"].value,emails.value\nann,w@x.y,h@x.y\n';
    const flags = { type: "User" };
    await expect(
      importInto(operator, { folder, name: "a.csv", content: overlapping, flags }),
    ).rejects.toThrow(/may hold the same emails\.value/);
    const mapping = join(folder, "mapping.json");
    const column = (path: string): object => ({ path, separator: "|" });
    const columns = { mails: column("emails.value"), types: column("emails.type") };
    writeFileSync(mapping, JSON.stringify({ columns }));
    const content = "userName,mails,types\nann,a|b|c,work||home\n";
    await importInto(operator, { folder, name: "b.csv", content, flags: { ...flags, mapping } });
    expect(JSON.parse(await exported(operator))).toMatchObject({
      emails: [{ value: "a", type: "work" }, { value: "b" }, { value: "c", type: "home" }],
    });
  });

  test("exports what it imported, byte by byte, with ids and instants", async () => {
    const [folder, other] = [newFolder(), newFolder()];
    const operator = await operatorIn(folder);
    const members = Array.from({ length: 25_000 }, (_, index) => ({
      value: `m${index}`,
      type: "User",
      display: "ü",
    }));
    const content = lines(
      ...Array.from({ length: 60 }, (_, index) =>
        userOf(`u${index}`, {
          name: { givenName: "É", familyName: "" },
          emails: [{ value: `${index}@x.example`, primary: true }],
          [ENTERPRISE_USER_URN]: { employeeNumber: String(index) },
        }),
      ),
      { schemas: [GROUP_URN], displayName: "many", members },
      { schemas: [GROUP_URN], displayName: "none" },
    );
    await importInto(operator, { folder, name: "a.jsonl", content });
    const first = await exported(operator);
    const second = await operatorIn(other);
    const moved = { folder: other, name: "b.jsonl", content: first, flags: { "keep-ids": true } };
    expect((await importInto(second, moved)).summary).toMatchObject({ created: 62, rejected: 0 });
    expect(await exported(second)).toBe(first);
  });
});
