import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore } from "@scim/core/testing";
import type { ScimService } from "@scim/core";
import { USER_URN, type JsonObject } from "@scim/schemas";
import { beforeAll, describe, expect, test } from "vitest";
import { openPostgresStore } from "../src/postgres/index.ts";
import { openSqliteStore } from "../src/sqlite/index.ts";
import { lendDatabase } from "./support/engines.ts";
import { declareWanted } from "./support/declared.ts";
import {
  BUDGET,
  CALLER,
  create,
  idsOf,
  list,
  PROJECT,
  projects,
  serviceOver,
  walk,
  type Query,
} from "./support/services.ts";

const GROUP_URN = "urn:ietf:params:scim:schemas:core:2.0:Group";
const ENTERPRISE_URN = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

/** In the order of their ids: `id-0001` and so on. */
const RESOURCES: readonly (readonly ["User" | "Group" | "Project", JsonObject])[] = [
  ["User", { userName: "anna", displayName: "Ä", externalId: "e1", name: { familyName: "Berg" } }],
  [
    "User",
    {
      userName: "Bert",
      displayName: "b",
      emails: [{ value: "z@x.example" }, { value: "a@x.example", primary: true }],
      [ENTERPRISE_URN]: { department: "North", manager: { value: "id-0001" } },
    },
  ],
  [
    "User",
    {
      userName: "carl",
      displayName: "B",
      externalId: "E1",
      emails: [{ value: "m@x.example" }],
      active: false,
    },
  ],
  ["User", { userName: "dora", title: "", active: true, [ENTERPRISE_URN]: { department: "east" } }],
  ["Group", { displayName: "x", members: [{ value: "id-0001" }, { value: "id-0003" }] }],
  ["Group", { displayName: "X", externalId: "g", members: [{ value: "id-0003" }] }],
  ["Group", { displayName: "a" }],
  [
    "Project",
    {
      code: "b",
      size: 10,
      started: "2026-01-01T00:00:00+01:00",
      note: "N",
      tags: ["m", "a"],
      lead: { value: "id-0003" },
      [BUDGET]: { amount: 1.5, currency: "EUR" },
    },
  ],
  [
    "Project",
    {
      code: "B",
      size: -1,
      started: "2025-12-31T23:30:00Z",
      note: "a",
      tags: ["k"],
      phases: [{ value: "q" }],
    },
  ],
  [
    "Project",
    {
      code: "a",
      size: 9,
      note: "n",
      phases: [{ value: "a" }, { value: "p", primary: true }],
      lead: { value: "id-0001" },
    },
  ],
  ["Project", { owners: [{ value: "id-0002" }], [BUDGET]: { amount: -2 } }],
];

const URNS = { User: USER_URN, Group: GROUP_URN, Project: PROJECT };

async function filled(service: ScimService): Promise<ScimService> {
  for (const [type, body] of RESOURCES) {
    const extensions = Object.keys(body).filter((name) => name.startsWith("urn:"));
    await create(service, type, { schemas: [URNS[type], ...extensions], ...body });
  }
  return service;
}

let services: readonly (readonly [string, ScimService])[] = [];

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "scim-paths-"));
  const inMemory = await openSqliteStore({ path: ":memory:" });
  const onThreads = await openSqliteStore({ path: join(folder, "scim.db"), scans: { inPlace: 0 } });
  const { url, giveBack } = await lendDatabase();
  const onServer = await openPostgresStore({ url });
  for (const { resources, indexes } of [inMemory, onThreads]) {
    await declareWanted(resources, projects(), CALLER.tenant);
    await indexes.declare({ tenant: CALLER.tenant, type: "Project", path: "phases.primary" });
  }
  services = [
    ["indexes", await filled(serviceOver(inMemory.resources))],
    ["indexes and threads", await filled(serviceOver(onThreads.resources))],
    ["indexes of PostgreSQL", await filled(serviceOver(onServer.resources))],
    ["going through all", await filled(serviceOver(createMemoryStore()))],
  ];
  return async () => {
    await Promise.all([inMemory.close(), onThreads.close(), onServer.close()]);
    await giveBack();
    rmSync(folder, { recursive: true });
  };
});

/** The last digits of the ids that a query finds on all paths: by index, and by cursor forward and back. */
async function found(type: string | null, query: Query): Promise<string> {
  const answers: string[] = [];
  for (const [name, service] of services) {
    const all = await list(service, type, query);
    const ids = idsOf(all);
    expect(all.totalResults, name).toBe(ids.length);
    const page = (cursor: string): ReturnType<typeof list> =>
      list(service, type, { ...query, count: 2, cursor });
    const pages = await walk(page, {});
    expect(pages.flatMap(idsOf), name).toEqual(ids);
    const cursor = pages.at(-1)?.previousCursor;
    if (typeof cursor === "string") {
      const back = await walk(page, { from: cursor, back: true });
      expect(back.toReversed().flatMap(idsOf), name).toEqual(pages.slice(0, -1).flatMap(idsOf));
    }
    answers.push(ids.map((id) => Number(String(id).slice(-2))).join(" "));
  }
  expect(new Set(answers).size).toBe(1);
  return answers[0] ?? "";
}

