import type { JsonValue } from "@scim/schemas";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { printed } from "../command-line/printed.ts";
import { BULK_REQUEST, GROUP, PATCH_OP, SEARCH_REQUEST, USER } from "../over-http/client.ts";
import { ENGINES } from "../over-http/engines.ts";
import type { WireRequest } from "../over-http/exchange.ts";
import { BADGE, DESK, foreignKnowledge, IDS, makeWorld, rowsOf, SECRET } from "./two-worlds.ts";

// What the commands say to people beside their result.
beforeEach(() => void vi.spyOn(process.stderr, "write").mockReturnValue(true));
afterEach(() => void vi.restoreAllMocks());

type Knowledge = Awaited<ReturnType<typeof foreignKnowledge>>;

const FILTERS = [
  `displayName eq "${SECRET}"`,
  'userName eq "name of only-globex"',
  'userName sw "name"',
  'externalId eq "x-only-globex"',
  'id eq "only-globex"',
  'members.value eq "only-globex"',
  'not (members.value eq "only-globex")',
  'groups.value eq "group-of-globex"',
  'manager.value eq "only-globex"',
  'title eq "same"',
  `${DESK}:desk eq "${SECRET}"`,
  'title pr or displayName co "knows"',
  'meta.created gt "2001-01-01T00:00:00Z"',
  'not (title eq "same")',
];

/** Requests of somebody who knows everything of globex but a token. */
function requests({ tag, cursor, id: made }: Knowledge): fc.Arbitrary<WireRequest> {
  const id = fc.constantFrom(...IDS, made);
  const endpoint = fc.constantFrom("/Users", "/Groups");
  const base = fc.constantFrom("/scim/v2", "/scim/v2", "/scim/acme/v2", "/scim/globex/v2", "/scim/none/v2");
  const headers = fc.constantFrom(
    {},
    {},
    { "if-match": tag },
    { "if-none-match": tag },
    { "if-none-match": "*" },
    { "x-forwarded-host": "globex.example", forwarded: "host=globex.example" },
    { "x-tenant": "globex", "scim-tenant": "globex" },
    { prefer: "return=minimal" },
  );
  const filter = fc.constantFrom(...FILTERS);
  const reference = fc
    .record({ value: id, form: fc.constantFrom("value", "relative", "absolute") })
    .map(({ value, form }) => ({
      value,
      ...(form === "value"
        ? {}
        : { $ref: `${form === "absolute" ? "https://id.example/scim/globex/v2" : ".."}/Users/${value}` }),
    }));
  const user = fc.record({ name: id, manager: id }).map(({ name, manager }) => ({
    schemas: [USER],
    userName: `name of ${name}`,
    externalId: `x-${name}`,
    "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { manager: { value: manager } },
  }));
  const group = fc
    .record({ name: id, members: fc.array(reference, { maxLength: 3 }) })
    .map(({ name, members }) => ({
      schemas: [GROUP],
      displayName: `name of ${name}`,
      members,
    }));
  const patch = fc
    .record({ op: fc.constantFrom("add", "remove", "replace"), value: reference, title: fc.boolean() })
    .map(({ op, value, title }) => ({
      schemas: [PATCH_OP],
      Operations: [
        title
          ? { op: "replace", path: "displayName", value: "mine" }
          : op === "remove"
            ? { op, path: `members[value eq "${value.value}"]` }
            : { op, path: "members", value: [value] },
      ],
    }));
  const bulk = fc.record({ id, other: id, version: fc.boolean() }).map(({ id: target, other, version }) => ({
    schemas: [BULK_REQUEST],
    Operations: [
      {
        method: "POST",
        path: "/Users",
        bulkId: target,
        data: { schemas: [USER], userName: `bulk ${target}` },
      },
      {
        method: "POST",
        path: "/Groups",
        bulkId: "group",
        data: {
          schemas: [GROUP],
          displayName: `bulk ${target}`,
          members: [{ value: `bulkId:${target}` }, { value: other }],
        },
      },
      {
        method: "PATCH",
        path: `/Groups/${other}`,
        ...(version ? { version: tag } : {}),
        data: {
          schemas: [PATCH_OP],
          Operations: [{ op: "add", path: "members", value: [{ value: target }] }],
        },
      },
      {
        method: "DELETE",
        path: `/Users/${other === "u-1" ? "nobodys" : other}`,
        ...(version ? { version: tag } : {}),
      },
    ],
  }));
  const with$ = (method: string, path: fc.Arbitrary<string>, body: fc.Arbitrary<JsonValue> | null = null) =>
    fc.record({ base, path, headers, body: body ?? fc.constant(null) }).map((of) => ({
      method,
      path: of.base + of.path,
      headers: { ...of.headers, ...(of.body === null ? {} : { "content-type": "application/scim+json" }) },
      body: of.body === null ? null : JSON.stringify(of.body),
    }));
  const one = fc.tuple(endpoint, id).map(([at, name]) => `${at}/${name}`);
  const query = fc.oneof(
    filter.map((text) => `filter=${encodeURIComponent(text)}`),
    fc.constantFrom("count=0", "count=1&startIndex=2", "sortBy=displayName", "attributes=groups,members"),
    fc.constantFrom("cursor=&count=2", "cursor=LAST_CURSOR&count=2", `cursor=${cursor}&count=1`),
  );
  const search = fc.tuple(filter, fc.boolean()).map(([text, paged]) => ({
    schemas: [SEARCH_REQUEST],
    filter: text,
    ...(paged ? { cursor, count: 1 } : {}),
  }));
  const resource = fc.oneof(user, group);
  return fc.oneof(
    { weight: 3, arbitrary: with$("GET", one) },
    {
      weight: 5,
      arbitrary: with$(
        "GET",
        fc.tuple(endpoint, query).map((of) => of.join("?")),
      ),
    },
    {
      weight: 2,
      arbitrary: with$("POST", fc.constantFrom("/.search", "/Users/.search", "/Groups/.search"), search),
    },
    { weight: 2, arbitrary: with$("POST", fc.constantFrom("/Users", "/.dry-run/Users"), user) },
    { weight: 2, arbitrary: with$("POST", fc.constantFrom("/Groups", "/.dry-run/Groups"), group) },
    // What acme lacks, and globex has.
    { weight: 1, arbitrary: with$("GET", fc.constantFrom("/Badges", "/Badges/u-1", "/Badges/nobodys")) },
    { weight: 1, arbitrary: with$("POST", fc.constantFrom("/Badges", "/Badges/.search"), user) },
    { weight: 1, arbitrary: with$("PATCH", fc.constant("/Badges/u-1"), patch) },
    { weight: 2, arbitrary: with$("PUT", one, resource) },
    { weight: 3, arbitrary: with$("PATCH", one, patch) },
    { weight: 2, arbitrary: with$("DELETE", one) },
    { weight: 2, arbitrary: with$("POST", fc.constant("/Bulk"), bulk) },
    {
      weight: 2,
      arbitrary: with$(
        "GET",
        fc.constantFrom(
          "/Me",
          "/Schemas",
          "/ResourceTypes",
          "/ResourceTypes/Badge",
          `/Schemas/${BADGE}`,
          `/Schemas/${DESK}`,
          "/ServiceProviderConfig",
          "/Diagnostics/ReferentialConsistency",
          "/Diagnostics/ReferentialConsistency?tenantId=globex",
          "/Diagnostics/ReferentialConsistency?tenantId=acme&count=2",
          "/Diagnostics/ReferentialConsistency?tenantId=none",
        ),
      ),
    },
  );
}

