/**
 * What an import of a source in no order comes to: it is written range by range of its keys, and not as it came.
 */
import { GROUP_URN, USER_URN, type JsonObject } from "@scim/schemas";
import { expect, test } from "vitest";
import { newFolder } from "../command-line/program.ts";
import { exported, importInto, operatorIn } from "./imports.ts";

const RECORDS = 7000;
const FLAGS = { "keep-ids": true, type: "User" } as const;

/** Users whose names come in no order. */
function userOf(number: number): JsonObject {
  const name = `user-${String((number * 7_368_787) % 10_000_019).padStart(8, "0")}`;
  const meta = { resourceType: "User", created: "2020-01-02T03:04:05.000Z" };
  return { schemas: [USER_URN], id: `u${number}`, userName: name, externalId: `hr-${number}`, meta };
}

const users = Array.from({ length: RECORDS }, (_, index) => userOf(index + 1));

/** Those that are known: some of each hundred, and all whose names are of the last range. */
const known = users.filter(
  ({ userName }, index) => index > 3000 && (index % 100 === 7 || String(userName) > "user-09"),
);

/** Records that have the name of a record that comes hundreds later, and is of a user who is not known. */
const earlier = users.flatMap((_, index) => {
  if (index % 500 !== 199) return [];
  const user = users.find((each, place) => place > index + 300 && !known.includes(each));
  return user === undefined ? [] : [{ before: index, user }];
});

/** The source. */
const records = users.flatMap((user, index) => {
  const others = earlier.filter(({ before }) => before === index);
  return [
    ...(index % 500 === 99 ? ["broken"] : []),
    ...others.map((each) => JSON.stringify({ ...each.user, id: `x${index}`, externalId: `x-${index}` })),
    JSON.stringify(user),
  ];
});

const jsonLines = (bodies: readonly JsonObject[]): string =>
  bodies.map((body) => JSON.stringify(body)).join("\n");

test("of a source in no order the first record of a key counts, and known users are replaced", async () => {
  const [folder, other] = [newFolder(), newFolder()];
  const operator = await operatorIn(folder);
  const before = known.map((user) => ({ ...user, title: "before" }));
  await importInto(operator, { folder, name: "before.jsonl", content: jsonLines(before), flags: FLAGS });
  const content = records.join("\n");
  const { summary, rejected } = await importInto(operator, {
    folder,
    name: "u.jsonl",
    content,
    flags: FLAGS,
  });

  expect(earlier.length).toBeGreaterThan(10);
  const broken = records.filter((record) => record === "broken").length;
  expect(summary).toMatchObject({
    records: records.length,
    created: RECORDS - known.length,
    replaced: known.length,
    unchanged: 0,
    rejected: broken + earlier.length,
  });
  const told = rejected.filter(({ scimType }) => scimType === "uniqueness");
  expect(told.map(({ record }) => JSON.parse(records[record - 1] ?? ""))).toEqual(
    earlier.map(({ user }) => user),
  );

  // Each one after the other, in their order.
  const expected = users.flatMap((user) => {
    const first = earlier.find((each) => each.user === user);
    return [
      first === undefined ? user : { ...user, id: `x${first.before}`, externalId: `x-${first.before}` },
    ];
  });
  const calm = await operatorIn(other);
  const ordered = expected.toSorted((one, two) =>
    String(one["userName"]) < String(two["userName"]) ? -1 : 1,
  );
  await importInto(calm, { folder: other, name: "u.jsonl", content: jsonLines(ordered), flags: FLAGS });
  expect(await exported(operator)).toBe(await exported(calm));
});

/** Somebody who is known, with another name in the source than before. */
function renamed(
  id: string,
  from: string,
  to: string,
): { readonly before: JsonObject; readonly after: JsonObject } {
  const of = (userName: string): JsonObject => ({ schemas: [USER_URN], id, userName });
  return { before: of(from), after: of(to) };
}

/** Who takes a name that the one before gives up, and who takes one before it is given up: of the first and the last range. */
const handed = [
  renamed("p1", "user-00000001", "user-099999991"),
  renamed("p2", "user-099999992", "user-00000001"),
  renamed("q1", "user-099999993", "user-00000003"),
  renamed("q2", "user-00000004", "user-099999993"),
];
const tooSoon = [
  renamed("r1", "user-00000005", "user-099999996"),
  renamed("r2", "user-099999996", "user-00000007"),
];

test.each([
  ["of one group each", 6500, []],
  // Looked for at once, while those before it are gathered.
  [
    "before and behind a record that is never gathered",
    3510,
    [{ schemas: [GROUP_URN], id: "g", displayName: "g", members: [{ value: "p1" }] }],
  ],
])(
  "names that are given up and taken %s come to what they would come to one after another",
  async (_, place, between) => {
    const folder = newFolder();
    const operator = await operatorIn(folder);
    const people = [...handed, ...tooSoon];
    const before = people.map((each) => each.before);
    const flags = { "keep-ids": true };
    await importInto(operator, { folder, name: "before.jsonl", content: jsonLines(before), flags });
    const [first, ...others] = people.map((each) => each.after);
    // So far behind that it is read by itself.
    const source = users
      .toSpliced(place + 150, 0, ...between, ...others)
      .toSpliced(place, 0, ...(first === undefined ? [] : [first]));
    const { summary, rejected } = await importInto(operator, {
      folder,
      name: "u.jsonl",
      content: jsonLines(source),
      flags,
    });
    expect(rejected.map(({ record }) => source[record - 1])).toEqual([tooSoon[0]?.after]);
    expect(summary).toMatchObject({
      created: RECORDS + between.length,
      replaced: people.length - 1,
      unchanged: 0,
    });
  },
);
