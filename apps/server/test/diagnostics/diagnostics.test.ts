import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { ENGINES, type Engine } from "../over-http/engines.ts";
import { startInProcess, type InProcessServer } from "../over-http/in-process.ts";

const ADDRESS = "/Diagnostics/ReferentialConsistency";

/** Groups: more members than are read at once, some that are gone, a circle, and a type that is wrong. */
async function troubled(engine: Engine): Promise<InProcessServer & { readonly expected: JsonObject }> {
  const { environment } = await engine.make();
  const server = await startInProcess(environment);
  const anna = await server.user({ userName: "anna" });
  const bo = await server.user({ userName: "bo" });
  const gone = Array.from({ length: 700 }, (_, index) => ({ value: `gone-${index}` }));
  const large = await server.group({ displayName: "large", members: [{ value: anna.id }, ...gone] });
  const outer = await server.group({
    displayName: "outer",
    members: [
      { value: large.id, type: "Group" },
      { value: bo.id, type: "Group" },
    ],
  });
  await server.patch(large.path, [{ op: "add", path: "members", value: [{ value: outer.id }] }]);
  const issue = expect.any(String);
  const expected = {
    orphanedGroupMembers: gone.map(({ value }) => ({ groupId: large.id, memberId: value, issue })),
    inconsistentUserGroups: [
      { userId: anna.id, issue },
      { userId: bo.id, issue },
    ],
    cyclicGroupMembers: [
      { groupId: large.id, memberId: outer.id, issue },
      { groupId: outer.id, memberId: large.id, issue },
    ],
  };
  return { ...server, expected };
}

describe.each(ENGINES)("diagnostics on $name", (engine) => {
  test("a report tells what has come apart, as a whole and in pages", async () => {
    const server = await troubled(engine);
    const whole = await server.call("GET", `${ADDRESS}?tenantId=default`);
    expect([whole.status, whole.body]).toEqual([200, server.expected]);
    expect(whole.headers["content-type"]).toMatch(/^application\/scim\+json/);

    const orphans: unknown[] = [];
    let [cursor, pages]: readonly [unknown, number] = ["", 0];
    while (typeof cursor === "string") {
      const query = new URLSearchParams({ cursor, count: "300" });
      const page = await server.call("GET", `${ADDRESS}?${query.toString()}`);
      orphans.push(...[page.body["orphanedGroupMembers"]].flat());
      [cursor, pages] = [page.body["nextCursor"], pages + 1];
    }
    expect(orphans).toEqual(server.expected["orphanedGroupMembers"]);
    expect(pages).toBeGreaterThan(2);

    const foreign = await server.call("GET", `${ADDRESS}?tenantId=other`);
    expect([foreign.status, foreign.body]).toEqual([404, (await server.call("GET", "/Nothing")).body]);
  });
});
