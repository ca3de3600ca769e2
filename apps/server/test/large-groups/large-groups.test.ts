import { isJsonArray, type JsonObject, type JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { GROUP } from "../over-http/client.ts";
import { ENGINES, type TestDatabase } from "../over-http/engines.ts";
import { startInProcess, type InProcessServer } from "../over-http/in-process.ts";

/** Widely spaced, more than a body of 1 MiB holds. */
const MANY = 7000;

/** More than is held of one collection. */
const SOME = 1500;

/** Ids of one length, in no order. */
function idOf(index: number): string {
  return `${((index * 7_919) % 1_000_003).toString(16).padStart(6, "0")}-0000-7000-8000-${String(index).padStart(12, "0")}`;
}

function membersOf(from: number, to: number, rest: JsonObject = { type: "User" }): readonly JsonObject[] {
  return Array.from({ length: to - from }, (_, index) => ({ value: idOf(from + index), ...rest }));
}

function namesOf(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from }, (_, index) => idOf(from + index));
}

function isDone(status: number): boolean {
  return status === 200 || status === 204;
}

function bodyOf(members: readonly JsonValue[], rest: JsonObject = {}): JsonObject {
  return { schemas: [GROUP], displayName: "Everyone", members, ...rest };
}

/** The text of a body, with so much space that it is long. */
function spaced(body: JsonObject): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(body, null, 10));
}

/** Ids of the members of an answer, in their order. */
function idsOf(resource: JsonObject): readonly JsonValue[] {
  const { members = [] } = resource;
  if (!isJsonArray(members)) throw new TypeError("no members");
  return members.map((member) => (member as { readonly value: string }).value);
}

/** Whether the members of an answer are these, in this order. No difference is shown: it would be as long. */
function holds(resource: JsonObject, members: readonly JsonObject[]): boolean {
  return JSON.stringify(idsOf(resource)) === JSON.stringify(members.map(({ value }) => value));
}

async function staged(database: TestDatabase): Promise<unknown> {
  const [row] = await database.query("SELECT (SELECT count(*) FROM staged_references) AS n");
  return Number(row?.["n"]);
}

