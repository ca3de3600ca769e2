import { join } from "node:path";
import { expect, test } from "vitest";
import { detectDrift, readMapping, SyncState } from "@scim/sync";
import { aClockedTarget, aFile, aFolder, aTarget, plan, run } from "./support/target.ts";

const MAPPING = `
resources:
  - { type: User, from: people, key: "{id}", match: externalId, set: { externalId: "{id}", userName: "u{id}" }, leavers: deactivate }
  - { type: Group, from: teams, key: "{id}", match: externalId, set: { externalId: "{id}", displayName: "t{id}" }, leavers: delete }
`;

const records = (name: string, ids: readonly number[]) => aFile(name, ["id", ...ids].join("\n"));

/** A target whose lists, once it is told to, hold one resource twice and another not at all: as without a fixed order. */
async function aTargetWithoutOrder() {
  const lists = new Map<string, readonly { readonly externalId?: string }[]>();
  const target = await aTarget({ cursors: false }, async (request, response, pass) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://target.example");
    const all = lists.get(pathname.split("/").at(-1) ?? "");
    if (request.method !== "GET" || all === undefined || searchParams.has("filter")) return pass();
    const listed = all.map((each) => (each.externalId === "3" ? all.find((one) => one !== each) : each));
    const start = Number(searchParams.get("startIndex") ?? 1) - 1;
    const page = listed.slice(start, start + Number(searchParams.get("count") ?? 100));
    response.writeHead(200, { "Content-Type": "application/scim+json" });
    response.end(JSON.stringify({ totalResults: all.length, startIndex: start + 1, Resources: page }));
  });
  const { client } = target;
  const loseOrder = async () => {
    lists.set("Users", await client.users.list().toArray());
    lists.set("Groups", await client.groups.list().toArray());
  };
  return { ...target, loseOrder, findOrder: () => lists.clear() };
}

test("what the pages of a target leave out is neither forgotten nor created again", async () => {
  const target = await aTargetWithoutOrder();
  const state = join(aFolder(), "state");
  const options = (users: readonly number[]) => ({
    mapping: MAPPING,
    state,
    everything: true,
    sources: { people: records("p.csv", users), teams: records("t.csv", [1, 2, 3, 4]) },
  });
  await run(target, options([1, 2, 3, 4]));
  await target.loseOrder();
  const { plan: found, report } = await run(target, options([1, 2, 4]));
  expect(found.counts).toMatchObject([
    { create: 0, deactivate: 1, unchanged: 3 },
    { create: 0, delete: 0, unchanged: 4 },
  ]);
  expect(found.notes).toMatchObject([
    expect.stringMatching(/^User: the target says that it has 4, and listed 3; /),
    expect.stringMatching(/^Group: the target says that it has 4, and listed 3; /),
  ]);
  expect(report.failures).toEqual([]);
  target.findOrder();
  expect(await target.client.groups.list().toArray()).toHaveLength(4);
  expect(await target.client.users.list({ filter: 'externalId eq "3"' }).first()).toMatchObject({
    active: false,
  });
  const { notes, steps } = await plan(target, options([1, 2, 4]));
  expect([notes, steps.length]).toEqual([[], 0]);
});

test("what a list of changes leaves out is found all the same", async () => {
  let isShort = false;
  const target = await aClockedTarget({ cursors: false }, async (request, response, pass) => {
    const isChanges = isShort && decodeURIComponent(request.url ?? "").includes("meta.lastModified ge");
    if (!isChanges || request.url?.includes("/Users") !== true) return pass();
    const [first] = changed;
    response.writeHead(200, { "Content-Type": "application/scim+json" });
    response.end(JSON.stringify({ totalResults: 2, startIndex: 1, Resources: [first, first] }));
  });
  const { client } = target;
  const options = {
    mapping: MAPPING,
    state: join(aFolder(), "state"),
    sources: { people: records("p.csv", [1, 2, 3]), teams: records("t.csv", []) },
  };
  for (let turn = 0; turn < 2; turn += 1) {
    await run(target, options);
    target.passHour();
  }
  for (const { id } of await client.users.list({ filter: 'externalId gt "1"' }).toArray())
    await client.users.patch(id, [{ op: "replace", path: "userName", value: `other ${id}` }]);
  const changed = await client.users.list({ filter: 'externalId gt "1"' }).toArray();
  isShort = true;
  expect((await run(target, options)).report).toMatchObject({ done: { update: 2 }, failures: [] });
});

test("what the pages of a target leave out has not drifted, and who is gone is", async () => {
  const target = await aTargetWithoutOrder();
  const state = join(aFolder(), "state");
  const sources = { people: records("p.csv", [1, 2, 3, 4]), teams: records("t.csv", [1, 2, 3, 4]) };
  await run(target, { mapping: MAPPING, state, sources });
  const gone = await target.client.users.list({ filter: 'externalId eq "4"' }).first();
  await target.client.users.delete(gone?.id ?? "", { version: null });
  await target.loseOrder();
  const mapping = readMapping(MAPPING, "mapping.yaml");
  const found = SyncState.read(state, target.baseUrl);
  expect(await detectDrift({ client: target.client, mapping, state: found })).toMatchObject({
    drifts: [{ type: "User", key: "4", kind: "gone" }],
    compared: 7,
  });
});
