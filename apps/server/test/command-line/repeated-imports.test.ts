import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENTERPRISE_USER_URN, GROUP_URN, USER_URN, type JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { startInProcess } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";
import { printed } from "./printed.ts";
import { newFolder } from "./program.ts";

const USER = { schemas: [USER_URN] };
const GROUP = { schemas: [GROUP_URN] };
const NONE = { created: 0, updated: 0, unchanged: 0, rejected: [], stopped: false };

interface Service {
  /** Imports records over HTTP, and tells what came of them. */
  readonly imported: (...records: readonly JsonObject[]) => Promise<unknown>;
  /** Exports all that is there, and imports that very file. */
  readonly roundTrip: () => Promise<unknown>;
  /** All resources of an endpoint, by an attribute that each has. */
  readonly list: (endpoint: string) => Promise<readonly JsonObject[]>;
}

async function service(profile = "tolerant"): Promise<Service> {
  const file = join(newFolder(), "all.jsonl");
  const token = newToken();
  const server = await startInProcess({
    SCIM_DATABASE_URL: "sqlite::memory:",
    SCIM_TOKEN: token,
    SCIM_PROFILE: profile,
  });
  const run = async (command: string, ...more: readonly string[]): Promise<string> => {
    const args = [command, file, "--url", `${server.origin}/scim/v2`, ...more];
    return (await printed(args, { SCIM_TOKEN: token })).stdout;
  };
  const importFile = async (): Promise<unknown> => JSON.parse(await run("import", "--json"));
  return {
    imported: (...records) => {
      writeFileSync(file, records.map((record) => JSON.stringify(record)).join("\n"));
      return importFile();
    },
    roundTrip: async () => {
      rmSync(file, { force: true });
      await run("export");
      expect(readFileSync(file, "utf8")).not.toBe("");
      return importFile();
    },
    list: async (endpoint) => {
      const { body } = await server.call("GET", endpoint);
      return body["Resources"] as readonly JsonObject[];
    },
  };
}

const home = { value: "+1 5", type: "home" };
const work = { value: "+1 5", type: "work" };

describe("a list whose values have one 'value' in several", () => {
  test.each<[string, readonly JsonObject[]]>([
    ["another thing to say of one", [home, { ...work, display: "Office" }]],
    ["a primary one", [home, { ...work, primary: true }]],
    ["one without a type", [{ value: "+1 5", display: "Any" }, home]],
  ])("with %s is the same after each run, and after that of its own export", async (_, phoneNumbers) => {
    const { imported, roundTrip, list } = await service();
    const record = { ...USER, userName: "disp", phoneNumbers };
    expect(await imported(record)).toEqual({ ...NONE, created: 1 });
    const before = await list("/Users");
    expect(before).toMatchObject([{ phoneNumbers }]);
    expect(await imported(record)).toEqual({ ...NONE, unchanged: 1 });
    expect(await roundTrip()).toEqual({ ...NONE, unchanged: 1 });
    expect(await list("/Users")).toEqual(before);
  });

  test.each<[string, readonly JsonObject[], readonly JsonObject[], readonly JsonObject[]]>([
    [
      "goes on with what each has",
      [
        { ...home, display: "Home" },
        { ...work, display: "Office" },
      ],
      [work, home],
      [
        { ...work, display: "Office" },
        { ...home, display: "Home" },
      ],
    ],
    [
      "gives what one has to no two",
      [{ ...home, display: "Home" }],
      [home, work],
      [{ ...home, display: "Home" }, work],
    ],
    [
      "takes a value that is alone for the one of another type",
      [{ ...home, display: "Home" }],
      [work],
      [{ ...work, display: "Home" }],
    ],
    [
      "takes none for another where several might be meant",
      [{ ...home, display: "Home" }],
      [work, { ...work, type: "mobile" }],
      [work, { ...work, type: "mobile" }],
    ],
    [
      "makes another one primary where the record says so",
      [{ ...home, primary: true }, work],
      [home, { ...work, primary: true }],
      [home, { ...work, primary: true }],
    ],
  ])("%s", async (_, before, named, after) => {
    const { imported, list } = await service();
    await imported({ ...USER, userName: "disp", phoneNumbers: before });
    const record = { ...USER, userName: "disp", phoneNumbers: named };
    expect(await imported(record)).toEqual({ ...NONE, updated: 1 });
    expect(await list("/Users")).toMatchObject([{ phoneNumbers: after }]);
    expect((await list("/Users"))[0]?.["phoneNumbers"]).toEqual(after);
    expect(await imported(record)).toEqual({ ...NONE, unchanged: 1 });
  });
});