describe.each(ENGINES)("$name", ({ make }) => {
  async function served(
    environment: Record<string, string> = {},
  ): Promise<readonly [InProcessServer, TestDatabase]> {
    const database = await make();
    return [await startInProcess({ ...database.environment, ...environment }), database];
  }

  test("a group of many members is written by one POST and one PUT, and read whole", async () => {
    const [client, database] = await served();
    const sent = membersOf(0, MANY);
    const made = await client.call("POST", "/Groups", { body: spaced(bodyOf(sent)) });
    expect([made.status, made.headers["content-length"]]).toEqual([201, undefined]);
    expect(holds(made.body, sent)).toBe(true);
    const path = `/Groups/${String(made.body["id"])}`;

    const read = await client.call("GET", path);
    expect([read.status, read.headers.etag, read.headers.location]).toEqual([
      200,
      made.headers.etag,
      made.headers.location,
    ]);
    expect(read.text === made.text).toBe(true);
    const without = await client.call("GET", `${path}?excludedAttributes=members`);
    const { members: _, ...rest } = read.body;
    expect(without.body).toEqual(rest);
    const head = await client.call("HEAD", path);
    expect([head.status, head.headers.etag, head.text]).toEqual([200, made.headers.etag, ""]);
    const current = await client.call("GET", path, {
      headers: { "If-None-Match": String(made.headers.etag) },
    });
    expect(current.status).toBe(304);

    const same = await client.call("PUT", path, { body: spaced(bodyOf(sent.toReversed())) });
    expect([same.status, same.headers.etag]).toEqual([200, made.headers.etag]);

    // What stays keeps its place and what was said of it first; new ones come behind, each once.
    const next = [
      ...membersOf(MANY, MANY + 500),
      ...membersOf(1000, MANY, { type: "User", display: "told now" }),
      ...membersOf(MANY, MANY + 500, { type: "User", display: "once more" }),
    ];
    const replaced = await client.call("PUT", path, {
      body: spaced(bodyOf(next)),
      headers: { "If-Match": String(same.headers.etag) },
    });
    expect(replaced.status).toBe(200);
    expect(holds(replaced.body, [...membersOf(1000, MANY), ...membersOf(MANY, MANY + 500)])).toBe(true);
    expect(replaced.headers.etag).not.toBe(made.headers.etag);
    const [first] = replaced.body["members"] as readonly JsonObject[];
    expect(first).toMatchObject({ type: "User", display: "told now" });

    const few = await client.call("PUT", path, { body: bodyOf(membersOf(4000, 4003)) });
    expect([few.status, holds(few.body, membersOf(4000, 4003))]).toEqual([200, true]);
    expect(await staged(database)).toBe(0);
    const events = await database.query(
      "SELECT kind, collections FROM events WHERE tenant = 'default' ORDER BY transaction_number, sequence",
    );
    const told = events.map(({ kind, collections }) => [kind, JSON.parse(String(collections))]);
    const changes = (removed: unknown, added: unknown) => [{ path: "members", removed, added }];
    expect(told).toEqual([
      ["created", changes([], MANY)],
      ["replaced", changes(namesOf(0, 1000), MANY - 1000 + 500)],
      ["replaced", changes(MANY - 1000 + 500 - 3, [])],
    ]);
  });

  test("a long group is replaced, changed and emptied by PATCH as by PUT", async () => {
    const [client, database] = await served();
    const made = await client.call("POST", "/Groups", { body: spaced(bodyOf(membersOf(0, SOME))) });
    const path = `/Groups/${String(made.body["id"])}`;
    const patched = async (operation: JsonObject): Promise<readonly JsonObject[]> => {
      expect(await client.patch(path, [operation])).toMatchObject({ status: expect.toSatisfy(isDone) });
      return ((await client.call("GET", path)).body["members"] ?? []) as readonly JsonObject[];
    };
    const few = await patched({ op: "replace", path: "members", value: membersOf(SOME - 2, SOME + 2) });
    expect(few.map(({ value }) => value)).toEqual(namesOf(SOME - 2, SOME + 2));
    const all = await patched({ op: "replace", value: { displayName: "All", members: membersOf(0, SOME) } });
    const ordered = [...namesOf(SOME - 2, SOME), ...namesOf(0, SOME - 2)];
    expect(all.map(({ value }) => value).join(" ") === ordered.join(" ")).toBe(true);
    const shown = await patched({ op: "add", path: 'members[type eq "User"].display', value: "One" });
    expect(shown.filter(({ display }) => display === "One")).toHaveLength(SOME);
    expect(await patched({ op: "remove", path: "members" })).toEqual([]);
    expect(await staged(database)).toBe(0);
    const events = await database.query(
      "SELECT changed, collections FROM events WHERE tenant = 'default' ORDER BY transaction_number, sequence",
    );
    const told = events.map(({ changed, collections }) =>
      [changed, collections].map((each) => JSON.parse(String(each))),
    );
    const changes = (removed: unknown, added: unknown) => [{ path: "members", removed, added }];
    expect(told.slice(1)).toEqual([
      [["members"], changes(SOME - 2, namesOf(SOME, SOME + 2))],
      [["displayName", "members"], changes(namesOf(SOME, SOME + 2), SOME - 2)],
      [["members"], changes([], SOME)],
      [["members"], changes(SOME, [])],
    ]);
  });

  test("a list shows long groups beside short ones", async () => {
    const [client] = await served();
    const long = await client.call("POST", "/Groups", { body: bodyOf(membersOf(0, 3000)) });
    const short = await client.call("POST", "/Groups", {
      body: bodyOf(membersOf(0, 3), { displayName: "Few" }),
    });
    const page = await client.call("GET", "/Groups?count=10");
    expect(page.body).toMatchObject({ totalResults: 2, itemsPerPage: 2 });
    expect(page.body["Resources"]).toEqual([long.body, short.body]);
  });

  /** Bodies that are refused, each for something that stands behind good members of more than 1 MiB. */
  const GOOD = 400;
  const good = membersOf(0, GOOD, { type: "User", display: "x".repeat(2800) });
  const WRONG: readonly (readonly [string, () => JsonObject | string, number, string])[] = [
    [
      "a member without value",
      () => bodyOf([...good, { display: "nobody" }]),
      400,
      `Attribute 'members[${GOOD}].value' is required: give the id of a resource.`,
    ],
    [
      "a member of another type",
      () => bodyOf([...good, { value: "a", type: "Robot" }]),
      400,
      `Attribute 'members[${GOOD}].type' must be one of: User, Group.`,
    ],
    [
      "a display that is no text",
      () => bodyOf([...good, { value: "a", display: 5 }]),
      400,
      `Attribute 'members[${GOOD}].display' must be a string.`,
    ],
    [
      "an attribute before them",
      () => ({ displayName: 5, ...bodyOf(good, { displayName: 5 }) }),
      400,
      "Attribute 'displayName' must be a string.",
    ],
    [
      "no schemas",
      () => ({ displayName: "x", members: good }),
      400,
      `'schemas' must be a list of schema URNs, with ${GROUP} among them.`,
    ],
    [
      "an end that is missing",
      () => JSON.stringify(bodyOf(good)).slice(0, -1),
      400,
      "The body is not valid JSON: expected ',' or the end of the array or object at line 1, column",
    ],
    [
      "a name twice",
      () => `{"members":${JSON.stringify(good)},"members":[]}`,
      400,
      'The body is not valid JSON: member "members" occurs twice in one object at line 1, column',
    ],
    [
      "much beside them",
      () => bodyOf([], { displayName: "x".repeat(1_050_000) }),
      413,
      "The body has more than 1048576 characters beside its lists of references, or in one value of them; send less.",
    ],
    [
      "more than the limit",
      () => bodyOf([...good, ...good]),
      413,
      "The body is larger than 2097152 bytes (2 MiB); send it in smaller parts.",
    ],
  ];

  // One server for all of them: its thread that reads long bodies starts once.
  test("what is wrong is told as of a short body, and leaves nothing behind", async () => {
    const [client, database] = await served({ SCIM_BODY_MAX_COLLECTION_BYTES: String(2 * 1_048_576) });
    for (const [what, body, status, detail] of WRONG) {
      const sent = body();
      const bytes = new TextEncoder().encode(typeof sent === "string" ? sent : JSON.stringify(sent));
      const answer = await client.call("POST", "/Groups", { body: bytes });
      const told = String(answer.body["detail"]).slice(0, detail.length);
      expect([what, answer.status, told]).toEqual([what, status, detail]);
      const groups = await client.call("GET", "/Groups?count=0");
      expect([what, groups.body["totalResults"], await staged(database)]).toEqual([what, 0, 0]);
    }
  });

  test("others are served while a large group is written, and a lost race is planned again", async () => {
    const [client] = await served();
    const { path } = await client.group({ displayName: "Everyone", members: [{ value: "first" }] });
    const user = await client.user({ userName: "reader" });
    const sent = membersOf(0, MANY);
    const writing = client.call("PUT", path, { body: spaced(bodyOf(sent)) });
    const done = writing.then(() => "done");
    let reads = 0;
    while ((await Promise.race([done, Promise.resolve("under way")])) === "under way") {
      expect((await client.call("GET", user.path)).status).toBe(200);
      reads += 1;
      const change = [{ op: "replace", path: "nickName", value: `n${reads}` }];
      expect((await client.patch(user.path, change)).status).toBe(200);
    }
    expect((await writing).status).toBe(200);
    expect(reads).toBeGreaterThan(3);
    expect(holds((await client.call("GET", path)).body, sent)).toBe(true);
  });
});
