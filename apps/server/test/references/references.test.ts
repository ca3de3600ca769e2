import { describe, expect, test } from "vitest";
import { ENTERPRISE, GROUP, USER } from "../over-http/client.ts";
import { useInProcess } from "../over-http/use-server.ts";

const NOBODY = "00000000-0000-7000-8000-000000000000";

describe.each(["tolerant", "strict"])("references are the clients' affair, in profile %s", (profile) => {
  const client = useInProcess({ SCIM_PROFILE: profile });

  const member = (value: string) => expect.objectContaining({ value });

  describe("R7644-3.6-05 what was deleted stays where it was referred to", () => {
    test("a deleted User in members", async () => {
      const user = await client.user({ userName: "leaver" });
      const group = await client.group({
        displayName: "with-leaver",
        members: [{ value: user.id, type: "User" }],
      });
      expect((await client.call("DELETE", user.path)).status).toBe(204);
      expect((await client.call("GET", user.path)).status).toBe(404);

      const after = await client.call("GET", group.path);
      expect(after.body["members"]).toEqual([member(user.id)]);
      expect(after.headers.etag).toBe(group.tag);
    });

    test("a deleted Group in its parent", async () => {
      const child = await client.group({ displayName: "child" });
      const parent = await client.group({
        displayName: "parent",
        members: [{ value: child.id, type: "Group" }],
      });
      expect((await client.call("DELETE", child.path)).status).toBe(204);

      expect((await client.call("GET", parent.path)).body["members"]).toEqual([member(child.id)]);
    });

    test("a deleted manager in manager.value", async () => {
      const manager = await client.user({ userName: "boss" });
      const report = await client.user({
        schemas: [USER, ENTERPRISE],
        userName: "report",
        [ENTERPRISE]: { manager: { value: manager.id } },
      });
      expect((await client.call("DELETE", manager.path)).status).toBe(204);

      const after = await client.call("GET", report.path);
      expect(after.body[ENTERPRISE]).toMatchObject({ manager: { value: manager.id } });
    });

    test("members of a deleted Group lose it from their groups, and stay themselves", async () => {
      const user = await client.user({ userName: "stayer" });
      const group = await client.group({ displayName: "gone", members: [{ value: user.id }] });
      expect((await client.call("GET", user.path)).body["groups"]).toEqual([member(group.id)]);
      expect((await client.call("DELETE", group.path)).status).toBe(204);

      const after = await client.call("GET", user.path);
      expect(after.status).toBe(200);
      expect(after.body).not.toHaveProperty("groups");
    });
  });

  describe("ids that never existed are accepted", () => {
    test("A-GRP-01, R7643-2.3.7-04 as members of a new Group", async () => {
      const group = await client.group({ displayName: "strangers", members: [{ value: NOBODY }] });
      expect(group.body["members"]).toEqual([member(NOBODY)]);
    });

    test("A-GRP-01 as members added by PATCH and by PUT", async () => {
      const group = await client.group({ displayName: "more-strangers" });
      const patched = await client.patch(group.path, [
        { op: "add", path: "members", value: [{ value: NOBODY }] },
      ]);
      expect(patched.body["members"]).toEqual([member(NOBODY)]);
      const put = await client.call("PUT", group.path, {
        body: { schemas: [GROUP], displayName: "more-strangers", members: [{ value: "another-stranger" }] },
      });
      expect(put.body["members"]).toEqual([member("another-stranger")]);
    });

    test("R7643-2.3.7-04 as a manager", async () => {
      const user = await client.user({
        schemas: [USER, ENTERPRISE],
        userName: "independent",
        [ENTERPRISE]: { manager: { value: NOBODY } },
      });
      expect(user.body[ENTERPRISE]).toMatchObject({ manager: { value: NOBODY } });
    });
  });

  test("a group may be a member of itself", async () => {
    const group = await client.group({ displayName: "ouroboros" });
    const answer = await client.patch(group.path, [
      { op: "add", path: "members", value: [{ value: group.id, type: "Group" }] },
    ]);
    expect(answer.status).toBe(200);
    expect((await client.call("GET", group.path)).body["members"]).toEqual([member(group.id)]);
  });

  test("a deleted userName is free, and the new User takes over no membership", async () => {
    const first = await client.user({ userName: "returner" });
    const group = await client.group({ displayName: "old-friends", members: [{ value: first.id }] });
    await client.call("DELETE", first.path);
    const second = await client.user({ userName: "returner" });
    expect(second.id).not.toBe(first.id);
    expect((await client.call("GET", second.path)).body).not.toHaveProperty("groups");
    expect((await client.call("GET", group.path)).body["members"]).toEqual([member(first.id)]);
  });

  test("adding a member who is there and removing one who is not are successes without effect", async () => {
    const group = await client.group({ displayName: "idle", members: [{ value: "m-1" }] });
    const added = await client.patch(group.path, [{ op: "add", path: "members", value: [{ value: "m-1" }] }]);
    const removed = await client.patch(group.path, [{ op: "remove", path: 'members[value eq "m-2"]' }]);
    for (const answer of [added, removed]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.etag).toBe(group.tag);
    }
  });
});