describe("a record in another form than that of its schema", () => {
  test.each<[string, JsonObject]>([
    ["names in another letter case (R7643-2.1-01)", { USERNAME: "cased", NAME: { FAMILYNAME: "B" } }],
    ["a text for a list", { userName: "one", emails: "x@y.z" }],
    ["one object for a list", { userName: "one", emails: { value: "x@y.z", type: "work" } }],
    ["a list around a single value", { userName: ["one"], title: ["Dr"] }],
    ["nothing in a list", { userName: "one", emails: [null], title: null, name: {} }],
  ])("means the same in each run: %s", async (_, fields) => {
    const { imported } = await service();
    expect(await imported({ ...USER, ...fields })).toEqual({ ...NONE, created: 1 });
    expect(await imported({ ...USER, ...fields })).toEqual({ ...NONE, unchanged: 1 });
  });

  test("follows references that are texts to the ids of the service", async () => {
    const { imported, list } = await service();
    const records = [
      { ...USER, id: "a", userName: "ann" },
      { ...GROUP, displayName: "G", MEMBERS: ["a"] },
    ];
    expect(await imported(...records)).toEqual({ ...NONE, created: 2 });
    const [ann] = await list("/Users");
    expect(await list("/Groups")).toMatchObject([{ members: [{ value: ann?.["id"] }] }]);
    expect(await imported(...records)).toEqual({ ...NONE, unchanged: 2 });
  });

  test("references follow to what stands behind them, and a second import leaves them as they are", async () => {
    const { imported, list } = await service();
    const records: readonly JsonObject[] = [
      {
        ...USER,
        id: "e",
        userName: "emp",
        [ENTERPRISE_USER_URN]: { manager: { value: "m" }, division: "a" },
      },
      {
        ...USER,
        id: "s",
        userName: "self",
        externalId: "self",
        [ENTERPRISE_USER_URN]: { manager: { value: "s" } },
      },
      {
        ...GROUP,
        id: "o",
        displayName: "Outer",
        members: [{ value: "i" }, { value: "e" }, { value: "gone" }],
      },
      { ...GROUP, id: "i", displayName: "Inner", members: [{ value: "e" }] },
      { ...USER, id: "m", userName: "mgr" },
    ];
    expect(await imported(...records)).toEqual({ ...NONE, created: 5 });
    const found = await list("/Users");
    const users = new Map(found.map((user) => [user["userName"], user]));
    const [e, s, m] = ["emp", "self", "mgr"].map((name) => users.get(name)?.["id"]);
    expect(users.get("emp")).toMatchObject({
      [ENTERPRISE_USER_URN]: { manager: { value: m }, division: "a" },
    });
    expect(users.get("self")).toMatchObject({ [ENTERPRISE_USER_URN]: { manager: { value: s } } });
    const groups = await list("/Groups");
    const inner = groups.find(({ displayName }) => displayName === "Inner");
    expect(inner).toMatchObject({ members: [{ value: e }] });
    const outer = groups.find(({ displayName }) => displayName === "Outer");
    const members: unknown = outer?.["members"];
    const wanted: readonly unknown[] = [inner?.["id"], e, "gone"];
    for (const value of wanted) expect(members).toContainEqual(expect.objectContaining({ value }));

    expect(await imported(...records)).toEqual({ ...NONE, unchanged: 5 });
    expect(await list("/Users")).toEqual(found);
    expect(await list("/Groups")).toEqual(groups);
    const moved = { ...USER, id: "e", userName: "emp", [ENTERPRISE_USER_URN]: { manager: { value: "n" } } };
    expect(await imported(moved, { ...USER, id: "n", userName: "new" })).toEqual({
      ...NONE,
      created: 1,
      updated: 1,
    });
    const after = new Map((await list("/Users")).map((user) => [user["userName"], user]));
    const n = after.get("new");
    expect(after.get("emp")).toMatchObject({
      [ENTERPRISE_USER_URN]: { manager: { value: n?.["id"] }, division: "a" },
    });
  });

  test("is refused where it names an attribute in two spellings", async () => {
    const { imported } = await service();
    expect(await imported({ ...USER, userName: "a", USERNAME: "b" })).toEqual({
      ...NONE,
      rejected: [{ place: "line 1", reason: expect.stringContaining("'USERNAME' is given twice") }],
    });
  });
});

