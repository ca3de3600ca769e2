/**
 * Rules of pages next to a place (RFC 9865): both ways, with and without filter and sort, also from places where
 * nothing stands.
 * @module
 */
import { compareKeys } from "@scim/filter";
import type { KeysetPage, Place, ResourceStore } from "../../store/port.ts";
import { expectEqual, expectOneOf } from "./expect.ts";
import type { SampleType } from "./models.ts";
import { choose, matchingIds, orderedPlaces, type CheckedQuery } from "./query-check.ts";
import { everyOne, openSeeded } from "./query-samples.ts";
import { SORTS } from "./query-filters.ts";
import type { ResourceStoreRule } from "./rule.ts";
import { createPlan, deletePlan, fetchOne, filterOf, SCOPE, seed, sortOf } from "./sample.ts";

/** Filters that a store may serve in different ways. */
const FILTERS: Readonly<Record<SampleType, readonly (string | null)[]>> = {
  User: [null, 'displayName sw "a"', 'not (userName eq "u4")', 'title eq "Dr"', 'userName eq "nobody"'],
  Group: [null, 'members.value eq "u1"', 'not (displayName eq "Inner")', 'members[display eq "Carla"]'],
  Badge: [null, 'label eq "one"', "level ge 0", 'not (label eq "two")', 'doors[type eq "main" and value pr]'],
};

/**
 * The orders of a list: none, and each sort in both directions. Lists of a filter take each sort in one of them, by turns,
 * so that of the filters of a type some take it ascending and some descending.
 * @param turn number of the filter among those of its type; 0 is none
 */
function ordersOf(type: SampleType, turn: number): readonly CheckedQuery["sort"][] {
  const paths = SORTS.filter(([sorted]) => sorted === type).map(([, path]) => path);
  const sorted = paths.flatMap((path, index) => [
    { sort: sortOf(type, path), even: index % 2 === 0 },
    { sort: sortOf(type, path, true), even: index % 2 === 1 },
  ]);
  const chosen = turn === 0 ? sorted : sorted.filter(({ even }) => even === (turn % 2 === 0));
  return [null, ...chosen.map(({ sort }) => sort)];
}

/**
 * Places to page from: those of the resources, and of a whole list those beside every other one, where nothing stands. A
 * filter leaves such places in its list anyway: those of the resources that it passes over. Each is left one way, by turns:
 * another order or filter leaves it the other way.
 */
function startsOf(
  places: readonly Place[],
  { filter }: Pick<CheckedQuery, "filter">,
  turn: number,
): readonly KeysetPage[] {
  const byId = places.toSorted((a, b) => compareKeys(a.id, b.id));
  const starts = byId.flatMap(({ key, id }, index) => {
    const hasNeighbours = filter === null && (index + turn) % 2 === 0;
    const ids = hasNeighbours ? [id, "", `${id}-`, "\u{10ffff}"] : [id];
    return ids.map((from, kind): KeysetPage => ({
      kind: "keyset",
      from: { key, id: from },
      direction: (Math.floor(index / 2) + kind + turn) % 2 === 0 ? "forward" : "backward",
      limit: 2,
    }));
  });
  return distinct(starts);
}

/** Where keys are alike, so are the places before and behind all ids. */
function distinct(pages: readonly KeysetPage[]): readonly KeysetPage[] {
  return [...new Map(pages.map((page) => [JSON.stringify(page), page])).values()];
}

/** The whole list from one end, and the first or the first three from the other. */
function endsOf(turn: number): readonly KeysetPage[] {
  const [one, other] =
    turn % 2 === 0 ? (["forward", "backward"] as const) : (["backward", "forward"] as const);
  const few = Math.floor(turn / 2) % 2 === 0 ? 1 : 3;
  return [
    { kind: "keyset", from: null, direction: one, limit: 100 },
    { kind: "keyset", from: null, direction: other, limit: few },
  ];
}

/** Pages of a query, from its ends and from every place. */
async function checkPages(
  store: ResourceStore,
  query: Omit<CheckedQuery, "page">,
  turn: number,
): Promise<void> {
  const { type, sort } = query;
  const all = await everyOne(store, type);
  const places = orderedPlaces(query, all);
  const order = `${sort?.target.path ?? "id"}${sort?.descending === true ? " descending" : ""}`;
  const starts = startsOf(orderedPlaces({ ...query, filter: null }, all), query, turn);
  for (const page of [...endsOf(turn), ...starts]) {
    const { total, ...expected } = choose(places, { ...query, page });
    const { total: told, ...found } = await matchingIds(store, { ...query, page });
    const what = `by ${order}, ${page.direction} from ${JSON.stringify(page.from)}`;
    expectEqual(found, expected, what);
    expectOneOf(told, [null, total], `total ${what}`);
  }
}

