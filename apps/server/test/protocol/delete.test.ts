import { describe, expect, test } from "vitest";
import { GROUP, SEARCH_REQUEST, USER, type Made } from "../over-http/client.ts";
import { useInProcess } from "../over-http/use-server.ts";

const client = useInProcess();
let made = 0;

const KINDS = ["User", "Group"] as const;

function create(kind: (typeof KINDS)[number]): Promise<Made> {
  const name = `deleted-${(made += 1)}`;
  return kind === "User" ? client.user({ userName: name }) : client.group({ displayName: name });
}

const bodyOf = (kind: (typeof KINDS)[number]) =>
  kind === "User" ? { schemas: [USER], userName: "revived" } : { schemas: [GROUP], displayName: "revived" };

describe.each(KINDS)("DELETE of a %s", (kind) => {
  test("R7644-3.6-01 is 204 without a body", async () => {
    const { path } = await create(kind);
    expect(await client.call("DELETE", path)).toMatchObject({ status: 204, text: "" });
  });

  test("R7644-3.6-02 makes every later request 404", async () => {
    const { path, tag } = await create(kind);
    await client.call("DELETE", path);
    const answers = [
      await client.call("GET", path),
      await client.call("GET", path, { headers: { "If-None-Match": tag } }),
      await client.call("HEAD", path),
      await client.call("PUT", path, { body: bodyOf(kind) }),
      await client.patch(path, [{ op: "add", path: "displayName", value: "x" }]),
      await client.patch(path, [{ op: "add", path: "displayName", value: "x" }], { "If-Match": tag }),
      await client.call("DELETE", path),
      await client.call("DELETE", path, { headers: { "If-Match": "*" } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  });

  test("R7644-3.6-03 takes it out of every query", async () => {
    const { id, path } = await create(kind);
    const filter = `id eq "${id}"`;
    const queries = (): Promise<readonly unknown[]> =>
      Promise.all(
        [
          client.call("GET", `/${kind}s?filter=${encodeURIComponent(filter)}`),
          client.call("GET", `/?filter=${encodeURIComponent(filter)}`),
          client.call("POST", `/${kind}s/.search`, { body: { schemas: [SEARCH_REQUEST], filter } }),
          client.call("POST", "/.search", { body: { schemas: [SEARCH_REQUEST], filter } }),
        ].map(async (answer) => (await answer).body["totalResults"]),
      );
    expect(await queries()).toEqual([1, 1, 1, 1]);
    await client.call("DELETE", path);
    expect(await queries()).toEqual([0, 0, 0, 0]);
  });

  test("R7644-3.6-04 frees its name for a resource with an id of its own", async () => {
    const first = await create(kind);
    await client.call("DELETE", first.path);
    const { schemas, userName, displayName } = first.body;
    const body = { schemas: schemas ?? [], ...(kind === "User" ? { userName } : { displayName }) };
    const second = await client.call("POST", `/${kind}s`, { body: JSON.stringify(body) });
    expect(second.status).toBe(201);
    expect(second.body["id"]).not.toBe(first.id);
  });

  test("R7644-3.6-06 with a stale If-Match is 412 and deletes nothing", async () => {
    const { path, tag } = await create(kind);
    await client.patch(path, [{ op: "add", path: "displayName", value: "changed" }]);
    const stale = await client.call("DELETE", path, { headers: { "If-Match": tag } });
    expect(stale.status).toBe(412);
    const { headers, status } = await client.call("GET", path);
    expect(status).toBe(200);
    const current = { "If-Match": String(headers.etag) };
    expect((await client.call("DELETE", path, { headers: current })).status).toBe(204);
  });

  test("R7644-3.6-07 ignores a body, and is 405 on a collection", async () => {
    const { path } = await create(kind);
    expect((await client.call("DELETE", path, { body: "{ no JSON" })).status).toBe(204);
    expect((await client.call("DELETE", `/${kind}s`)).status).toBe(405);
  });
});
