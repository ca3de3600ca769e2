import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { ENTERPRISE } from "../over-http/client.ts";
import { useInProcess } from "../over-http/use-server.ts";

const client = useInProcess();
let made = 0;

const newUser = (members: JsonObject) => client.user({ userName: `user-${(made += 1)}`, ...members });

describe("values are kept as they were sent", () => {
  const mail = { value: " B.Jensen@EXAMPLE.com ", type: "work" };
  test.each<[string, JsonObject]>([
    ["R7643-4.1-07, R7643-2.4-06 a mail address", { emails: [mail] }],
    ["R7643-4.1-07, R7643-2.4-06 a telephone number", { phoneNumbers: [{ value: "(201) 555-0123" }] }],
    ["R7643-4.1-07, R7643-2.4-06 a chat address", { ims: [{ value: "Some One", type: "xmpp" }] }],
    ["R7643-4.1-08 a country of three letters", { addresses: [{ country: "USA", type: "work" }] }],
    ["R7643-4.1-11 a language tag with an underscore", { locale: "en_US" }],
    ["R7643-2.3.1-02, A-SCH-04 a type beyond the canonical ones", { emails: [{ ...mail, type: "boat" }] }],
    ["R7643-2.4-04 display, which clients set in a User", { emails: [{ ...mail, display: "Mail" }] }],
    ["R7644-3.8-01 text beyond ASCII", { displayName: "Bärbel 石 😀 \u202e\u00a0" }],
  ])("%s", async (_, members) => {
    const user = await newUser(members);
    expect(user.body).toMatchObject(members);
    expect((await client.call("GET", user.path)).body).toMatchObject(members);
  });

  test("R7643-2.4-04 display can be changed", async () => {
    const user = await newUser({ emails: [{ ...mail, display: "old" }] });
    const answer = await client.patch(user.path, [
      { op: "replace", path: 'emails[type eq "work"].display', value: "new" },
    ]);
    expect(answer.body["emails"]).toEqual([{ ...mail, display: "new" }]);
  });
});

describe("multi-valued attributes", () => {
  test.each(["emails", "phoneNumbers", "ims", "entitlements", "roles"])(
    "R7643-2.4-01, R7643-2.4-02 %s has value, type, display and primary, and one value is primary",
    async (name) => {
      const first = { value: "a", type: "other", display: "A", primary: true };
      const second = { value: "b", type: "work", display: "B" };
      const user = await newUser({ [name]: [first, second] });
      expect(user.body[name]).toEqual([first, second]);
      const answer = await client.patch(user.path, [
        { op: "replace", path: `${name}[value eq "b"].primary`, value: true },
      ]);
      expect(answer.body[name]).toEqual([
        { ...first, primary: false },
        { ...second, primary: true },
      ]);
    },
  );
});

describe("references", () => {
  test("R7643-2.3.7-03 every reference that is answered can be followed", async () => {
    const manager = await newUser({});
    const user = await newUser({ [ENTERPRISE]: { manager: { value: manager.id } } });
    const inner = await client.group({ displayName: "inner", members: [{ value: user.id, type: "User" }] });
    const outer = await client.group({ displayName: "outer", members: [{ value: inner.id, type: "Group" }] });
    const bodies = [user, inner, outer].map(({ path }) => client.call("GET", path));
    const text = JSON.stringify((await Promise.all(bodies)).map(({ body }) => body));
    const addresses = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, address]) => address ?? "");
    expect(new Set(addresses).size).toBe(3);
    const base = client.server.origin + client.server.base;
    for (const address of addresses) {
      expect(address.startsWith(`${base}/`)).toBe(true);
      const answer = await client.call("GET", address.slice(base.length));
      expect(answer.body["meta"]).toMatchObject({ location: address });
    }
  });

  test("R7644-7-05, R7643-2.4-05 external references are kept, and a $ref of a client is made anew", async () => {
    const outside = "http://127.0.0.1:1/never-asked-for";
    const user = await newUser({
      profileUrl: outside,
      photos: [{ value: outside, type: "photo" }],
      [ENTERPRISE]: { manager: { value: "boss", $ref: `${outside}/Users/boss` } },
    });
    expect(user.body).toMatchObject({ profileUrl: outside, photos: [{ value: outside }] });
    expect(user.body[ENTERPRISE]).toEqual({
      manager: { value: "boss", $ref: `${client.server.origin}${client.server.base}/Users/boss` },
    });
  });
});

describe("members", () => {
  test("A-GRP-02 display is kept as sent, and none is made", async () => {
    const named = await newUser({ displayName: "Babs" });
    const unnamed = await newUser({ displayName: "Mandy" });
    const { path } = await client.group({
      displayName: "displayed",
      members: [{ value: named.id, type: "User", display: "somebody" }, { value: unnamed.id }],
    });
    const { body } = await client.call("GET", path);
    expect(body["members"]).toMatchObject([{ value: named.id, display: "somebody" }, { value: unnamed.id }]);
    expect(body).not.toHaveProperty("members.1.display");
  });
});

describe("the enterprise extension", () => {
  test("R7643-4.3-01 it has six attributes; the manager's displayName is the service's", async () => {
    const values = {
      employeeNumber: "701984",
      costCenter: "4130",
      organization: "Universal Studios",
      division: "Theme Park",
      department: "Tour Operations",
    };
    const manager = { value: "26118915", displayName: "John Smith" };
    const user = await newUser({ [ENTERPRISE]: { ...values, manager } });
    expect(user.body[ENTERPRISE]).toMatchObject({ ...values, manager: { value: "26118915" } });
    expect(user.body[ENTERPRISE]).not.toHaveProperty("manager.displayName");
    const answer = await client.patch(user.path, [
      { op: "add", path: `${ENTERPRISE}:manager.displayName`, value: "Jane" },
    ]);
    expect(answer.body).toMatchObject({ status: "400", scimType: "mutability" });
  });
});

describe("user names", () => {
  test.each(["Bob Smith", "bob+1@example.com", "名前", "o'neil", "a/b?c#d", "$dollar%"])(
    "R7644-5-02 '%s' is accepted, kept and found",
    async (userName) => {
      const user = await newUser({ userName });
      expect(user.body["userName"]).toBe(userName);
      const filter = encodeURIComponent(`userName eq "${userName.toUpperCase()}"`);
      const { body } = await client.call("GET", `/Users?filter=${filter}`);
      expect(body).toMatchObject({ totalResults: 1, Resources: [{ id: user.id }] });
    },
  );

  test.each([
    ["full width", "ｗｉｄｅ", "Wide"],
    ["decomposed", "re\u0301sume\u0301", "r\u00e9sum\u00e9"],
    ["letter case", "MiXeD", "mIxEd"],
  ])("R7644-5-01 prepared before they are compared: %s", async (_, first, second) => {
    await newUser({ userName: first });
    const filter = encodeURIComponent(`userName eq "${second}"`);
    expect((await client.call("GET", `/Users?filter=${filter}`)).body["totalResults"]).toBe(1);
    await expect(newUser({ userName: second })).rejects.toThrow(/answered 409/);
  });
});