describe("R7644-3.4.2.3-01 sorted by any attribute of any type, ascending and descending", () => {
  test.each([
    ["User", "id", "1 2 3 4", "4 3 2 1"],
    ["User", "userName", "1 2 3 4", "4 3 2 1"],
    ["User", "displayName", "2 3 1 4", "4 1 2 3"],
    // An address is made of what refers when it is read: no index holds it, whatever an annotation asks for.
    ["Project", "lead.$ref", "10 8 9 11", "9 11 8 10"],
    ["User", "externalId", "3 1 2 4", "2 4 1 3"],
    ["User", "name.familyName", "1 2 3 4", "2 3 4 1"],
    ["User", "emails", "2 3 1 4", "1 4 3 2"],
    ["User", "emails.value", "2 3 1 4", "1 4 3 2"],
    ["User", "emails.primary", "2 1 3 4", "1 3 4 2"],
    ["User", "active", "3 4 1 2", "1 2 4 3"],
    ["User", "title", "4 1 2 3", "1 2 3 4"],
    ["User", "groups", "1 3 2 4", "2 4 1 3"],
    ["User", `${ENTERPRISE_URN}:department`, "4 2 1 3", "1 3 2 4"],
    ["User", `${ENTERPRISE_URN}:manager.value`, "2 1 3 4", "1 3 4 2"],
    ["User", "meta.created", "1 2 3 4", "4 3 2 1"],
    ["User", "meta.lastModified", "1 2 3 4", "4 3 2 1"],
    ["User", "meta.location", "1 2 3 4", "4 3 2 1"],
    ["User", "meta.resourceType", "1 2 3 4", "1 2 3 4"],
    ["User", "schemas", "1 2 3 4", "1 2 3 4"],
    ["Group", "displayName", "7 5 6", "5 6 7"],
    ["Group", "members", "5 6 7", "7 6 5"],
    ["Group", "members.type", "5 6 7", "5 6 7"],
    ["Project", "code", "9 10 8 11", "11 8 10 9"],
    ["Project", "size", "9 10 8 11", "11 8 10 9"],
    ["Project", "started", "8 9 10 11", "10 11 9 8"],
    ["Project", "note", "9 8 10 11", "11 8 10 9"],
    ["Project", "tags", "9 8 10 11", "10 11 8 9"],
    ["Project", "phases", "10 9 8 11", "8 11 9 10"],
    ["Project", "owners.value", "11 8 9 10", "8 9 10 11"],
    ["Project", `${BUDGET}:amount`, "11 8 9 10", "9 10 8 11"],
    ["Project", `${BUDGET}:currency`, "8 9 10 11", "9 10 11 8"],
  ])("%s by %s", async (type, sortBy, ascending, descending) => {
    expect(await found(type, { sortBy })).toBe(ascending);
    expect(await found(type, { sortBy, sortOrder: "descending" })).toBe(descending);
    // Behind a filter that an index serves, and one that none does.
    for (const filter of ['id sw "id-00"', 'not (id eq "x") and meta.location pr']) {
      expect(await found(type, { sortBy, filter })).toBe(ascending);
      expect(await found(type, { sortBy, filter, sortOrder: "descending" })).toBe(descending);
    }
  });
});

describe("R7644-3.4.2-07 filtered by any attribute of any type", () => {
  test.each([
    ["User", 'id eq "id-0002"', "2"],
    ["User", 'id gt "id-0002"', "3 4"],
    ["User", 'externalId eq "E1"', "3"],
    ["User", "externalId pr", "1 3"],
    ["User", "externalId eq null", "2 4"],
    ["User", `schemas eq "${ENTERPRISE_URN}"`, "2 4"],
    ["User", `schemas co "core"`, "1 2 3 4"],
    ["User", 'meta.created ge "2026-01-01T00:00:03Z"', "3 4"],
    ["User", 'meta.lastModified lt "2026-01-01T00:00:03Z"', "1 2"],
    ["User", 'meta.resourceType eq "User"', "1 2 3 4"],
    ["User", 'meta.resourceType eq "Group"', ""],
    ["User", 'meta.location ew "/Users/id-0004"', "4"],
    ["User", "meta.version pr", "1 2 3 4"],
    ["User", `${ENTERPRISE_URN}:department eq "EAST"`, "4"],
    ["User", `${ENTERPRISE_URN}:manager.value eq "id-0001"`, "2"],
    ["User", `${ENTERPRISE_URN} pr`, "2 4"],
    ["User", 'groups.value eq "id-0006"', "3"],
    ["User", "groups pr", "1 3"],
    ["User", 'groups[display eq "X"]', "1 3"],
    ["User", "title pr", ""],
    ["User", "title ne null", ""],
    ["User", "active pr", "3 4"],
    ["Group", 'members.value eq "id-0003"', "5 6"],
    ["Group", 'members eq "id-0001"', "5"],
    ["Group", "members eq null", "7"],
    ["Group", 'displayName eq "X"', "5 6"],
    ["Group", 'externalId eq "g"', "6"],
    ["Project", 'code eq "b"', "8"],
    ["Project", "size lt 10", "9 10"],
    ["Project", 'started eq "2025-12-31T23:00:00Z"', "8"],
    ["Project", 'note eq "n"', "8 10"],
    ["Project", 'tags eq "A"', "8"],
    ["Project", 'phases[value eq "p" and primary eq true]', "10"],
    ["Project", "phases.primary eq true", "10"],
    ["Project", "phases.primary eq false", "9 10"],
    ["Project", 'owners.value eq "id-0002"', "11"],
    ["Project", 'lead.$ref ew "/Users/id-0003"', "8"],
    ["Project", 'lead.$ref eq "https://scim.example/scim/v2/Users/id-0001"', "10"],
    ["Project", `${BUDGET}:amount lt 0`, "11"],
    ["Project", `${BUDGET}:currency pr`, "8"],
    ["Project", `${BUDGET} pr`, "8 11"],
    [null, 'externalId eq "e1" or size eq 9 or members.value eq "id-0001"', "1 5 10"],
    [null, `schemas eq "${BUDGET}" or displayName eq "x"`, "5 6 8 11"],
  ])("%s: %s", async (type, filter, ids) => {
    expect(await found(type, { filter })).toBe(ids);
  });
});
