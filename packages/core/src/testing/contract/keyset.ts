/**
 * Rules of pages next to a place (RFC 9865): both ways, with and without filter and sort, also from places where
 * nothing stands.
 * @module
 */
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

/** Orders: none, and each sort in both directions. */
function ordersOf(type: SampleType): readonly CheckedQuery["sort"][] {
  const paths = SORTS.filter(([sorted]) => sorted === type).map(([, path]) => path);
  return [null, ...paths.flatMap((path) => [sortOf(type, path), sortOf(type, path, true)])];
}

/**
 * Places to page from: the ends, those of the resources, and of a whole list those beside them, where nothing stands. A
 * filter leaves such places in its list anyway: those of the resources that it passes over.
 */
function startsOf(
  places: readonly Place[],
  { filter }: Pick<CheckedQuery, "filter">,
): readonly (Place | null)[] {
  if (filter !== null) return [null, ...places];
  const beside = places.flatMap(({ key, id }) => [
    { key, id: "" },
    { key, id: `${id}-` },
    { key, id: "\u{10ffff}" },
  ]);
  return [null, ...places, ...distinct(beside)];
}

/** Where keys are alike, so are the places before and behind all ids. */
function distinct(places: readonly Place[]): readonly Place[] {
  return [...new Map(places.map((place) => [JSON.stringify([place.key, place.id]), place])).values()];
}

/** Every page of a query, from every place, either way. */
async function checkPages(store: ResourceStore, query: Omit<CheckedQuery, "page">): Promise<void> {
  const { type, sort } = query;
  const all = await everyOne(store, type);
  const places = orderedPlaces(query, all);
  const order = `${sort?.target.path ?? "id"}${sort?.descending === true ? " descending" : ""}`;
  for (const page of pagesOf(startsOf(orderedPlaces({ ...query, filter: null }, all), query))) {
    const { total, ...expected } = choose(places, { ...query, page });
    const { total: told, ...found } = await matchingIds(store, { ...query, page });
    const what = `by ${order}, ${page.direction} from ${JSON.stringify(page.from)}`;
    expectEqual(found, expected, what);
    expectOneOf(told, [null, total], `total ${what}`);
  }
}

function pagesOf(starts: readonly (Place | null)[]): readonly KeysetPage[] {
  return starts.flatMap((from) =>
    (["forward", "backward"] as const).flatMap((direction) =>
      (from === null ? [1, 3, 100] : [2]).map((limit): KeysetPage => ({
        kind: "keyset",
        from,
        direction,
        limit,
      })),
    ),
  );
}

export const KEYSET_RULES: readonly ResourceStoreRule[] = [
  ...(["User", "Group", "Badge"] as const).flatMap((type) =>
    FILTERS[type].map((text): ResourceStoreRule => ({
      rule: "query/keyset",
      name: `R9865-2.2-01 a page next to any place holds what comes next, either way: ${type}, ${text ?? "all"}`,
      onlyReads: true,
      run: async (open) => {
        const store = await openSeeded(open);
        const filter = text === null ? null : filterOf(type, text);
        for (const sort of ordersOf(type)) await checkPages(store, { type, filter, sort });
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
