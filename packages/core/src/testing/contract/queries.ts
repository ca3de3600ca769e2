/**
 * Rules of queries (RFC 7644 §3.4.2): whatever a store answers by itself must be what the filter's evaluator
 * says of the same resources.
 * @module
 */
import { expectEqual, expectTrue } from "./expect.ts";
import { indexPage, matchingIds, workOut } from "./query-check.ts";
import type { ResourceStoreRule } from "./rule.ts";
import { fetchOne, filterOf, MEMBERS, NOTHING, SCOPE, seed, sortOf, withGroups } from "./sample.ts";
import { FILTERS, SORTS } from "./query-filters.ts";
import { everyOne, openSeeded, USERS } from "./query-samples.ts";

const PAGES = [indexPage(0, 100), indexPage(1, 2), indexPage(3, 0), indexPage(90, 5)];

/** How the terms of a long filter are joined, and what each says. */
const LONG_FILTERS = [
  ["or", "eq", "id"],
  ["or", "eq", "emails.value"],
  ["or", "co", "userName"],
  ["and", "ne", "id"],
  ["and", "ne", "userName"],
  ["and", "ne", "groups.value"],
] as const;

export const QUERY_RULES: readonly ResourceStoreRule[] = [
  ...Object.entries(FILTERS).map(([name, filters]): ResourceStoreRule => ({
    rule: "query/filter",
    name: `filters by ${name} find what the evaluator finds`,
    onlyReads: true,
    run: async (open) => {
      const store = await openSeeded(open);
      for (const [type, text] of filters) {
        const query = { type, filter: filterOf(type, text), sort: null, page: indexPage(0, 100) };
        const all = await everyOne(store, type);
        expectEqual(await matchingIds(store, query), workOut(query, all), text);
      }
    },
  })),
  {
    rule: "query/version",
    name: "a filter on meta.version finds the resource of that version",
    onlyReads: true,
    run: async (open) => {
      const store = await openSeeded(open);
      const { version } = await fetchOne(store, { type: "User", id: "u3" });
      for (const [operator, total] of [
        ["eq", 1],
        ["ne", USERS.length - 1],
      ] as const) {
        const filter = filterOf("User", `meta.version ${operator} "${version}"`);
        const found = await matchingIds(store, { type: "User", filter, sort: null, page: indexPage(0, 100) });
        expectEqual(found.total, total, operator);
      }
    },
  },
  {
    rule: "query/transitive-inverse",
    name: "a filter on groups sees as deep as the selection does",
    onlyReads: true,
    run: async (open) => {
      const store = await openSeeded(open);
      for (const depth of [1, 2, 16]) {
        for (const text of ['groups.value eq "g3"', 'groups[type eq "indirect"]', "not (groups pr)"]) {
          const query = {
            type: "User",
            filter: filterOf("User", text),
            sort: null,
            page: indexPage(0, 100),
          } as const;
          const found = await matchingIds(store, { ...query, select: withGroups(depth) });
          expectEqual(
            found,
            workOut(query, await everyOne(store, "User", depth)),
            `${text} at depth ${depth}`,
          );
        }
      }
    },
  },
  {
    rule: "query/inverse-not-selected",
    name: "an inverse that the selection leaves out has no values for a filter",
    onlyReads: true,
    run: async (open) => {
      const store = await openSeeded(open);
      const count = async (text: string): Promise<number | null> => {
        const filter = filterOf("User", text);
        return (
          await matchingIds(store, {
            type: "User",
            filter,
            sort: null,
            page: indexPage(0, 9),
            select: NOTHING,
          })
        ).total;
      };
      expectEqual(await count('groups.value eq "g1"'), 0, "eq");
      expectEqual(await count('groups.value ne "g1"'), USERS.length, "ne");
      expectEqual(await count("groups pr"), 0, "pr");
    },
  },
  ...[40, 150, 900].map((count): ResourceStoreRule => ({
    rule: "query/long",
    name: `a filter of ${count} terms finds what the evaluator finds`,
    onlyReads: true,
    run: async (open) => {
      const store = await openSeeded(open);
      const all = await everyOne(store, "User");
      const terms = ["u2", ...Array.from({ length: count - 2 }, (_, index) => `x${index}`), "u5"];
      for (const [word, operator, attribute] of LONG_FILTERS) {
        const text = terms.map((term) => `${attribute} ${operator} "${term}"`).join(` ${word} `);
        for (const whole of [text, `not (${text})`]) {
          const filter = filterOf("User", whole, Number.POSITIVE_INFINITY);
          const query = { type: "User", filter, sort: null, page: indexPage(0, 100) } as const;
          expectEqual(
            await matchingIds(store, query),
            workOut(query, all),
            `${operator} ${attribute} ${word}`,
          );
        }
      }
    },
  })),
  ...SORTS.map(([type, path]): ResourceStoreRule => ({
    rule: "query/sort",
    name: `R7644-3.4.2.3-04 sorting ${type} by ${path}: missing values last ascending, first descending; ties by id`,
    onlyReads: true,
    run: async (open) => {
      const store = await openSeeded(open);
      const all = await everyOne(store, type);
      for (const descending of [false, true]) {
        for (const text of [
          null,
          type === "User" ? 'displayName sw "a"' : 'meta.created ge "2026-03-01T00:00:00Z"',
        ]) {
          for (const page of PAGES) {
            const filter = text === null ? null : filterOf(type, text);
            const query = { type, filter, sort: sortOf(type, path, descending), page };
            const what = `${text ?? "all"} ${descending ? "descending" : "ascending"} from ${String(page.offset)}`;
            expectEqual(await matchingIds(store, query), workOut(query, all), what);
          }
        }
      }
    },
  })),
  {
    rule: "query/pages",
    name: "pages without a sort are in order of id, and neither overlap nor leave one out",
    onlyReads: true,
    run: async (open) => {
      const store = await openSeeded(open);
      for (const text of [null, 'not (userName eq "u4")', 'userName sw "u" or displayName eq "anna"']) {
        const filter = text === null ? null : filterOf("User", text);
        const query = { type: "User", filter, sort: null } as const;
        const whole = workOut({ ...query, page: indexPage(0, 100) }, await everyOne(store, "User"));
        const ids: string[] = [];
        for (let offset = 0; offset < whole.total + 3; offset += 3) {
          const page = await matchingIds(store, { ...query, page: indexPage(offset, 3) });
          expectEqual(page.total, whole.total, `total at ${offset}`);
          ids.push(...page.ids);
        }
        expectEqual(ids, whole.ids, text ?? "all");
        for (const offset of [0, 2, 90]) {
          const none = await matchingIds(store, { ...query, page: indexPage(offset, 0) });
          expectEqual(none, { total: whole.total, ids: [], more: false }, `a page of none at ${offset}`);
        }
      }
    },
  },
  {
    rule: "query/select",
    name: "a page carries the selected collections and inverses, and no others",
    onlyReads: true,
    run: async (open) => {
      const store = await openSeeded(open);
      const base = { filter: null, sort: null, page: indexPage(0, 100) };
      const groups = await store.query(SCOPE, { ...base, type: "Group", select: MEMBERS });
      const users = await store.query(SCOPE, { ...base, type: "User", select: NOTHING });
      if (groups.kind === "page") expectEqual(groups.resources, await everyOne(store, "Group"), "groups");
      if (users.kind === "page") {
        expectTrue(
          users.resources.every(({ collections, inverses }) => collections.size + inverses.size === 0),
          "users",
        );
      }
    },
  },
  {
    rule: "query/many",
    name: "a query over more resources than one step reads leaves none out",
    run: async (open) => {
      const store = await open();
      const ids = Array.from({ length: 1100 }, (_, index) => `b${String(index).padStart(4, "0")}`);
      await seed(
        store,
        ids.map((id, index) => ({ type: "Badge", id, body: { level: index % 7, note: `n${index % 3}` } })),
      );
      for (const [text, expected] of [
        ['note eq "n1"', ids.filter((_, index) => index % 3 === 1)],
        ["not (level eq 0)", ids.filter((_, index) => index % 7 !== 0)],
        ['level gt 4 and note eq "n2"', ids.filter((_, index) => index % 7 > 4 && index % 3 === 2)],
      ] as const) {
        const filter = filterOf("Badge", text);
        const found = await matchingIds(store, {
          type: "Badge",
          filter,
          sort: null,
          page: indexPage(10, 1000),
        });
        const page = { total: expected.length, ids: expected.slice(10, 1010), more: false };
        expectEqual(found, page, text);
      }
    },
  },
];