/** How many sequences of requests, and how long each: together as many as take some seconds. */
const RUNS = { numRuns: 5, endOnFailure: true };
const LENGTH = { minLength: 60, maxLength: 60, size: "max" } as const;

describe.each(ENGINES)("R7644-6-02 R7644-6.1-01 on $name", (engine) => {
  test("whatever a tenant asks, the answer is that of a server without the others, whose rows stay as they are", async () => {
    const [both, alone] = [await makeWorld(engine, ["acme", "globex"]), await makeWorld(engine, ["acme"])];
    const knowledge = await foreignKnowledge(both.globex);
    const before = await rowsOf(both, "globex");
    expect(before.some((row) => row.includes(SECRET))).toBe(true);
    const statuses = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(requests(knowledge), LENGTH), async (sequence) => {
        for (const request of sequence) {
          const [seen, expected] = [await both.ask(request), await alone.ask(request)];
          expect([request, seen]).toEqual([request, expected]);
          if (!JSON.stringify(request).includes(SECRET)) expect(seen).not.toContain(SECRET);
          statuses.add(seen.slice(1, 4));
        }
      }),
      RUNS,
    );
    // Where everything were refused, nothing would have been asked.
    for (const status of ["200", "201", "204", "400", "404", "409", "412"])
      expect([...statuses]).toContain(status);
    expect(await rowsOf(both, "globex")).toEqual(before);
  });

  test("nor do the tools of an operator tell of other tenants than the one they are asked about", async () => {
    const { database } = await makeWorld(engine, ["acme", "globex"]);
    for (const args of [["export"], ["doctor", "--json"], ["events", "list", "--json"], ["index", "list"]]) {
      const { stdout } = await printed([...args, "--tenant", "acme"], database.environment);
      expect(stdout).not.toMatch(/globex-knows|name of only-globex/);
    }
    const { stdout } = await printed(["export", "--tenant", "globex"], database.environment);
    expect(stdout).toContain(SECRET);
  });
});
