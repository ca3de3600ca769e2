/**
 * Text and numbers that databases differ over: answers are those of the reference store, on every database.
 */
import { createMemoryStore } from "@scim/core/testing";
import type { ScimService } from "@scim/core";
import { USER_URN, type JsonObject } from "@scim/schemas";
import { ScimError } from "@scim/schemas";
import { beforeAll, describe, expect, test } from "vitest";
import { openPostgresStore } from "../src/postgres/index.ts";
import { openSqliteStore } from "../src/sqlite/index.ts";
import { lendDatabase } from "./support/engines.ts";
import { BUDGET, CALLER, create, idsOf, list, PLAIN, PROJECT, serviceOver } from "./support/services.ts";

const GROUP_URN = "urn:ietf:params:scim:schemas:core:2.0:Group";

/** Longer than a row of an index may be, and equal in the beginning. */
const LONG = "l".repeat(5000);
/** About as long as what an index holds of a text. */
const EDGES = [990, 991, 992, 993, 1022, 1023, 1024, 1025].map((length) => "e".repeat(length));

const NAMES: readonly string[] = [
  "a\0b",
  "a",
  "a\u0001b",
  "\0",
  "ab",
  "ä",
  "😀",
  "\uffff",
  "\u{10ffff}",
  String.raw`a\u0000b`,
  `${LONG}a`,
  `${LONG}b`,
  LONG,
  `${LONG}${"ä".repeat(4000)}`,
  ...EDGES,
  // Bytes that begin a text may be read as the mark of its encoding.
  "\ufeffab",
  "\ufeffac",
];

const AMOUNTS = [
  9_007_199_254_740_991,
  -9_007_199_254_740_991,
  1e21,
  -1e300,
  5e-324,
  0,
  -1,
  1,
  2 ** 62,
  -(2 ** 60),
  0.1,
];

let services: readonly (readonly [string, ScimService])[] = [];

beforeAll(async () => {
  const { url, giveBack } = await lendDatabase();
  const [sqlite, postgres] = [await openSqliteStore({ path: ":memory:" }), await openPostgresStore({ url })];
  services = [
    ["memory", serviceOver(createMemoryStore())],
    ["SQLite", serviceOver(sqlite.resources)],
    ["PostgreSQL", serviceOver(postgres.resources)],
  ];
  for (const [, service] of services) await fill(service);
  return async () => {
    await Promise.all([sqlite.close(), postgres.close()]);
    await giveBack();
  };
});

async function fill(service: ScimService): Promise<void> {
  for (const name of NAMES) {
    const body = { schemas: [USER_URN], userName: name, displayName: name, title: name };
    await create(service, "User", body);
  }
  for (const amount of AMOUNTS) {
    await create(service, "Project", {
      schemas: [PROJECT, BUDGET],
      code: String(amount),
      note: "\0",
      [BUDGET]: { amount },
    });
  }
  const members = [{ value: "id-0001", display: "\0" }];
  await create(service, "Group", { schemas: [GROUP_URN], displayName: "g\0", members });
  await create(service, "Group", { schemas: [GROUP_URN], displayName: "h", externalId: "\0", members });
  // No document over HTTP has half of a surrogate pair; a program that calls the service may.
  await create(service, "Group", { schemas: [GROUP_URN], displayName: "i\ud800", members });
}

/** What each service answers, without versions; an error as its code. */
async function answers(ask: (service: ScimService) => Promise<unknown>): Promise<readonly unknown[]> {
  return Promise.all(
    services.map(async ([, service]) => {
      try {
        return await ask(service);
      } catch (error) {
        if (error instanceof ScimError) return error.code;
        throw error;
      }
    }),
  );
}

async function agreed(ask: (service: ScimService) => Promise<unknown>): Promise<unknown> {
  const [wanted, ...others] = await answers(ask);
  for (const [index, other] of others.entries()) expect(other, services[index + 1]?.[0]).toEqual(wanted);
  return wanted;
}

