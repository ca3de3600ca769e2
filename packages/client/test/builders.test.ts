import { createScimClient, field, type FilterExpression, type ScimClient } from "@scim/client";
import { createInProcessTransport } from "@scim/client/in-process";
import { parseFilter } from "@scim/filter";
import { printFilter } from "@scim/filter/ast";
import { ENTERPRISE_USER_URN, type PatchOperation } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { scripted } from "./support/scripted.ts";
import { aService, TOKEN } from "./support/service.ts";

type Users = ScimClient["users"];
type UserFilter = Extract<
  NonNullable<NonNullable<Parameters<Users["page"]>[0]>["filter"]>,
  (fields: never) => FilterExpression
>;
type UserPatch = Extract<Parameters<Users["patch"]>[1], (patch: never) => unknown>;

describe("filters", () => {
  test.each<readonly [string, UserFilter]>([
    ['userName eq "x" and active eq true', (f) => f.userName.eq("x").and(f.active.eq(true))],
    ['userName sw "a" or userName ew "z"', (f) => f.userName.sw("a").or(f.userName.ew("z"))],
    [
      '(userName co "a" or title pr) and not (active ne false)',
      (f) => f.userName.co("a").or(f.title.pr()).and(f.active.ne(false).not()),
    ],
    ['name.familyName gt "M" and name pr', (f) => f.name.familyName.gt("M").and(f.name.pr())],
    [
      'emails[type eq "work" and value ew "@x.org"]',
      (f) => f.emails.where((email) => email.type.eq("work").and(email.value.ew("@x.org"))),
    ],
    ["emails.primary eq true", (f) => f.emails.primary.eq(true)],
    ['meta.lastModified ge "2026-01-01T00:00:00Z"', (f) => f.meta.lastModified.ge("2026-01-01T00:00:00Z")],
    [
      'userName le "b" and userName lt "c" and userName ne null',
      (f) => f.userName.le("b").and(f.userName.lt("c"), f.userName.ne(null)),
    ],
    [
      `${ENTERPRISE_USER_URN}:department eq "a\\"b\\\\"`,
      (f) => f[ENTERPRISE_USER_URN].department.eq('a"b\\'),
    ],
    [`${ENTERPRISE_USER_URN}:manager.value eq "1"`, (f) => f[ENTERPRISE_USER_URN].manager.value.eq("1")],
  ])("%s", async (text, build) => {
    const { client, requests } = scripted([{ body: { totalResults: 0 } }]);
    await client.users.page({ filter: build });
    const sent = new URL(requests[0]?.path ?? "", "https://id.example").searchParams.get("filter") ?? "";
    expect(sent).toBe(text);
    expect(printFilter(parseFilter(sent))).toBe(text);
  });

  test("of a type that is known at run time are built of paths", () => {
    const built = field("serial").sw("47").and(field("urn:example:Device:seen").pr());
    expect(String(built)).toBe('serial sw "47" and urn:example:Device:seen pr');
    expect(String(field("emails").where(field("primary").eq(true)))).toBe("emails[primary eq true]");
    expect(() => field("a b")).toThrow(TypeError);
    expect(() => field("floor").eq(Number.NaN)).toThrow(TypeError);
  });

  test("find what they say, also by POST", async () => {
    const client = createScimClient({
      baseUrl: "https://id.example/scim/v2",
      auth: TOKEN,
      transport: createInProcessTransport(aService()),
    });
    const emails = [{ type: "work", value: "a@x.org" }];
    const ada = await client.users.create({ userName: "ada", emails });
    await client.users.create({ userName: "eve", emails: [{ type: "home", value: "a@x.org" }] });
    const filter: UserFilter = (f) => f.emails.where((e) => e.type.eq("work").and(e.value.eq("A@X.org")));
    expect(await client.users.list({ filter }).toArray()).toEqual([ada]);
    expect(await client.users.search({ filter, sortBy: "userName" }).toArray()).toEqual([ada]);
    const patched = await client.users.patch(ada, (p) =>
      p
        .values("emails", (email) => email.type.eq("work"))
        .set("value", "b@x.org")
        .add("emails", [{ value: "c@x.org" }])
        .replace(`${ENTERPRISE_USER_URN}:department`, "Sales"),
    );
    expect(patched).toMatchObject({
      emails: [{ type: "work", value: "b@x.org" }, { value: "c@x.org" }],
      [ENTERPRISE_USER_URN]: { department: "Sales" },
    });
  });
});

test.each<readonly [readonly PatchOperation[], UserPatch]>([
  [[{ op: "replace", path: "active", value: false }], (p) => p.replace("active", false)],
  [
    [
      { op: "add", path: "name.givenName", value: "A" },
      { op: "remove", path: "title" },
    ],
    (p) => p.add("name.givenName", "A").remove("title"),
  ],
  [
    [{ op: "remove", path: 'emails[value ew "@x.org"]' }],
    (p) => p.values("emails", (e) => e.value.ew("@x.org")).remove(),
  ],
  [
    [{ op: "remove", path: 'emails[type eq "work"].display' }],
    (p) => p.values("emails", (e) => e.type.eq("work")).remove("display"),
  ],
  [
    [{ op: "replace", path: `${ENTERPRISE_USER_URN}:manager.value`, value: "1" }],
    (p) => p.replace(`${ENTERPRISE_USER_URN}:manager.value`, "1"),
  ],
])("the operations %j are built", async (operations, build) => {
  const { client, requests } = scripted([{ status: 204 }]);
  expect(await client.users.patch("1", build)).toBeNull();
  expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({ Operations: operations });
});

test.each<readonly [string, (client: ScimClient, refuse: () => FilterExpression) => Promise<unknown>]>([
  ["patch", (client, refuse) => client.users.patch("1", (p) => p.values("emails", refuse).remove())],
  ["page", (client, refuse) => client.users.page({ filter: refuse })],
])("what a builder refuses, the promise of %s rejects with", async (_what, act) => {
  const { client, requests } = scripted([{ status: 204 }]);
  const outcome = act(client, () => field("level").eq(Number.NaN));
  await expect(outcome).rejects.toMatchObject({ code: "invalidInput" });
  expect(requests).toEqual([]);
});
