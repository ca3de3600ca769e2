import { GUARD_CONTRACT } from "@scim/events/testing";
import { expect, test } from "vitest";
import { ANYWHERE, LIMIT, type Planted, violations } from "../support/planted-statements.ts";

const WINDOW = "SELECT started, count, told FROM guard_windows";
const HELD_OF = "SELECT released, removed FROM guard_held";
const HOLDS = "SELECT first_at FROM guard_held";
const COUNT = "INSERT INTO guard_windows";
const TELL = "UPDATE guard_windows SET told";
const TAKE_PART = "UPDATE guard_held SET removed";
const TAKE = "DELETE FROM guard_held WHERE tenant = ? AND connection = ? AND measure";
const BEFORE = "SELECT removed, released FROM guard_held";
const HOLD = "UPDATE guard_held SET last_at";
const LIST = "SELECT tenant, connection, measure, type, resource";
const RELEASE = "UPDATE guard_held SET released";
const DISMISS = "DELETE FROM guard_held WHERE tenant = ? AND id = ?";
const DISMISS_ALL = "DELETE FROM guard_held WHERE tenant = ? AND connection = ? AND coalesce";
const FORGET = "WITH RECURSIVE holding";
const PURGED =
  "SELECT last_at, connection, measure, type, resource FROM guard_held WHERE tenant = ? AND last_at";
const PURGE = "DELETE FROM guard_held WHERE tenant = ? AND last_at";
const POPULATION = "SELECT coalesce(sum(n), 0) AS n FROM resource_counters";
const REFERENCES = "SELECT COUNT(*) AS n FROM reference_values";
const HOLDERS = "SELECT CASE typeof(x.key)";

/** Statements that forget one of the columns by which places are told apart. */
const MIXED: Planted = [
  ["reads windows", WINDOW],
  ["reads what is held", HELD_OF],
  ["reads whether something is held", HOLDS],
  ["tells", TELL],
  ["takes a part of a release", TAKE_PART],
  ["takes a release", TAKE],
  ["writes what is held", HOLD],
].flatMap(([bug = "", beginning = ""]) =>
  ["tenant", "connection", "measure", "type"].map(
    (column) =>
      [
        "guard/apart",
        `${bug} of every ${column}`,
        [beginning, `${column} = ?`, column === "tenant" ? ANYWHERE : `'' <> ?`],
      ] as const,
  ),
);

/** A statement that reads what is held already of another place. */
const ELSEWHERE: Planted = ["tenant", "connection", "measure", "type"].map((column) => [
  "guard/apart",
  `adds up what is held of another ${column}`,
  [BEFORE, `${column} = ?`, `${column} <> ?`],
]);

