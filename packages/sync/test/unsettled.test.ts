import { join } from "node:path";
import { expect, test } from "vitest";
import { aClockedTarget, aFile, aFolder, run, type Target } from "./support/target.ts";

const MAPPING = `
resources:
  - { type: User, from: people, key: "{id}", match: externalId, set: { externalId: "{id}", userName: "u{id}", title: "{title}" }, leavers: deactivate }
  - type: Group
    from: teams
    key: "{id}"
    match: externalId
    set: { externalId: "{id}", displayName: "t{id}" }
    references: { members: { to: User, keys: "{people | split(' ')}" } }
`;
const PEOPLE = ["1,Dr", "2,Dr"];

/** Makes a change as others do, by a filter of users. */
const changing =
  (change: Readonly<Record<string, string | boolean>>, filter: string) =>
  async ({ client }: Target): Promise<void> => {
    const found = await client.users.list({ filter }).first();
    for (const [path, value] of Object.entries(change))
      await client.users.patch(found?.id ?? "", [{ op: "replace", path, value }], { version: null });
  };

const joining = async ({ client }: Target): Promise<void> => {
  const [user, group] = [
    await client.users.list({ filter: 'userName eq "u2"' }).first(),
    await client.groups.list().first(),
  ];
  await client.groups.patch(
    group?.id ?? "",
    [{ op: "add", path: "members", value: [{ value: user?.id ?? "" }] }],
    {
      version: null,
    },
  );
};

const RETITLED = changing({ title: "Countess" }, 'userName eq "u1"');
const RETURNED = changing({ active: true }, 'userName eq "u3"');

test.each([
  ["an attribute, and the change fails", RETITLED, PEOPLE, { update: 1 }],
  ["members, and the change fails", joining, PEOPLE, { references: 1 }],
  ["who has left, and the change fails", RETURNED, PEOPLE, { deactivate: 1 }],
  ["what has a record that is wrong", RETITLED, [...PEOPLE, "1,Dr"], { update: 1 }],
  ["who has left, and not all records can be read", RETURNED, [...PEOPLE, ",Dr"], { deactivate: 1 }],
] as const)(
  "what others change is put back by the next run that can: %s",
  async (_what, change, meanwhile, done) => {
    let isFailing = false;
    const target = await aClockedTarget({}, async (request, response, pass) => {
      if (isFailing && request.method === "PATCH") response.writeHead(400).end();
      else await pass();
    });
    const state = join(aFolder(), "state");
    const teams = aFile("t.csv", "id,people\nt,1\n");
    const follow = async (lines: readonly string[]) => {
      target.passHour();
      const people = aFile("p.csv", ["id,title", ...lines].join("\n"));
      return run(target, { mapping: MAPPING, state, sources: { people, teams } });
    };
    for (const lines of [[...PEOPLE, "3,Dr"], PEOPLE, PEOPLE, PEOPLE]) await follow(lines);
    target.passHour();
    await change(target);
    isFailing = true;
    const { plan: hindered, report } = await follow(meanwhile);
    expect([...report.failures, ...hindered.faults]).toHaveLength(1);
    isFailing = false;
    const next = await follow(PEOPLE);
    expect([next.plan.reading, next.report]).toMatchObject(["changes", { done, failures: [] }]);
    await follow(PEOPLE);
    target.asked();
    expect((await follow(PEOPLE)).plan.steps).toHaveLength(0);
    expect(target.asked().filter((line) => /s\/./.test(line))).toEqual([]);
  },
);

test("who was created without a word leaves with its record, also where that fails at first", async () => {
  let [isAway, isFailing] = [false, false];
  const target = await aClockedTarget({}, async (request, response, pass) => {
    if (isFailing && request.method === "PATCH") return void response.writeHead(400).end();
    if (!isAway && request.method !== "POST") return pass();
    if (!isAway) {
      isAway = true;
      response.write = () => true;
      response.end = () => response.destroy();
      await pass();
    }
    request.socket.destroy();
  });
  const follow = (...lines: readonly string[]) => {
    target.passHour();
    const people = aFile("p.csv", ["id", ...lines].join("\n"));
    const mapping = `resources: [{ type: User, key: "{id}", match: userName, leavers: deactivate, set: { userName: "u{id}" } }]`;
    return run(target, { mapping, state, sources: { people }, beyondLimits: true });
  };
  const state = join(aFolder(), "state");
  expect((await follow("1")).report.failures).toMatchObject([{ action: "create", code: "unknownOutcome" }]);
  isAway = false;
  isFailing = true;
  expect((await follow()).report.failures).toMatchObject([{ action: "deactivate" }]);
  isFailing = false;
  const { plan: made, report } = await follow();
  expect([made.reading, report]).toMatchObject(["changes", { done: { deactivate: 1 }, failures: [] }]);
});