describe("of records of one key the first counts, in each run", () => {
  const user = (userName: string, more: JsonObject = {}): JsonObject => ({ ...USER, userName, ...more });
  const group = (member: string, more: JsonObject = {}): JsonObject => ({
    ...GROUP,
    displayName: "Sales",
    members: [{ value: member }],
    ...more,
  });
  const [A, B] = [{ externalId: "A" }, { externalId: "B" }];
  const sameAs = (path: string): RegExp => new RegExp(`^Record 1 has the same value of attribute '${path}'`);
  const NAMESAKE = /^Record 1 means the same Group by attribute 'displayName'/;

  test.each<[string, string, readonly JsonObject[], string, RegExp]>([
    ["externalId", "tolerant", [user("dup1", A), user("dup2", A)], "/Users", sameAs("externalId")],
    ["userName", "tolerant", [user("dup", A), user("DUP", B)], "/Users", sameAs("userName")],
    [
      "userName, spelled otherwise",
      "strict",
      [user("dup"), { ...USER, USERNAME: "dup" }],
      "/Users",
      sameAs("userName"),
    ],
    ["a name alone", "strict", [group("1"), group("2")], "/Groups", NAMESAKE],
    ["a name behind an externalId", "strict", [group("1", A), group("2")], "/Groups", NAMESAKE],
    ["a name before an externalId", "strict", [group("1"), group("2", A)], "/Groups", NAMESAKE],
    [
      "a name before an externalId, where names are unique",
      "tolerant",
      [group("1"), group("2", A)],
      "/Groups",
      NAMESAKE,
    ],
  ])("%s (%s)", async (_, profile, records, endpoint, reason) => {
    const { imported, list } = await service(profile);
    const rejected = [{ place: "line 2", reason: expect.stringMatching(reason) }];
    expect(await imported(...records)).toEqual({ ...NONE, created: 1, rejected });
    const first = await list(endpoint);
    expect(first).toMatchObject(records.slice(0, 1));
    expect(await imported(...records)).toEqual({ ...NONE, unchanged: 1, rejected });
    expect(await list(endpoint)).toEqual(first);
  });

  test("groups of one name and different externalIds are two, or where names are unique, the first", async () => {
    const records = [group("1", A), group("2", B)];
    const strict = await service("strict");
    expect(await strict.imported(...records)).toEqual({ ...NONE, created: 2 });
    expect(await strict.imported(...records)).toEqual({ ...NONE, unchanged: 2 });
    const tolerant = await service();
    const rejected = [{ place: "line 2", reason: expect.stringContaining("409") }];
    expect(await tolerant.imported(...records)).toEqual({ ...NONE, created: 1, rejected });
    const [only] = await tolerant.list("/Groups");
    expect(only).toMatchObject(A);
    expect(await tolerant.imported(...records)).toEqual({ ...NONE, unchanged: 1, rejected });
    expect(await tolerant.list("/Groups")).toEqual([only]);
  });

  test("a resource is not taken from another externalId by its userName", async () => {
    const { imported, list } = await service();
    await imported(user("ann", A));
    const before = await list("/Users");
    const rejected = [{ place: "line 1", reason: expect.stringContaining("409") }];
    expect(await imported(user("ann", B))).toEqual({ ...NONE, rejected });
    expect(await list("/Users")).toEqual(before);
  });
});
