import { join } from "node:path";
import { expect, test } from "vitest";
import { detectDrift, readMapping, StateError, SyncState } from "@scim/sync";
import { aFile, aFolder, aTarget, run } from "./support/target.ts";

const MAPPING = `
resources:
  - { type: User, from: people, key: "{id}", match: externalId, set: { externalId: "{id}", userName: "u{id}", title: "{title}" }, leavers: deactivate }
  - type: Group
    from: teams
    key: "{id}"
    match: externalId
    set: { externalId: "{id}", displayName: "{id}" }
    references: { members: { to: User, keys: "{people | split(' ')}" } }
`;

test("drift tells what was changed in the target since, and what was not", async () => {
  const target = await aTarget();
  const state = join(aFolder(), "state");
  const teams = aFile("teams.csv", "id,people\nteam,1 2\nother,3");
  const people = (count: number) =>
    aFile("p.csv", ["id,title", ...Array.from({ length: count }, (_, at) => `${at + 1},Dr`)].join("\n"));
  const options = { mapping: MAPPING, state };
  const mapping = readMapping(MAPPING, "mapping.yaml");
  const drift = () =>
    detectDrift({ client: target.client, mapping, state: SyncState.read(state, target.baseUrl) });
  await expect(drift()).rejects.toThrow(StateError);
  await run(target, { ...options, sources: { people: people(6), teams } });
  await run(target, { ...options, sources: { people: people(5), teams } });
  expect(await drift()).toEqual({ drifts: [], compared: 8 });

  const { client } = target;
  const [one, two, three, , , six] = await client.users.list({ sortBy: "userName" }).toArray();
  const team = await client.groups.list({ filter: 'displayName eq "team"' }).first();
  if (one === undefined || two === undefined || three === undefined || six === undefined || team === null)
    throw new Error("They are missing");
  await client.users.update(one, (user) => ({ ...user, title: "Countess", nickName: "not owned" }));
  await client.users.delete(two.id, { version: null });
  await client.users.update(six, (user) => ({ ...user, active: true }));
  await client.groups.patch(team.id, [
    { op: "add", path: "members", value: [{ value: three.id }] },
    { op: "remove", path: `members[value eq "${two.id}"]` },
  ]);
  const { drifts } = await drift();
  expect(drifts.toSorted((a, b) => a.kind.localeCompare(b.kind))).toMatchObject([
    { type: "User", key: "6", kind: "active" },
    { type: "User", key: "1", kind: "changed", changes: [{ path: "title", from: "Countess", to: "Dr" }] },
    { type: "User", key: "2", kind: "gone", id: two.id },
    {
      type: "Group",
      key: "team",
      kind: "members",
      references: {
        added: { count: 1, shown: [{ id: three.id, key: "3" }] },
        removed: { count: 1, shown: [{ id: two.id, key: "2" }] },
      },
    },
  ]);

  const { report } = await run(target, { ...options, sources: { people: people(5), teams } });
  expect(report).toMatchObject({
    done: { create: 1, update: 1, deactivate: 1, references: 1 },
    failures: [],
  });
  expect((await drift()).drifts).toEqual([]);
});
