import { describe, expect, test } from "vitest";
import { USER } from "../over-http/client.ts";
import { useInProcess } from "../over-http/use-server.ts";

const client = useInProcess();

let made = 0;
async function newUser() {
  made += 1;
  return client.user({ userName: `versioned-${made}` });
}

describe("the entity tag of a user tells of memberships", () => {
  test("a tag from before the user joined a group is no longer current for reading", async () => {
    const user = await newUser();
    const before = await client.call("GET", user.path);
    const group = await client.group({ displayName: "joined" });
    await client.patch(group.path, [
      { op: "add", path: "members", value: [{ value: user.id, type: "User" }] },
    ]);

    const after = await client.call("GET", user.path, {
      headers: { "If-None-Match": String(before.headers.etag) },
    });
    expect(after.status).toBe(200);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect(after.body["groups"]).toEqual([
      expect.objectContaining({ value: group.id, display: "joined", type: "direct" }),
    ]);
  });

  test("but it is still good for writing, since no write of the user came between", async () => {
    const user = await newUser();
    await client.group({ displayName: "joined-for-writing", members: [{ value: user.id }] });

    const answer = await client.call("PUT", user.path, {
      headers: { "If-Match": user.tag },
      body: { schemas: [USER], userName: `versioned-${made}`, nickName: "written" },
    });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body["nickName"]).toBe("written");
  });

  test("leaving the group moves the tag again", async () => {
    const user = await newUser();
    const group = await client.group({ displayName: "left", members: [{ value: user.id }] });
    const within = await client.call("GET", user.path);
    await client.patch(group.path, [{ op: "remove", path: `members[value eq "${user.id}"]` }]);

    const after = await client.call("GET", user.path, {
      headers: { "If-None-Match": String(within.headers.etag) },
    });
    expect(after.status).toBe(200);
    expect(after.body).not.toHaveProperty("groups");
  });

  test("a representation without groups keeps its tag when memberships change", async () => {
    const user = await newUser();
    const path = `${user.path}?excludedAttributes=groups`;
    const before = await client.call("GET", path);
    await client.group({ displayName: "unseen", members: [{ value: user.id }] });

    const after = await client.call("GET", path, {
      headers: { "If-None-Match": String(before.headers.etag) },
    });
    expect(after.status).toBe(304);
  });
});

describe("conditional requests (RFC 7644 §3.14)", () => {
  test("a current tag answers 304 with the tag and no body", async () => {
    const user = await newUser();
    const answer = await client.call("GET", user.path, { headers: { "If-None-Match": user.tag } });
    expect(answer).toMatchObject({ status: 304, text: "" });
    expect(answer.headers.etag).toBe(user.tag);
  });

  test("the tag of the header and meta.version are the same", async () => {
    const user = await newUser();
    expect(user.body["meta"]).toMatchObject({ version: user.tag });
    expect(user.tag).toMatch(/^W\/"[A-Za-z0-9_~-]+"$/);
  });

  test("a write moves the version, a write that changes nothing does not", async () => {
    const user = await newUser();
    const operation = { op: "replace", path: "nickName", value: "same" };
    const first = await client.patch(user.path, [operation]);
    expect(first.headers.etag).not.toBe(user.tag);
    const second = await client.patch(user.path, [operation]);
    expect(second.status).toBe(200);
    expect(second.headers.etag).toBe(first.headers.etag);
    expect(second.body["meta"]).toEqual(first.body["meta"]);
  });

  const STALE = 'W/"stale"';
  test.each([
    ["PUT", { schemas: [USER], userName: "stale" }],
    [
      "PATCH",
      {
        schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
        Operations: [{ op: "replace", path: "nickName", value: "stale" }],
      },
    ],
    ["DELETE", null],
  ] as const)(
    "%s with a stale tag answers 412 with both versions and changes nothing",
    async (method, body) => {
      const user = await newUser();
      const answer = await client.call(method, user.path, {
        headers: { "If-Match": STALE },
        ...(body === null ? {} : { body }),
      });
      expect(answer.status).toBe(412);
      expect(answer.headers.etag).toBe(user.tag);
      expect(answer.body).toMatchObject({
        schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
        status: "412",
        detail: expect.stringMatching(/version/i),
        expectedVersion: "stale",
        currentVersion: user.tag.replace(/^W\/"|"$/g, ""),
      });
      const now = await client.call("GET", user.path);
      expect(now.body).toEqual(user.body);
    },
  );

  test.each(["*", 'W/"other", TAG', "TAG"])("R7232-3.1-01 If-Match: %s lets the write pass", async (form) => {
    const user = await newUser();
    const headers = { "If-Match": form.replace("TAG", user.tag) };
    const answer = await client.patch(user.path, [{ op: "replace", path: "title", value: "T" }], headers);
    expect(answer.status).toBe(200);
  });

  test("If-None-Match: * refuses a PUT on what exists", async () => {
    const user = await newUser();
    const answer = await client.call("PUT", user.path, {
      headers: { "If-None-Match": "*" },
      body: { schemas: [USER], userName: `versioned-${made}` },
    });
    expect(answer.status).toBe(412);
  });
});

describe("a PATCH is all or nothing (RFC 7644 §3.5.2)", () => {
  test("of ten operations whose ninth fails, none takes effect", async () => {
    const user = await newUser();
    const fine = [
      "nickName",
      "title",
      "displayName",
      "locale",
      "timezone",
      "userType",
      "preferredLanguage",
      "profileUrl",
    ];
    const answer = await client.patch(user.path, [
      ...fine.map((path) => ({ op: "add", path, value: "https://example.com/x" })),
      { op: "replace", path: "active", value: "perhaps" },
      { op: "add", path: "externalId", value: "never" },
    ]);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ scimType: "invalidValue", detail: expect.stringMatching(/active/) });
    expect((await client.call("GET", user.path)).body).toEqual(user.body);
  });

  test("of ten operations on a group whose ninth fails, no member comes or goes", async () => {
    const group = await client.group({ displayName: "whole", members: [{ value: "m-0" }] });
    const answer = await client.patch(group.path, [
      { op: "remove", path: "members" },
      ...[1, 2, 3, 4, 5, 6, 7].map((n) => ({ op: "add", path: "members", value: [{ value: `m-${n}` }] })),
      { op: "remove", path: "displayName" },
      { op: "add", path: "members", value: [{ value: "m-9" }] },
    ]);
    expect(answer.status).toBe(400);
    expect((await client.call("GET", group.path)).body).toEqual(group.body);
  });
});
