import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { PATCH_OP, USER, type Made } from "../over-http/client.ts";
import { useInProcess } from "../over-http/use-server.ts";

const PAST = "Sat, 01 Jan 2000 00:00:00 GMT";
const FUTURE = "Fri, 01 Jan 2100 00:00:00 GMT";

const client = useInProcess();
let user: Made;
let made = 0;

/** Headers made of the tag of a user that was just made, and of the raw version in it. */
type Headers = (tag: string, raw: string) => Readonly<Record<string, string>>;

async function withUser(method: "GET" | "PUT" | "PATCH" | "DELETE", headers: Headers) {
  user = await client.user({ userName: `conditional-${(made += 1)}` });
  const raw = /^W\/"(.*)"$/.exec(user.tag)?.[1] ?? "";
  const bodies: Readonly<Record<string, JsonObject>> = {
    PUT: { schemas: [USER], userName: String(user.body["userName"]), title: "x" },
    PATCH: {
      schemas: [PATCH_OP],
      Operations: [{ op: "add", path: "title", value: "x" }],
    },
  };
  const body = bodies[method];
  return client.call(method, user.path, {
    headers: headers(user.tag, raw),
    ...(body === undefined ? {} : { body }),
  });
}

const WRITES = [
  ["PUT", 200],
  ["PATCH", 200],
  ["DELETE", 204],
] as const;

describe.each(WRITES)("If-Match with %s", (method, success) => {
  test.each<[string, Headers, boolean]>([
    ["R7232-3.1-01, R7232-2.3.2-01, A-HTTP-03 weak against weak", (tag) => ({ "If-Match": tag }), true],
    ["R7232-2.3.2-01 strong against weak", (_, raw) => ({ "If-Match": `"${raw}"` }), true],
    ["R7232-2.3.2-01 another weak one", () => ({ "If-Match": 'W/"other"' }), false],
    ["R7232-2.3.2-01 another strong one", () => ({ "If-Match": '"other"' }), false],
    ["R7232-2.3.2-01 in another letter case", (_, raw) => ({ "If-Match": `"${raw}x"` }), false],
    ["R7232-3.1-02 any", () => ({ "If-Match": "*" }), true],
    ["R7232-3.1-02 a list with it", (tag) => ({ "If-Match": `"x", ${tag}` }), true],
    ["R7232-3.1-02 a list without it", () => ({ "If-Match": '"x", W/"y"' }), false],
    ["R7232-6-02 a date alone", () => ({ "If-Unmodified-Since": PAST }), true],
    ["R7232-6-01 a tag beside a date", (tag) => ({ "If-Match": tag, "If-Unmodified-Since": PAST }), true],
    ["R7232-6-01 both tags: If-Match first", (tag) => ({ "If-Match": '"x"', "If-None-Match": tag }), false],
    [
      "R7232-6-01 both tags: then If-None-Match",
      (tag) => ({ "If-Match": tag, "If-None-Match": '"x"' }),
      true,
    ],
    ["R7232-3.2-01 none of any", () => ({ "If-None-Match": "*" }), false],
    ["R7232-3.2-01 none of this", (tag) => ({ "If-None-Match": tag }), false],
  ])("%s", async (_, headers, passes) => {
    const answer = await withUser(method, headers);
    expect(answer.status, answer.text).toBe(passes ? success : 412);
    const after = await client.call("GET", user.path);
    if (passes) expect(after.headers.etag).not.toBe(user.tag);
    else expect(after.headers.etag).toBe(user.tag);
  });

  test("A-HTTP-04, R7644-3.14-05 412 tells both versions", async () => {
    const answer = await withUser(method, () => ({ "If-Match": 'W/"stale"' }));
    expect(answer.status).toBe(412);
    const raw = /^W\/"(.*)"$/.exec(user.tag)?.[1];
    expect(answer.body).toMatchObject({ status: "412", expectedVersion: "stale", currentVersion: raw });
    expect(answer.headers.etag).toBe(user.tag);
  });
});