/** Bugs of guards. */
const PLANTED: Planted = [
  ...MIXED,
  ...ELSEWHERE,
  [
    "guard/window",
    "counts a window on that is over",
    [COUNT, "guard_windows.started <= ?", "guard_windows.started < ?"],
  ],
  [
    "guard/window",
    "counts the last change alone",
    [COUNT, "ELSE guard_windows.count + excluded.count", "ELSE excluded.count"],
  ],
  [
    "guard/window",
    "counts windows together",
    [COUNT, "THEN excluded.count ELSE", "THEN guard_windows.count + excluded.count ELSE"],
  ],
  [
    "guard/window",
    "lets windows begin with each change",
    [COUNT, "ELSE guard_windows.started END", "ELSE excluded.started END"],
  ],
  [
    "guard/window",
    "lets a window begin for good",
    [COUNT, "THEN excluded.started ELSE", "THEN guard_windows.started ELSE"],
  ],
  [
    "guard/bound",
    "keeps the bound of the first change",
    [COUNT, "most = excluded.most", "most = guard_windows.most"],
  ],
  ["guard/bound", "has no bound", [COUNT, "most = excluded.most", "most = excluded.most + 99"]],
  [
    "guard/told",
    "forgets that it was told",
    [COUNT, "ELSE guard_windows.told END", "ELSE excluded.told END"],
  ],
  [
    "guard/told",
    "was told of the next window",
    [COUNT, "THEN excluded.told ELSE", "THEN guard_windows.told ELSE"],
  ],
  ["guard/told", "does not see a change that tells", [COUNT, "OR excluded.told = 1", ""]],
  ["guard/told", "tells of another window", [TELL, "started = ?", ANYWHERE]],
  ["guard/told", "tells twice", [TELL, " AND told = 0", ""]],
  ["guard/released", "knows what is released of any resource", [HELD_OF, "resource = ?", ANYWHERE]],
  ["guard/released", "holds on for what was released", [HOLDS, " AND released IS NULL", ""]],
  ["guard/held", "does not see what is held of others", [HOLDS, "released IS NULL", "released = ''"]],
  ["guard/taken", "takes of every resource", [TAKE, "resource = ?", ANYWHERE]],
  ["guard/taken", "takes what nobody released", [TAKE, " AND released IS NOT NULL", ""]],
  ["guard/taken", "takes a part of every release", [TAKE_PART, "resource = ?", ANYWHERE]],
  ["guard/taken", "takes a part of what nobody released", [TAKE_PART, " AND released IS NOT NULL", ""]],
  ["guard/passed", "lets pass what is held of every resource", [TAKE, "resource = ?", ANYWHERE]],
  ["guard/passed", "lets pass what was released", [TAKE, " AND released IS NULL", ""]],
  ["guard/passed", "lets pass a part of every resource", [TAKE_PART, "resource = ?", ANYWHERE]],
  ["guard/passed", "lets pass a part of what was released", [TAKE_PART, " AND released IS NULL", ""]],
  [
    "guard/gone",
    "forgets what every tenant holds",
    [FORGET, "DELETE FROM guard_held WHERE tenant = ?", `DELETE FROM guard_held WHERE ${ANYWHERE}`],
  ],
  ["guard/gone", "forgets what is held of every type", [FORGET, "type = ?", ANYWHERE]],
  ["guard/gone", "forgets what is held of every resource", [FORGET, "resource = ?", ANYWHERE]],
  [
    "guard/gone",
    "forgets what one connection sent",
    [FORGET, "h.connection > holding", "h.connection < holding"],
  ],
  ["guard/gone", "forgets no deletions", [FORGET, "'deletions', ", ""]],
  ["guard/gone", "forgets no removals", [FORGET, ", 'removals'", ""]],
  ["guard/gone", "forgets no deactivations", [FORGET, "'deactivations', ", ""]],
  ["guard/held", "adds up what is held of another resource", [BEFORE, "resource = ?", "resource <> ?"]],
  ["guard/held", "writes what is held of every resource", [HOLD, "resource = ?", ANYWHERE]],
  [
    "guard/held",
    "keeps when it was sent first as the last time",
    [HOLD, "last_at = ?", "last_at = coalesce(first_at, ?)"],
  ],
  ["guard/held", "counts one try", [HOLD, "tries = tries + 1", "tries = 1"]],
  [
    "guard/held",
    "keeps the changes of the first try",
    [HOLD, "changes = ?", "changes = CASE tries WHEN 0 THEN ? ELSE changes END"],
  ],
  [
    "guard/held",
    "keeps what the first try would take out",
    [HOLD, "removed = ?", "removed = CASE tries WHEN 0 THEN ? ELSE removed END"],
  ],
  ["guard/held", "gives it another id", [HOLD, "SET", "SET id = id || tries,"]],
  [
    "guard/held",
    "was sent first when it was sent last",
    [HOLD, "last_at = ?", "last_at = ?1, first_at = ?1"],
  ],
  [
    "guard/released",
    "keeps a release for another value",
    [HOLD, "released = ?", "released = coalesce(?, released)"],
  ],
  ["guard/released", "takes every release back", [HOLD, "released = ?", "released = nullif(?, released)"]],
  ["guard/listed", "lists every tenant's", [LIST, /tenant = \?/g, ANYWHERE]],
  ["guard/listed", "lists every connection's", [LIST, "connection = ?", ANYWHERE]],
  ["guard/listed", "lists others beside an id", [LIST, "id = ?", ANYWHERE]],
  ["guard/listed", "begins a page with the last of the page before", [LIST, "id > ?", "id >= ?"]],
  ["guard/listed", "lists more than it may", [LIST, LIMIT, `${LIMIT} + 1`]],
  ["guard/listed", "lists by time", [LIST, "ORDER BY id", "ORDER BY last_at"]],
  ["guard/apart", "releases in every tenant", [RELEASE, "tenant = ?", ANYWHERE]],
  ["guard/released", "releases every id", [RELEASE, "id = ?", ANYWHERE]],
  ["guard/apart", "releases in every connection", [RELEASE, "connection = ?", ANYWHERE]],
  ["guard/released", "releases again", [RELEASE, "AND released IS NULL", ""]],
  ["guard/apart", "dismisses in every tenant", [DISMISS, "tenant = ?", ANYWHERE]],
  ["guard/dismissed", "dismisses every id", [DISMISS, "id = ?", ANYWHERE]],
  [
    "guard/dismissed",
    "does not dismiss what was released",
    [DISMISS, "id = ?", "id = ? AND released IS NULL"],
  ],
  ["guard/apart", "dismisses with the connection in every tenant", [DISMISS_ALL, "tenant = ?", ANYWHERE]],
  ["guard/apart", "dismisses in every connection", [DISMISS_ALL, "connection = ?", ANYWHERE]],
  [
    "guard/dismissed",
    "dismisses what was released with the rest",
    [DISMISS_ALL, " AND coalesce(released, '') = ''", ""],
  ],
  ["guard/apart", "purges in every tenant", [PURGE, "tenant = ?", ANYWHERE]],
  ["guard/purged", "purges what came at the instant", [PURGE, /last_at < \?/g, "last_at <= ?"]],
  ["guard/purged", "purges by when it came first", [PURGE, /last_at < \?/g, "first_at < ?"]],
  ["guard/purged", "purges more than it may", [PURGED, "OFFSET ?", "OFFSET ? + 5"]],
  ["guard/purged", "keeps what was released", [PURGE, "last_at < ?", "released IS NULL AND last_at < ?"]],
  ["guard/population", "counts every tenant's", [POPULATION, "tenant = ?", ANYWHERE]],
  ["guard/population", "counts every type", [POPULATION, "type = ?", ANYWHERE]],
  ["guard/references", "counts every tenant's", [REFERENCES, "tenant = ?", ANYWHERE]],
  ["guard/references", "counts every type's", [REFERENCES, "type = ?", ANYWHERE]],
  ["guard/references", "counts every resource's", [REFERENCES, "owner = ?", ANYWHERE]],
  ["guard/references", "counts every collection's", [REFERENCES, "path = ?", ANYWHERE]],
  ["guard/holders", "finds every tenant's", [HOLDERS, "x.tenant = ?", ANYWHERE]],
  ["guard/holders", "finds every scope's", [HOLDERS, "x.scope = ?", ANYWHERE]],
  ["guard/holders", "finds every attribute's", [HOLDERS, "x.path = ?", ANYWHERE]],
  ["guard/holders", "finds every type's", [HOLDERS, "x.type = ?", ANYWHERE]],
  [
    "guard/references",
    "counts all where some are meant",
    ({ guard }) => ({
      guard: {
        ...guard,
        references: (tenant, { type, id, path }) => guard.references(tenant, { type, id, path }),
      },
    }),
  ],
  [
    "guard/values",
    "counts further than is asked",
    ({ guard }) => ({
      guard: { ...guard, values: (tenant, collection, most) => guard.values(tenant, collection, most + 1) },
    }),
  ],
];

test.each(PLANTED)("%s finds out a store that %s", async (rule, _, plant) => {
  expect(await violations(GUARD_CONTRACT, rule, plant)).toContain("broken");
});
