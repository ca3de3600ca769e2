import { describe, expect, test } from "vitest";
import { GROUP, USER, type Made } from "../over-http/client.ts";
import { resourcesOf, textMember, type WireAnswer } from "../over-http/exchange.ts";
import { useInProcess } from "../over-http/use-server.ts";

/** Writers that start at once in each round. */
const WRITERS = 24;
const ROUNDS = 25;

// They send more in a moment than a connection may.
const client = useInProcess({ SCIM_RATE_PER_SECOND: "0" });

const writers = Array.from({ length: WRITERS }, (_, index) => index);
const statuses = (answers: readonly WireAnswer[]): readonly number[] => answers.map(({ status }) => status);

async function read(path: string): Promise<WireAnswer> {
  const answer = await client.call("GET", path);
  expect(answer.status).toBe(200);
  return answer;
}

describe("writers that know the version (RFC 7644 §3.14)", () => {
  test("R7644-3.14-09 exactly one of each round wins, the others learn the version that won", async () => {
    const user = await client.user({ userName: "contended" });
    let tag = user.tag;
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all(
        writers.map((writer) => {
          const body = { schemas: [USER], userName: "contended", nickName: `${round}-${writer}` };
          return client.call("PUT", user.path, { headers: { "If-Match": tag }, body });
        }),
      );
      const winner = answers.findIndex(({ status }) => status === 200);
      expect(statuses(answers).toSorted((left, right) => left - right)).toEqual([
        200,
        ...Array.from({ length: WRITERS - 1 }, () => 412),
      ]);
      const now = await read(user.path);
      expect(now.body["nickName"]).toBe(`${round}-${winner}`);
      expect(now.headers.etag).toBe(answers[winner]?.headers.etag);
      for (const lost of answers.filter(({ status }) => status === 412)) {
        expect(lost.body).toMatchObject({
          expectedVersion: rawOf(tag),
          currentVersion: rawOf(now.headers.etag),
        });
      }
      tag = String(now.headers.etag);
    }
  });

  test("of a deletion and many changes with one version, one happens", async () => {
    const user = await client.user({ userName: "contended-deletion" });
    const headers = { "If-Match": user.tag };
    const answers = await Promise.all([
      client.call("DELETE", user.path, { headers }),
      ...writers.map((writer) =>
        client.patch(user.path, [{ op: "replace", path: "nickName", value: `n-${writer}` }], headers),
      ),
    ]);
    const succeeded = answers.filter(({ status }) => status < 300);
    expect(succeeded).toHaveLength(1);
    const deleted = answers[0]?.status === 204;
    expect((await client.call("GET", user.path)).status).toBe(deleted ? 404 : 200);
  });
});

/** Sends a change again as long as the service is too busy with the same resource, as it asks for. */
async function insist(send: () => Promise<WireAnswer>): Promise<WireAnswer> {
  const answer = await send();
  if (answer.status !== 503) return answer;
  expect(answer.headers["retry-after"]).toMatch(/^[0-9]+$/);
  return insist(send);
}

describe("writers that do not know the version", () => {
  test("every member that was added is there", async () => {
    const group = await client.group({ displayName: "contended-group" });
    const ids = Array.from({ length: WRITERS * 2 }, (_, index) => `member-${index}`);
    const answers = await Promise.all(
      ids.map((value) =>
        insist(() => client.patch(group.path, [{ op: "add", path: "members", value: [{ value }] }])),
      ),
    );
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    expect(await membersOf(group)).toEqual(new Set(ids));
  });

  test("changes of different attributes are all kept", async () => {
    const names = ["nickName", "title", "displayName", "locale", "timezone", "userType", "preferredLanguage"];
    const user = await client.user({ userName: "contended-attributes" });
    const answers = await Promise.all(
      names.map((path) =>
        insist(() => client.patch(user.path, [{ op: "replace", path, value: `my-${path}` }])),
      ),
    );
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    const { body } = await read(user.path);
    expect(body).toMatchObject(Object.fromEntries(names.map((name) => [name, `my-${name}`])));
  });

  test("additions and removals of different members do not disturb each other", async () => {
    const before = Array.from({ length: WRITERS }, (_, index) => `old-${index}`);
    const group = await client.group({
      displayName: "contended-members",
      members: before.map((value) => ({ value })),
    });
    const remove = before.map((value) => ({ op: "remove", path: `members[value eq "${value}"]` }));
    const add = writers.map((index) => ({ op: "add", path: "members", value: [{ value: `new-${index}` }] }));
    await Promise.all(
      [...remove, ...add].map((operation) => insist(() => client.patch(group.path, [operation]))),
    );
    expect(await membersOf(group)).toEqual(new Set(writers.map((index) => `new-${index}`)));
  });
});

describe("creators of the same name", () => {
  test("R7644-3.3-05 one userName is given once", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all(
        writers.map((writer) => {
          const userName = `Name-${round}`;
          const body = { schemas: [USER], userName: writer % 2 === 0 ? userName : userName.toLowerCase() };
          return client.call("POST", "/Users", { body });
        }),
      );
      expect(statuses(answers).toSorted((left, right) => left - right)).toEqual([
        201,
        ...Array.from({ length: WRITERS - 1 }, () => 409),
      ]);
      const { body } = await client.call(
        "GET",
        `/Users?filter=${encodeURIComponent(`userName eq "name-${round}"`)}`,
      );
      expect(resourcesOf(body)).toHaveLength(1);
    }
  });

  test("creators of different names all succeed, and the count is right", async () => {
    const before = await totalOf("/Groups");
    const answers = await Promise.all(
      writers.map((writer) =>
        client.call("POST", "/Groups", { body: { schemas: [GROUP], displayName: `g-${writer}` } }),
      ),
    );
    expect(new Set(statuses(answers))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => textMember(body, "id"))).size).toBe(WRITERS);
    expect(await totalOf("/Groups")).toBe(before + WRITERS);
  });
});

async function membersOf(group: Made): Promise<ReadonlySet<string>> {
  const { body } = await read(group.path);
  // Members are objects with a text value (RFC 7643 §4.2).
  const members = (body["members"] ?? []) as readonly { readonly value: string }[];
  expect(new Set(members.map(({ value }) => value)).size).toBe(members.length);
  return new Set(members.map(({ value }) => value));
}

async function totalOf(endpoint: string): Promise<number> {
  const { body } = await client.call("GET", `${endpoint}?count=0`);
  return Number(body["totalResults"]);
}

function rawOf(tag: string | undefined): string {
  return (tag ?? "").replace(/^W\/"/, "").replace(/"$/, "");
}