describe("GET", () => {
  test.each<[string, Headers, number]>([
    ["R7644-3.14-03, R7232-3.2-01 the same tag", (tag) => ({ "If-None-Match": tag }), 304],
    ["R7232-2.3.2-01 a strong one with the same text", (_, raw) => ({ "If-None-Match": `"${raw}"` }), 304],
    ["R7232-3.2-01 any", () => ({ "If-None-Match": "*" }), 304],
    ["R7232-3.2-01 a list with it", (tag) => ({ "If-None-Match": `"x", ${tag}` }), 304],
    ["R7232-3.2-01 another", () => ({ "If-None-Match": '"x"' }), 200],
    ["R7232-3.1-02 this one alone, which it is", (tag) => ({ "If-Match": `"x", ${tag}` }), 200],
    ["R7232-3.1-02 another one alone", () => ({ "If-Match": '"x"' }), 412],
    ["R7232-6-01 both: If-Match first", (tag) => ({ "If-Match": '"x"', "If-None-Match": tag }), 412],
    ["R7232-6-01 both: then If-None-Match", (tag) => ({ "If-Match": tag, "If-None-Match": tag }), 304],
    ["R7232-6-02 a date alone", () => ({ "If-Modified-Since": FUTURE }), 200],
    ["R7232-6-01 a tag beside a date", () => ({ "If-None-Match": '"x"', "If-Modified-Since": FUTURE }), 200],
  ])("%s", async (_, headers, status) => {
    const answer = await withUser("GET", headers);
    expect(answer.status).toBe(status);
    expect(answer.headers.etag).toBe(user.tag);
    expect(answer.headers).not.toHaveProperty("last-modified");
    if (status === 304) expect(answer.text).toBe("");
  });

  test("R7232-4.1-01 304 carries the tag, and nothing of a body", async () => {
    const { headers } = await withUser("GET", (tag) => ({ "If-None-Match": tag }));
    expect(headers).not.toHaveProperty("content-type");
    expect(headers["content-length"] ?? "0").toBe("0");
  });
});

describe("versions", () => {
  test("R7644-3.14-01, R7643-3.1-09 ETag and meta.version are the same weak tag, in every answer", async () => {
    const config = await client.call("GET", "/ServiceProviderConfig");
    expect(config.body["etag"]).toEqual({ supported: true });
    const created = await client.call("POST", "/Users", { body: { schemas: [USER], userName: "tagged" } });
    const path = `/Users/${String(created.body["id"])}`;
    const answers = [
      created,
      await client.call("GET", path),
      await client.call("PUT", path, { body: { schemas: [USER], userName: "tagged", title: "x" } }),
      await client.patch(path, [{ op: "add", path: "nickName", value: "x" }]),
    ];
    for (const { headers, body } of answers) {
      expect(headers.etag).toMatch(/^W\/"[\w-]+"$/);
      expect(body["meta"]).toMatchObject({ version: headers.etag });
    }
    const tags = answers.map(({ headers }) => headers.etag);
    expect(new Set(tags).size).toBe(3);
  });

  test("R7644-3.14-10 POST ignores If-None-Match; a list has no tag", async () => {
    const body = { schemas: [USER], userName: "unconditional" };
    const headers = { "If-None-Match": "*" };
    expect((await client.call("POST", "/Users", { body, headers })).status).toBe(201);
    const list = await client.call("GET", "/Users", { headers });
    expect(list.status).toBe(200);
    expect(list.headers).not.toHaveProperty("etag");
  });

  test.each([
    ["POST", "/Users"],
    ["GET", "/Users"],
    ["GET", "/Schemas"],
    ["GET", "/Diagnostics/ReferentialConsistency"],
    ["POST", "/.search"],
    ["POST", "/Bulk"],
  ])("R7232-3.1-02 If-Match of %s %s, which has no tag: any is met, and no other", async (method, path) => {
    const userName = `untagged-${method}-${path}`;
    const search = "urn:ietf:params:scim:api:messages:2.0:SearchRequest";
    const bulk = "urn:ietf:params:scim:api:messages:2.0:BulkRequest";
    const bodies: Readonly<Record<string, JsonObject>> = {
      "/Users": { schemas: [USER], userName },
      "/.search": { schemas: [search] },
      "/Bulk": { schemas: [bulk], Operations: [] },
    };
    const answer = (tag: string) =>
      client.call(method, path, {
        headers: { "If-Match": tag },
        ...(method === "POST" ? { body: bodies[path] ?? {} } : {}),
      });
    expect(await answer('W/"x"')).toMatchObject({ status: 412, body: { expectedVersion: "x" } });
    expect(await answer('W/"x", "y"')).toMatchObject({ status: 412, body: { expectedVersion: ["x", "y"] } });
    expect((await answer("x y")).status).toBe(400);
    const filter = encodeURIComponent(`userName eq "${userName}"`);
    const list = await client.call("GET", `/Users?filter=${filter}`);
    expect(list.body["totalResults"]).toBe(0);
    expect((await answer("*")).status).toBeLessThan(300);
  });

  test("R7644-3.14-07 a hidden change is a new version; projection is none", async () => {
    const { path, tag } = await client.user({ userName: "hidden" });
    expect((await client.call("GET", `${path}?attributes=userName`)).headers.etag).toBe(tag);
    const same = await client.patch(path, [{ op: "replace", path: "userName", value: "hidden" }]);
    expect(same.headers.etag).toBe(tag);
    const changed = await client.patch(path, [{ op: "replace", path: "password", value: "s3cret!Pass" }]);
    expect(changed.headers.etag).not.toBe(tag);
  });
});