export const KEYSET_RULES: readonly ResourceStoreRule[] = [
  ...(["User", "Group", "Badge"] as const).flatMap((type) =>
    FILTERS[type].map((text, filterTurn): ResourceStoreRule => ({
      rule: "query/keyset",
      name: `R9865-2.2-01 a page next to any place holds what comes next, either way: ${type}, ${text ?? "all"}`,
      onlyReads: true,
      run: async (open) => {
        const store = await openSeeded(open);
        const filter = text === null ? null : filterOf(type, text);
        // Two filters with the same orders leave each place in different ways.
        for (const [turn, sort] of ordersOf(type, filterTurn).entries())
          await checkPages(store, { type, filter, sort }, turn + Math.ceil(filterTurn / 2));
      },
    })),
  ),
  {
    rule: "query/keyset-many",
    name: "R9865-DEC-01 a walk over more resources than one step reads finds each once, forward and back",
    run: async (open) => {
      const store = await open();
      const badges = Array.from({ length: 2600 }, (_, index) => ({
        type: "Badge" as const,
        id: `b${String(index).padStart(4, "0")}`,
        body: {
          level: index % 3,
          note: `n${index % 2}`,
          ...(index % 5 === 0 ? {} : { code: `c${index % 40}` }),
        },
      }));
      await seed(store, badges);
      const all = await store.readMany(
        SCOPE,
        { type: "Badge", ids: badges.map(({ id }) => id) },
        { collections: [], inverses: [] },
      );
      for (const [text, sort] of [
        [null, sortOf("Badge", "code", true)],
        ["not (level eq 1)", null],
        ["not (level eq 1)", sortOf("Badge", "code")],
        ['note eq "n1"', sortOf("Badge", "code", true)],
        ["level eq 1", sortOf("Badge", "note")],
      ] as const) {
        const filter = text === null ? null : filterOf("Badge", text);
        const query = { type: "Badge", filter, sort } as const;
        const places = orderedPlaces(query, all);
        const ids = places.map(({ id }) => id);
        for (const direction of ["forward", "backward"] as const) {
          const walked = await walk(store, { ...query, places, direction });
          expectEqual(
            walked,
            direction === "forward" ? ids : ids.toReversed(),
            `${text ?? "all"} ${direction}`,
          );
        }
      }
    },
  },
  {
    rule: "query/keyset-gone",
    name: "a place stays when its resource is deleted, and what is created behind it is found",
    run: async (open) => {
      const store = await openSeeded(open);
      const page = (from: Place): KeysetPage => ({ kind: "keyset", from, direction: "forward", limit: 2 });
      const query = { type: "User", filter: null, sort: sortOf("User", "userName") } as const;
      const from = { key: "bert", id: "u2" };
      await store.write(SCOPE, deletePlan(await fetchOne(store, { type: "User", id: "u2" })));
      expectEqual((await matchingIds(store, { ...query, page: page(from) })).ids, ["u3", "u4"], "deleted");
      await store.write(SCOPE, createPlan({ type: "User", id: "u0", body: { userName: "bertha" } }));
      expectEqual((await matchingIds(store, { ...query, page: page(from) })).ids, ["u0", "u3"], "created");
    },
  },
];

type Walk = Omit<CheckedQuery, "page"> & {
  readonly places: readonly Place[];
  readonly direction: "forward" | "backward";
};

/** The ids in the order of the walk. */
async function walk(store: ResourceStore, { places, direction, ...query }: Walk): Promise<readonly string[]> {
  const byId = new Map(places.map((place) => [place.id, place]));
  const ids: string[] = [];
  for (let from: Place | null = null; ;) {
    const page = await matchingIds(store, {
      ...query,
      page: { kind: "keyset", from, direction, limit: 700 },
    });
    ids.push(...(direction === "forward" ? page.ids : page.ids.toReversed()));
    if (!page.more) return ids;
    from = byId.get(ids.at(-1) ?? "") ?? null;
  }
}
