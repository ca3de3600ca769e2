import { isJsonObject, type JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import { ENTERPRISE, PATCH_OP, SEARCH_REQUEST, USER } from "../over-http/client.ts";
import { ENGINES } from "../over-http/engines.ts";
import { exchange, textMember } from "../over-http/exchange.ts";
import { startInProcess, type InProcessServer } from "../over-http/in-process.ts";
import { admin, ADMIN_TOKEN, logged } from "./admin.ts";

/** What no log may show of Ines. */
const PERSONAL = [
  "ines.okafor",
  "corp.example",
  "Okafor",
  "Ines",
  "+1-201-555-0123",
  "emp-4711",
  "Tr0ub4dor",
  "shoe size",
  "44",
] as const;

const INES = {
  userName: "ines.okafor@corp.example",
  externalId: "emp-4711",
  name: { givenName: "Ines", familyName: "Okafor" },
  emails: [{ type: "work", value: "ines.okafor@corp.example", primary: true }],
  phoneNumbers: [{ type: "mobile", value: "+1-201-555-0123" }],
  password: "Tr0ub4dor&3",
  [ENTERPRISE]: { employeeNumber: "emp-4711", manager: { value: "ines.okafor" } },
  "shoe size of Ines": 44,
} as const;

/** Sends requests of every form, with personal values wherever a client can put one. Resolves to how many. */
async function provision(server: InProcessServer): Promise<{ readonly id: string; readonly sent: number }> {
  const { id, path } = await server.user(INES);
  const literal = encodeURIComponent('userName eq "INES.OKAFOR@corp.example" and emails[type eq "work"]');
  const requests: readonly (readonly [string, string, JsonObject?])[] = [
    ["PATCH", path, patch([{ op: "Replace", path: "active", value: "False" }])],
    [
      "PATCH",
      path,
      patch([{ op: "add", path: 'emails[value eq "ines.okafor@corp.example"].display', value: "Ines" }]),
    ],
    ["PATCH", path, patch([{ op: "add", path: "favourite[Ines Okafor", value: "Okafor" }])],
    ["PATCH", path, patch([{ op: "replace", value: { "name.familyName": "Okafor", nickName: "Ines" } }])],
    ["GET", `/Users?filter=${literal}&attributes=userName`],
    ["GET", `/Users?filter=${encodeURIComponent("userName is Ines Okafor")}`],
    ["GET", `/Users?filter=${encodeURIComponent("urn:x:ines.okafor@corp.example:y pr")}`],
    ["GET", `/Users?filter=${encodeURIComponent("emails[urn:x:ines.okafor@corp.example:y[a pr]]")}`],
    ["POST", "/Users/.search", { schemas: [SEARCH_REQUEST], filter: 'displayName sw "Ines"' }],
    ["GET", "/Users/ines.okafor"],
    ["POST", "/Users", { schemas: [USER], ...INES }],
    ["PUT", path, { schemas: [USER], userName: "ines.okafor@corp.example", title: "Ines" }],
    ["POST", "/Users", { schemas: [USER], userName: 44, name: "Okafor" }],
    [
      "POST",
      "/Bulk",
      {
        schemas: ["urn:ietf:params:scim:api:messages:2.0:BulkRequest", "Ines"],
        Operations: [
          {
            method: "POST",
            path: "/Users",
            bulkId: "ines.okafor",
            data: { schemas: [USER], userName: "Okafor" },
          },
          {
            method: "PATCH",
            path: "/Users/ines.okafor",
            data: patch([{ op: "add", value: { title: "Ines" } }]),
          },
        ],
      },
    ],
    ["GET", "/Schemas"],
    ["DELETE", path],
  ];
  for (const [method, address, body] of requests) {
    await server.call(method, address, body === undefined ? {} : { body });
  }
  return { id, sent: requests.length + 1 };
}

function patch(Operations: readonly JsonObject[]): JsonObject {
  return { schemas: [PATCH_OP], Operations };
}

describe.each(ENGINES)("the request log on $name", (engine) => {
  test("tells what was sent and why it was answered so, and holds nothing of a person", async () => {
    const database = await engine.make();
    const server = await startInProcess({ ...database.environment, SCIM_ADMIN_TOKEN: ADMIN_TOKEN });
    const { id, sent } = await provision(server);
    const entries = await logged(server, sent);
    expect(entries).toHaveLength(sent);

    const rows = await database.query("SELECT * FROM request_log");
    const text = JSON.stringify([rows, await database.query("SELECT * FROM request_runs")]);
    expect(
      PERSONAL.filter((each) => each !== "44" && text.toLowerCase().includes(each.toLowerCase())),
    ).toEqual([]);
    expect(text).not.toContain("Bearer");

    const [created, deactivated] = entries.toReversed();
    expect(created).toMatchObject({
      connection: "default",
      method: "POST",
      target: "/Users",
      status: 201,
      type: "User",
      resource: id,
      body: { json: { password: "~withheld", emails: [{ type: "work", primary: true }] } },
    });
    const shown = isJsonObject(created?.["body"]) ? created["body"]["json"] : null;
    const answered = isJsonObject(created?.["answer"]) ? created["answer"]["json"] : null;
    expect(isJsonObject(shown) && isJsonObject(answered) && shown["userName"] === answered["userName"]).toBe(
      true,
    );
    expect(deactivated).toMatchObject({
      explained: ['default sent active as the string "False"; switch string-booleans read it as false.'],
      body: { json: { Operations: [{ op: "Replace", path: "active", value: "False" }] } },
    });
    const words = entries.flatMap((entry) => entry["explained"]);
    expect(words).toContainEqual(
      expect.stringMatching(/^Refused with 400: .+ Rule: invalidPath, RFC 7644 §3\.5\.2\. To change: /),
    );
    expect(words).toContainEqual(expect.stringMatching(/^Refused with 409: .+ Rule: uniqueness, /));
    expect(words).toContainEqual(
      expect.stringMatching(/^Operations\[1\] of the bulk job \(PATCH\) failed\. Rule: notFound/),
    );

    const failed = await admin(server, "/requests?status=failed&limit=1000");
    expect(failed.body["requests"]).toEqual(entries.filter(({ status }) => Number(status) >= 400));
    const one = await admin(server, `/requests/${String(created?.["id"])}`);
    expect(one.body).toEqual(created);
    expect((await admin(server, "/requests/no-such")).status).toBe(404);
    expect((await admin(server, "/requests?status=odd")).status).toBe(400);
  });

  test("tells of a request at /Me what it tells of one at the permanent address", async () => {
    const database = await engine.make();
    const server = await startInProcess({ ...database.environment, SCIM_ADMIN_TOKEN: ADMIN_TOKEN });
    const { id } = await server.user(INES);
    const made = await admin(server, "/connections/default/tokens", {
      method: "POST",
      body: JSON.stringify({ subject: id }),
    });
    const Operations = [{ op: "replace", path: "active", value: "False" }];
    const answer = await exchange(server.origin, {
      method: "PATCH",
      path: "/scim/v2/Me",
      headers: {
        authorization: `Bearer ${textMember(made.body, "token")}`,
        "content-type": "application/scim+json",
      },
      body: JSON.stringify(patch(Operations)),
    });
    expect(answer.status).toBe(200);
    expect((await logged(server, 2))[0]).toMatchObject({
      route: "/Me",
      type: "User",
      resource: id,
      body: { json: { Operations } },
      explained: ['default sent active as the string "False"; switch string-booleans read it as false.'],
    });
  });

  test("groups requests into runs, and tells what a run changed", async () => {
    const database = await engine.make();
    const server = await startInProcess({ ...database.environment, SCIM_ADMIN_TOKEN: ADMIN_TOKEN });
    const { path } = await server.user(INES);
    const group = await server.group({ displayName: "Team" });
    await server.patch(path, [
      { op: "replace", path: "active", value: false },
      { op: "replace", path: "title", value: "Chief" },
    ]);
    await server.patch(group.path, [{ op: "add", path: "members", value: [{ value: "u1" }] }]);
    const entries = await logged(server, 4);
    const [run, ...others] = (await admin(server, "/runs")).body["runs"] as readonly JsonObject[];
    expect(others).toEqual([]);
    expect(run).toMatchObject({ connection: "default", requests: 4, failed: 0, skipped: 0 });
    const address = `/runs/${String(run?.["run"])}`;
    // Events have a position some moments after their change.
    let changes: readonly JsonObject[] = [];
    await eventually(async () => {
      changes = (await admin(server, address)).body["changes"] as readonly JsonObject[];
      expect(changes).toHaveLength(4);
    });
    expect(changes).toMatchObject([
      { kind: "created", type: "User" },
      { kind: "created", type: "Group" },
      { kind: "patched", changes: [{ path: "active", after: { value: false } }, { path: "title" }] },
      { kind: "patched", changes: [], collections: [{ path: "members", added: ["u1"] }] },
    ]);
    expect(JSON.stringify(changes)).not.toContain("Okafor");
    // A value has one pseudonym, in what was sent and in what it changed.
    const [, title] = (changes[2]?.["changes"] ?? []) as readonly {
      readonly after: { readonly hash: string };
    }[];
    const patched = entries.find((entry) => entry["requestId"] === changes[2]?.["requestId"]);
    expect(JSON.stringify(patched?.["body"])).toContain(`"value":"${title?.after.hash}"`);
    // An administrator of the identity provider knows the id in X-Request-Id alone.
    const quoted = await admin(server, `/requests/${String(patched?.["requestId"])}`);
    expect(quoted.body["id"]).toBe(patched?.["id"]);
    expect((await admin(server, "/runs/no-such")).status).toBe(404);
    const places = changes.map(({ position }) => position);
    for (const [query, shown, more] of [
      ["limit=3", [0, 1, 2], true],
      [`since=${String(places[2])}&limit=3`, [3], false],
      ["since=0&limit=1", [0], true],
      [`since=${String(places[3])}`, [], false],
    ] as const) {
      const { body } = await admin(server, `${address}?${query}`);
      const next = places[shown.at(-1) ?? 3];
      expect(body, query).toEqual({ ...run, changes: shown.map((at) => changes[at]), next, more });
    }
    for (const [query, detail] of [
      ["limit=0", "'limit'"],
      ["since=5", "the last is 4"],
      ["after=1", "takes since, limit"],
    ] as const) {
      const refused = await admin(server, `${address}?${query}`);
      expect([refused.status, refused.body["detail"]], query).toEqual([400, expect.stringContaining(detail)]);
    }
  });
});

test("a server that is told so logs no requests", async () => {
  const server = await startInProcess({
    SCIM_DATABASE_URL: "sqlite::memory:",
    SCIM_ADMIN_TOKEN: ADMIN_TOKEN,
    SCIM_REQUESTS_LOG: "off",
  });
  await server.user({ userName: "anna" });
  expect((await admin(server, "/requests")).body).toEqual({ requests: [], next: null });
});