describe("filters find the same on every database", () => {
  const literals = [...NAMES, "", "b", "\ud800", `${LONG}c`, "l".repeat(992)].filter(
    // Longer ones are refused before they come to a store.
    (name) => name.length < 6000,
  );

  test.each(["eq", "ne", "sw", "ew", "co", "gt", "ge", "lt", "le"])("%s of text", async (operator) => {
    let found = 0;
    for (const literal of literals) {
      for (const path of ["userName", "title", "id"]) {
        const filter = `${path} ${operator} ${JSON.stringify(literal)}`;
        const ids = await agreed(async (service) => idsOf(await list(service, "User", { filter })));
        found += Array.isArray(ids) ? ids.length : 0;
      }
    }
    expect(found).toBeGreaterThan(20);
  });

  test.each(["eq", "ne", "gt", "ge", "lt", "le"])("%s of numbers", async (operator) => {
    let found = 0;
    for (const literal of [...AMOUNTS, 1e22, 1e308, 0.5]) {
      const filter = `${BUDGET}:amount ${operator} ${JSON.stringify(literal)}`;
      const ids = await agreed(async (service) => idsOf(await list(service, "Project", { filter })));
      found += Array.isArray(ids) ? ids.length : 0;
    }
    expect(found).toBeGreaterThan(5);
  });

  test.each([
    ["User", "userName", literals],
    ["User", "displayName", literals],
    ["User", "id", [...literals, "id-0001", "id-0002"]],
    ["Project", `${BUDGET}:amount`, [...AMOUNTS, 1e22, 0.5]],
    ["Group", "members.value", ["nobody", "id-0001", "\0"]],
  ] as const)("alternatives of %s by %s, and what is none of them", async (type, path, values) => {
    let found = 0;
    for (const [index, value] of values.entries()) {
      const other = values[(index + 1) % values.length];
      const either = `${path} eq ${JSON.stringify(value)} or ${path} eq ${JSON.stringify(other)}`;
      for (const filter of [either, `not (${either})`, `meta.version pr and (${either})`]) {
        const ids = await agreed(async (service) => idsOf(await list(service, type, { filter })));
        found += Array.isArray(ids) ? ids.length : 0;
      }
    }
    expect(found).toBeGreaterThan(5);
  });

  test.each(["pr", 'eq ""', 'ne ""'])("%s", async (condition) => {
    const ids = await agreed(async (service) =>
      idsOf(await list(service, "User", { filter: `displayName ${condition}` })),
    );
    expect(ids).toBeDefined();
  });
});

describe("orders are the same on every database", () => {
  test.each([
    ["User", "userName"],
    ["User", "displayName"],
    ["User", "title"],
    ["Project", `${BUDGET}:amount`],
    ["Project", "code"],
  ])("%s by %s", async (type, sortBy) => {
    for (const sortOrder of ["ascending", "descending"]) {
      const ids = await agreed(async (service) => {
        const all = idsOf(await list(service, type, { sortBy, sortOrder, count: 100 }));
        const pages: unknown[] = [];
        let cursor: string | null = "";
        while (cursor !== null) {
          const page = await list(service, type, { sortBy, sortOrder, count: 4, cursor });
          pages.push(...idsOf(page));
          cursor = page.nextCursor;
        }
        expect(pages).toEqual(all);
        return all;
      });
      expect(Array.isArray(ids) ? ids.length : 0).toBeGreaterThan(5);
    }
  });
});

describe("what is read is what was written", () => {
  const reading = { ...PLAIN, type: "User" };

  test.each(NAMES.map((name, index) => [JSON.stringify(name).slice(0, 20), name, index] as const))(
    "%s",
    async (_, name, index) => {
      const id = `id-${String(index + 1).padStart(4, "0")}`;
      const read = await agreed(async (service) => {
        const answer = await service.read(CALLER, { ...reading, id });
        if (answer.kind === "notModified") throw new TypeError("No condition was made");
        return [answer.resource?.["userName"], answer.resource?.["groups"]];
      });
      expect(Array.isArray(read) ? read[0] : null).toBe(name);
      if (index === 0)
        expect(read).toMatchObject([name, [{ display: "g\0" }, { display: "h" }, { display: "i\ud800" }]]);
    },
  );

  test.each(["a\0b", "\0", `${LONG}a`, "E".repeat(1024)])(
    "a name is unique, however odd it is",
    async (userName) => {
      const body: JsonObject = { schemas: [USER_URN], userName };
      expect(await agreed(async (service) => create(service, "User", body))).toBe("uniqueness");
    },
  );

  test.each(["\0", "id-0001\0", "\ud800", "x".repeat(10_000)])(
    "an id that cannot be is not found",
    async (id) => {
      expect(await agreed(async (service) => service.read(CALLER, { ...reading, id }))).toBe("notFound");
    },
  );
});
