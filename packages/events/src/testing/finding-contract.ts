/**
 * What every store finds in its audit log, by time and by who it was.
 * @module
 */
import { assignAll, createPlan, expectEqual, SCOPE, seed } from "@scim/core/testing";
import { signCheckpoints } from "../audit/upkeep.ts";
import type { AuditQuery } from "../audit/query.ts";
import { type AuditedStore, type AuditRule, hour, TENANT, upkeep } from "./audited-store.ts";

/** All that meets a query, read page by page, and the position that each page went on behind. */
async function foundBy(
  { audit }: AuditedStore,
  query: Omit<AuditQuery, "after" | "limit"> & { readonly limit?: number },
): Promise<{ readonly positions: readonly number[]; readonly pages: readonly number[] }> {
  const [positions, pages]: [number[], number[]] = [[], []];
  for (let after = 0; ;) {
    const { entries, next, more } = await audit.find(TENANT, { limit: 100, ...query, after });
    positions.push(...entries.map(({ position }) => position));
    pages.push(next);
    if (!more) return { positions, pages };
    after = next;
  }
}

/** When entries come, in hours: the clock goes back a little at 6 and 20, and far at 40, where it had gone wrong before. */
const TIMES = [1, 5, 6, 4, 20, 19, 18, 40, 3000, 3001, 41, 60, -9000, -8999, 62, 90, 91] as const;
/** Hours at which a checkpoint is signed, and how many entries there are by then. */
const SIGNED = new Map<number, number>([
  [4, 6],
  [7, 20],
  [10, 3001],
  [12, 60],
  [14, -8999],
  [15, 62],
  [17, 91],
]);
const INSTANTS = [undefined, 4, 19, 30, 62, 3000, -9000] as const;

const instant = (hours: number | undefined): string | undefined =>
  hours === undefined ? undefined : hour(hours);

/** Rules of finding entries. */
export const FINDING_RULES: readonly AuditRule[] = [
  {
    rule: "audit/by-time",
    name: "entries are found by their times, also where clocks went back, and what is far from them is not looked at",
    run: async (open) => {
      const store = await open();
      for (const [index, hours] of TIMES.entries()) {
        const id = `u${index}`;
        await seed(store.resources, [{ type: "User", id, body: { userName: id }, at: hour(hours) }]);
        await assignAll(store, 1);
        const signed = SIGNED.get(index + 1);
        if (signed !== undefined) expectEqual(await signCheckpoints(upkeep(store, signed)), 1, "checkpoints");
      }
      for (const from of INSTANTS) {
        for (const until of INSTANTS) {
          const meets = (hours: number): boolean =>
            (from === undefined || hours >= from) && (until === undefined || hours < until);
          const expected = TIMES.flatMap((hours, index) => (meets(hours) ? [index + 1] : []));
          const span = { from: instant(from), until: instant(until) };
          const { positions } = await foundBy(store, { ...span, looks: 6 });
          expectEqual(positions, expected, `from ${from} until ${until}`);
        }
      }
      const { pages } = await foundBy(store, { from: hour(86), looks: 2 });
      expectEqual(pages, [9, 11, 13, 15, 17, 17], "pages of what is late");
      const { pages: early } = await foundBy(store, { until: hour(2), looks: 2 });
      expectEqual(early.at(-1), 14, "the last page of what is early");
      expectEqual(
        await foundBy(store, { limit: 9, looks: 1 }),
        { positions: all(17), pages: [9, 17] },
        "all",
      );
    },
  },
  {
    rule: "audit/by-member",
    name: "entries are found by who made them and what they did, whatever their values look like",
    run: async (open) => {
      const store = await open();
      const origin = { credential: "c1", request: 'r"1', address: "203.0.113.9" };
      const origins = [null, origin, { admin: "anna" }, { command: "scim import" }] as const;
      for (const [index, of] of origins.entries()) {
        const plan = createPlan({
          type: "User",
          id: `u${index}`,
          body: { userName: '"admin":"anna"' + index },
        });
        const subject = index === 0 ? "u9" : null;
        const scope = { ...SCOPE, connection: index === 2 ? "second" : SCOPE.connection };
        await store.resources.write(scope, { ...plan, event: { ...plan.event, subject, origin: of } });
        await assignAll(store, 1);
      }
      const queries: readonly (readonly [Omit<AuditQuery, "after" | "limit">, readonly number[]])[] = [
        [{ connection: "first" }, [1, 2, 4]],
        [{ connection: "second" }, [3]],
        [{ subject: "u9" }, [1]],
        [{ credential: "c1" }, [2]],
        [{ request: 'r"1' }, [2]],
        [{ request: "r" }, []],
        [{ admin: "anna" }, [3]],
        [{ command: "scim import" }, [4]],
        [{ kind: "created", connection: "first", credential: "c1" }, [2]],
        [{ kind: "deleted" }, []],
        [{ type: "User", id: "u2", admin: "anna" }, [3]],
        [{ type: "User", id: "u2", admin: "bo" }, []],
        [{ type: "Group", id: "u2" }, []],
      ];
      for (const [query, expected] of queries) {
        for (const looks of [1, 10]) {
          const { positions } = await foundBy(store, { ...query, looks });
          expectEqual(positions, expected, JSON.stringify(query));
        }
      }
    },
  },
];

function all(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
