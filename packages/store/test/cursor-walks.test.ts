import { createMemoryStore } from "@scim/core/testing";
import { USER_URN } from "@scim/schemas";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openPostgres } from "./support/engines.ts";
import { open } from "./support/folders.ts";
import { CALLER, create, idsOf, list, PLAIN, serviceOver, walk, type Query } from "./support/services.ts";

/** Values that repeat, so that many resources are equal, and some have none. */
const values = fc.record(
  { displayName: fc.constantFrom("a", "A", "b", ""), title: fc.constantFrom("x", "y") },
  { requiredKeys: [] },
);

/** What happens between two pages: a resource comes, or one goes, counted from the first. */
const event = fc.oneof(
  fc.record({ kind: fc.constant("create" as const), values }),
  fc.record({ kind: fc.constant("delete" as const), which: fc.nat({ max: 11 }) }),
);

const queries: fc.Arbitrary<Query & { readonly type: "User" | null }> = fc.record({
  type: fc.constantFrom("User", null),
  filter: fc.constantFrom(null, 'displayName sw "a"', 'not (displayName eq "b")', "title pr"),
  sortBy: fc.constantFrom(null, null, "displayName", "title", "userName", "meta.created", "id"),
  sortOrder: fc.constantFrom("ascending", "descending"),
  count: fc.integer({ min: 1, max: 4 }),
});

let tenants = 0;

describe.each([
  ["memory", async () => createMemoryStore(), 120],
  ["SQLite", async () => (await open(":memory:")).resources, 120],
  ["PostgreSQL", async () => (await openPostgres()).resources, 20],
] as const)("walking by cursor over %s", (_name, openStore, numRuns) => {
  test("R9865-DEC-01 visits each resource that stays once, forward and back, while others come and go", async () => {
    const store = await openStore();
    await fc.assert(
      fc.asyncProperty(
        fc.array(values, { minLength: 1, maxLength: 12 }),
        queries,
        fc.array(event, { maxLength: 12 }),
        async (bodies, { type, ...query }, events) => {
          const service = serviceOver(store);
          // Each case has a tenant of its own.
          tenants += 1;
          const caller = { ...CALLER, tenant: `t${String(tenants)}` };
          let names = 0;
          const add = (body: (typeof bodies)[number]): Promise<string> =>
            create(
              service,
              "User",
              { schemas: [USER_URN], userName: `n${String((names += 1))}`, ...body },
              caller,
            );
          const ids: string[] = [];
          for (const body of bodies) ids.push(await add(body));
          const gone = new Set<string>();
          const happen = async (): Promise<void> => {
            const next = events.shift();
            if (next?.kind === "create") await add(next.values);
            const id = next?.kind === "delete" ? ids[next.which] : undefined;
            if (id === undefined || gone.has(id)) return;
            gone.add(id);
            await service.delete(caller, { ...PLAIN, type: "User", id });
          };
          const page = (cursor: string): ReturnType<typeof list> =>
            list(service, type, { ...query, cursor }, caller);

          const before = idsOf(await list(service, type, { ...query, count: 100 }, caller));
          const there = (await walk(page, {}, happen)).flatMap(idsOf);
          expect(new Set(there).size).toBe(there.length);
          const stayed = before.filter((id) => !gone.has(String(id)));
          expect(there.filter((id) => stayed.includes(id))).toEqual(stayed);

          const [last] = (await walk(page, {})).toReversed();
          const cursor = last?.previousCursor;
          if (cursor === null || cursor === undefined) return;
          const all = idsOf(await list(service, type, { ...query, count: 100 }, caller));
          const back = (await walk(page, { from: cursor, back: true }, happen)).toReversed().flatMap(idsOf);
          const rest = all
            .slice(0, all.length - (last?.resources.length ?? 0))
            .filter((id) => !gone.has(String(id)));
          expect(new Set(back).size).toBe(back.length);
          expect(back.filter((id) => rest.includes(id))).toEqual(rest);
        },
      ),
      { numRuns },
    );
  });
});
