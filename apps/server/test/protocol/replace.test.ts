import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { ENTERPRISE, USER } from "../over-http/client.ts";
import { useInProcess } from "../over-http/use-server.ts";

const client = useInProcess();
let made = 0;

const newName = () => `user-${(made += 1)}`;
const put = (path: string, body: JsonObject, headers = {}) => client.call("PUT", path, { body, headers });

describe("PUT", () => {
  test("R7644-3.5.1-11, R7644-3.5-01 answers 200 with the whole resource, its Location and its tag", async () => {
    const userName = newName();
    const user = await client.user({ userName, title: "old", nickName: "Nick" });
    const answer = await put(user.path, { schemas: [USER], userName, title: "new" });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: user.id, userName, title: "new" });
    expect(answer.headers.location).toBe(`${client.server.origin}${client.server.base}${user.path}`);
    expect(answer.body["meta"]).toMatchObject({ version: answer.headers.etag });
    expect(answer.headers.etag).not.toBe(user.tag);
    expect((await client.call("GET", user.path)).body).toEqual(answer.body);
  });

  test("R7644-3.5.1-11 answers what projection asks for", async () => {
    const userName = newName();
    const user = await client.user({ userName });
    const answer = await put(`${user.path}?attributes=title`, { schemas: [USER], userName, title: "new" });
    expect(answer.body["title"]).toBe("new");
    expect(answer.body).not.toHaveProperty("userName");
  });

  test("R7644-3.5.1-02, R7644-3.5.1-18 of what GET answered changes nothing", async () => {
    const boss = await client.user({ userName: newName() });
    const user = await client.user({
      userName: newName(),
      emails: [{ value: "a@example.com", primary: true }],
      [ENTERPRISE]: { manager: { value: boss.id } },
    });
    await client.group({ displayName: newName(), members: [{ value: user.id }] });
    const before = await client.call("GET", user.path);
    const after = await put(user.path, before.body);
    expect(after.status).toBe(200);
    expect(after.body).toEqual(before.body);
    expect(after.headers.etag).toBe(before.headers.etag);
  });

  test("A-PUT-01 clears what is left out", async () => {
    const userName = newName();
    const user = await client.user({ userName, nickName: "Nick", [ENTERPRISE]: { department: "Tours" } });
    const { body } = await put(user.path, { schemas: [USER], userName });
    expect(body).not.toHaveProperty("nickName");
    expect(body).not.toHaveProperty(ENTERPRISE);
    expect(body["schemas"]).toEqual([USER]);
  });

  test("A-PUT-02 ignores another id in the body", async () => {
    const userName = newName();
    const user = await client.user({ userName });
    const answer = await put(user.path, { schemas: [USER], userName, id: "another" });
    expect(answer.status).toBe(200);
    expect(answer.body["id"]).toBe(user.id);
    expect((await client.call("GET", "/Users/another")).status).toBe(404);
  });

  test("R7644-3.5.1-17 with If-Match writes what the tag names, and 412 what it does not", async () => {
    const userName = newName();
    const user = await client.user({ userName });
    const body = (title: string): JsonObject => ({ schemas: [USER], userName, title });
    const first = await put(user.path, body("first"), { "If-Match": user.tag });
    expect(first.status).toBe(200);
    const second = await put(user.path, body("second"), { "If-Match": user.tag });
    expect(second.status).toBe(412);
    expect((await client.call("GET", user.path)).body["title"]).toBe("first");
  });
});

describe("PATCH", () => {
  test("R7644-3.5-02, A-HTTP-05 is offered, and answers 200 with the whole resource", async () => {
    const user = await client.user({ userName: newName() });
    const answer = await client.patch(user.path, [{ op: "add", path: "title", value: "Guide" }]);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: user.id, userName: user.body["userName"], title: "Guide" });
    expect((await client.call("GET", "/ServiceProviderConfig")).body["patch"]).toEqual({ supported: true });
  });
});
