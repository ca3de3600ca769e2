/**
 * Cursors that lead nowhere, and queries that ask for what is kept out of addresses, or for too much.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { SEARCH_REQUEST } from "../over-http/client.ts";
import { textMember } from "../over-http/exchange.ts";
import { accepted, always, refused, type BadInput, type World } from "./row.ts";

const get = ({ client }: World, path: string, parameters: Readonly<Record<string, string>>) =>
  client.call("GET", `${path}?${new URLSearchParams(parameters).toString()}`);

const search = ({ client }: World, path: string, members: JsonObject) =>
  client.call("POST", `${path}/.search`, { body: { schemas: [SEARCH_REQUEST], ...members } });

/** The cursor of a second page of one resource. */
async function cursorOf(world: World, path: string, parameters: JsonObject = {}): Promise<string> {
  const { body } = await search(world, path, { cursor: "", count: 1, ...parameters });
  return textMember(body, "nextCursor");
}

/** The same cursor but for its middle. */
function forged(cursor: string): string {
  const middle = cursor.length >> 1;
  return `${cursor.slice(0, middle)}${cursor[middle] === "A" ? "B" : "A"}${cursor.slice(middle + 1)}`;
}

const INVALID = refused(400, "invalidCursor", /cursor/);
const EXPIRED = refused(400, "expiredCursor", /empty 'cursor'/);
const SENSITIVE = refused(403, "sensitive", /\.search/);
const TOO_MANY = refused(400, "tooMany");

export const CURSORS: readonly BadInput[] = [
  always("R9865-5.2-03 a cursor that nobody gave", INVALID, (world) =>
    get(world, "/Users", { cursor: "next" }),
  ),
  always("R9865-5.2-03 a cursor that is forged", INVALID, async (world) =>
    get(world, "/Groups", { cursor: forged(await cursorOf(world, "/Groups")), count: "1" }),
  ),
  always("R9865-2-06 a cursor of another query", INVALID, async (world) =>
    search(world, "/Groups", { cursor: await cursorOf(world, "/Groups"), count: 1, filter: "id pr" }),
  ),
  always("R9865-2-05 a cursor of another address", INVALID, async (world) =>
    search(world, "", { cursor: await cursorOf(world, "/Groups"), count: 1 }),
  ),
  always("R9865-3-01 a cursor that is a number", INVALID, (world) => search(world, "/Users", { cursor: 7 })),
  always("R9865-2.1-01 a cursor that is too old", EXPIRED, async (world) =>
    get(world, "/Groups", { cursor: world.expired(await cursorOf(world, "/Groups")), count: "1" }),
  ),
  always("R9865-2.1-01 a cursor that is too old, in a body", EXPIRED, async (world) =>
    search(world, "/Groups", { cursor: world.expired(await cursorOf(world, "/Groups")), count: 1 }),
  ),
  always("R9865-2.1-01 a cursor that is too old, over all types", EXPIRED, async (world) =>
    get(world, "/", { cursor: world.expired(await cursorOf(world, "")), count: "1" }),
  ),
  always("R9865-2.1-01 another count than before", refused(400, "invalidCount", /count/), async (world) =>
    get(world, "/Groups", { cursor: await cursorOf(world, "/Groups"), count: "2" }),
  ),
  always("R9865-2.1-01 a count that is a word", refused(400, "invalidCount", /integer/), (world) =>
    get(world, "/Groups", { cursor: "", count: "all" }),
  ),
  {
    title: "R9865-2.1-01 a count that is text",
    send: (world) => search(world, "/Groups", { cursor: "", count: "1" }),
    strict: refused(400, "invalidCount", /integer/),
    tolerant: accepted(200, ["search-as-strings"]),
  },
  {
    title: "R9865-2.1-01 a count beyond the greatest page",
    send: (world) => get(world, "/Users", { cursor: "", count: "1001" }),
    strict: refused(400, "invalidCount", /1000/),
    tolerant: accepted(200, ["excessive-count"]),
  },
  always("R9865-2.4-02 a cursor and a startIndex", refused(400, "invalidValue", /startIndex/), (world) =>
    get(world, "/Users", { cursor: "", startIndex: "1" }),
  ),
];

export const GUARDED_QUERIES: readonly BadInput[] = [
  always("R7644-7.5.2-01 a filter by phone number", SENSITIVE, (world) =>
    get(world, "/Users", { filter: 'phoneNumbers.value eq "tel:+1-201-555-0123"' }),
  ),
  always("R7644-7.5.2-01 a filter by phone number, as a value path", SENSITIVE, (world) =>
    get(world, "/Users", { filter: 'userName eq "x" or phoneNumbers[value pr]' }),
  ),
  always("R7644-7.5.2-01 a filter by family name, over all types", SENSITIVE, (world) =>
    get(world, "/", { filter: 'not (name.familyName eq "Doe")' }),
  ),
  always("R7644-7.5.2-01 the same filter in a body", accepted(200, []), (world) =>
    search(world, "/Users", { filter: 'phoneNumbers.value eq "tel:+1-201-555-0123"' }),
  ),
  always("R7644-3.4.2-05 a deep page of a sorted list of all types", TOO_MANY, (world) =>
    get(world, "/", { sortBy: "displayName", startIndex: "1001", count: "1" }),
  ),
  always("R7644-3.4.2-05 the same in a body", TOO_MANY, (world) =>
    search(world, "", { sortBy: "displayName", startIndex: 1001, count: 1 }),
  ),
  always("R7644-3.4.2-05 the same with a filter, descending", TOO_MANY, (world) =>
    search(world, "", {
      filter: "displayName pr",
      sortBy: "displayName",
      sortOrder: "descending",
      startIndex: 1000,
      count: 2,
    }),
  ),
];
