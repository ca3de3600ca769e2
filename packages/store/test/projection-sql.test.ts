import type { ScimService } from "@scim/core";
import { PATCH_OP_URN, USER_URN, type JsonObject } from "@scim/schemas";
import { beforeEach, describe, expect, test } from "vitest";
import type { Store } from "../src/store.ts";
import { ENGINES } from "./support/engines.ts";
import { sentTexts } from "./support/sent-texts.ts";
import { CALLER, create, list, PLAIN, PROJECT, serviceOver } from "./support/services.ts";

const GROUP_URN = "urn:ietf:params:scim:schemas:core:2.0:Group";

let service: ScimService;
let user = "";
let group = "";
let project = "";
/** The statements that ran since the start of a test, or since they were forgotten, each on one line. */
let record: () => readonly string[] = () => [];
let forget: () => void = () => undefined;

async function prepare(openStore: () => Promise<Store>): Promise<void> {
  service = serviceOver((await openStore()).resources);
  user = await create(service, "User", { schemas: [USER_URN], userName: "anna" });
  group = await create(service, "Group", {
    schemas: [GROUP_URN],
    displayName: "all",
    members: [{ value: user }],
  });
  project = await create(service, "Project", { schemas: [PROJECT], code: "x", owners: [{ value: user }] });
  const sent = sentTexts();
  record = () => sent.texts().map((text) => text.replaceAll(/\s+/g, " "));
  forget = sent.forget;
}

/** The statements that read or write rows of references. */
function touching(): readonly string[] {
  return record().filter((text) => text.includes("reference_values"));
}

/** A request on the resource of a type, by the projection that it states. */
type Projection = Pick<typeof PLAIN, "precondition"> & {
  readonly attributes: readonly string[] | null;
  readonly excludedAttributes: readonly string[] | null;
};

interface Row {
  readonly type: "User" | "Group" | "Project";
  /** What holds references, to be left out of answers. */
  readonly held: string;
  /** What is named instead. */
  readonly named: string;
  readonly body: JsonObject;
}

const TYPES: readonly Row[] = [
  { type: "User", held: "groups", named: "userName", body: { schemas: [USER_URN], userName: "bert" } },
  {
    type: "Group",
    held: "members",
    named: "displayName",
    body: { schemas: [GROUP_URN], displayName: "new" },
  },
  { type: "Project", held: "owners", named: "code", body: { schemas: [PROJECT], code: "y" } },
];

function idOf(type: Row["type"]): string {
  return { User: user, Group: group, Project: project }[type];
}

function projections({ held, named }: Row): readonly Projection[] {
  return [
    { ...PLAIN, attributes: [named] },
    { ...PLAIN, excludedAttributes: [held] },
    { ...PLAIN, attributes: ["meta", "id"] },
  ];
}

describe.each(ENGINES)("%s", (_engine, openStore) => {
  beforeEach(() => prepare(openStore));

  describe.each(TYPES)("R7644-3.9-07 an answer without $held touches no row of references: $type", (row) => {
    const { type, named, body } = row;

    test("GET, also where the client's copy is current", async () => {
      for (const projection of projections(row)) {
        const answer = await service.read(CALLER, { type, id: idOf(type), ...projection });
        const precondition = { ifMatch: null, ifNoneMatch: [answer.version] };
        await service.read(CALLER, { type, id: idOf(type), ...projection, precondition });
      }
      expect(touching()).toEqual([]);
      expect(record()).not.toEqual([]);
    });

    test.each([
      ["all", {}],
      ["filtered by an index", { filter: `${named} sw "a" or ${named} eq "x"` }],
      ["filtered by going through them", { filter: `not (${named} co "q") and meta.location pr` }],
      ["sorted by an index", { sortBy: named, sortOrder: "descending" }],
      ["sorted by going through them", { sortBy: "meta.location" }],
      ["by cursor", { cursor: "", count: 1 }],
      ["filtered and sorted by cursor", { cursor: "", sortBy: "meta.location", filter: "meta.location pr" }],
    ])("a list: %s", async (_name, query) => {
      for (const { attributes, excludedAttributes } of projections(row)) {
        const { resources } = await list(service, type, { ...query, attributes, excludedAttributes });
        expect(resources).toHaveLength(1);
      }
      expect(touching()).toEqual([]);
    });

    test("POST of what holds none", async () => {
      const [projection] = projections(row);
      if (projection !== undefined) await service.create(CALLER, { type, body, ...projection });
      expect(touching()).toEqual([]);
      expect(record()).not.toEqual([]);
    });

    test("PATCH of another attribute", async () => {
      for (const [index, projection] of projections(row).entries()) {
        const Operations = [{ op: "replace", path: named, value: `z${String(index)}` }];
        const patch = { schemas: [PATCH_OP_URN], Operations };
        await service.patch(CALLER, { type, id: idOf(type), body: patch, prefer: null, ...projection });
      }
      expect(touching()).toEqual([]);
      expect(record()).not.toEqual([]);
    });
  });

  describe("PUT", () => {
    const put = (
      type: Row["type"],
      body: JsonObject,
      excludedAttributes: readonly string[],
    ): Promise<unknown> =>
      service.replace(CALLER, { ...PLAIN, type, id: idOf(type), body, excludedAttributes });

    test("of a User reads no row for an answer without groups", async () => {
      await put("User", { schemas: [USER_URN], userName: "bert" }, ["groups"]);
      expect(touching()).toEqual([]);
      expect(record()).not.toEqual([]);
    });

    test("of a type that holds references reads its own once, to see what changes, and writes only what does", async () => {
      const members = [{ value: user }];
      await put("Group", { schemas: [GROUP_URN], displayName: "renamed", members }, ["members"]);
      await put("Project", { schemas: [PROJECT], code: "z", owners: members }, ["owners"]);
      expect(touching().map((text) => text.split(" ", 1)[0])).toEqual(["SELECT", "SELECT"]);
    });
  });

  test("R7644-3.4.2-04 a query over all types touches no row of references for what is not shown", async () => {
    const attributes = ["displayName", "code"];
    for (const query of [
      {},
      { cursor: "" },
      { sortBy: "displayName" },
      { sortBy: "code", cursor: "", count: 1 },
    ]) {
      await list(service, null, { ...query, attributes });
    }
    expect(touching()).toEqual([]);
    expect(record()).not.toEqual([]);
  });

  test("what is shown is read: one statement for a page", async () => {
    await create(service, "Group", { schemas: [GROUP_URN], displayName: "more", members: [{ value: user }] });
    forget();
    await list(service, "Group", {});
    expect(touching()).toHaveLength(1);
    forget();
    await list(service, "Group", { cursor: "" });
    expect(touching()).toHaveLength(1);
  });
});
