import {
  createSchemaRegistry,
  ENTERPRISE_USER_SCHEMA,
  type JsonObject,
  USER_RESOURCE_TYPE,
  USER_SCHEMA,
} from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { RequestContext, ScimService, StoredText } from "../../src/index.ts";
import { group, user } from "../support/bodies.ts";
import { idOf } from "../support/client.ts";
import { PLAIN, testService, type TestService } from "../support/service.ts";

/** A service whose store answers text, and in it what somebody planted. */
function planting(): TestService & { planted: Partial<StoredText> } {
  const held: { planted: Partial<StoredText> } = { planted: {} };
  const tested = testService(undefined, {
    wrap: (store) => ({
      ...store,
      readText: async (scope, target, select) => {
        const stored = await store.read(scope, target, select);
        if (stored === null) return null;
        const { body, ...others } = stored;
        return { ...others, text: JSON.stringify(body), ...held.planted };
      },
    }),
  });
  return Object.assign(held, tested);
}

/** The resource of an answer as text. */
async function read(
  service: ScimService,
  context: RequestContext,
  { type = "User", id, attributes = null }: { type?: string; id: string; attributes?: string[] | null },
): Promise<JsonObject> {
  const answer = await service.read(context, { ...PLAIN, type, id, attributes, asText: true });
  if (answer.kind !== "resource" || answer.text === undefined) throw new TypeError("There is no text");
  return JSON.parse(answer.text);
}

async function readThrice(tested: TestService, request: Parameters<typeof read>[2]): Promise<void> {
  for (let times = 0; times < 3; times += 1) await read(tested.service, tested.context(), request);
}

describe("a resource that is read again and again", () => {
  test("has its text made twice, and handed out from then on", async () => {
    const tested = planting();
    const id = idOf(await tested.as().post("User", user({ title: "Dr" })));
    for (let times = 0; times < 5; times += 1)
      expect(await read(tested.service, tested.context(), { id })).toEqual(
        await tested.as().resource("User", id),
      );
    expect(tested.service.caches().texts).toEqual({ hits: 3, misses: 2 });
  });

  test("is one of many", async () => {
    const tested = planting();
    const ids: string[] = [];
    for (let n = 0; n < 900; n += 1)
      ids.push(idOf(await tested.as().post("User", user({ userName: `u-${n}` }))));
    for (let times = 0; times < 4; times += 1)
      for (const id of ids)
        expect(await read(tested.service, tested.context(), { id })).toMatchObject({ id });
    // Few share both places with others, and do not stay there.
    const { hits, misses } = tested.service.caches().texts;
    expect(hits + misses).toBe(3600);
    expect(hits).toBeGreaterThan(1700);
    expect(hits).toBeLessThanOrEqual(1800);
  });

  test("makes room for others where there are many thousands", async () => {
    const tested = planting();
    const ids: string[] = [];
    for (let n = 0; n < 5000; n += 1)
      ids.push(idOf(await tested.as().post("User", user({ userName: `u-${n}` }))));
    const readAll = async (): Promise<void> => {
      for (const id of ids) await read(tested.service, tested.context(), { id });
    };
    for (const id of ids) await readThrice(tested, { id });
    expect(tested.service.caches().texts).toEqual({ hits: 5000, misses: 10_000 });
    await readAll();
    const { hits } = tested.service.caches().texts;
    expect(hits).toBeGreaterThan(5000 + 1500);
    expect(hits).toBeLessThanOrEqual(5000 + 4096);
  });

  test("is made anew each time where it is long", async () => {
    const tested = planting();
    const id = idOf(await tested.as().post("User", user({ title: "x".repeat(4096) })));
    await readThrice(tested, { id });
    expect(tested.service.caches().texts).toEqual({ hits: 0, misses: 3 });
  });

  test.each<[what: string, planted: Partial<StoredText>, shown: JsonObject]>([
    ["its body", { text: '{"userName":"other"}' }, { userName: "other" }],
    ["its version", { version: "7.other" }, { meta: { version: 'W/"7.other"' } }],
    [
      "lastModified",
      { lastModified: "2031-01-01T00:00:00.000Z" },
      { meta: { lastModified: "2031-01-01T00:00:00.000Z" } },
    ],
    ["created", { created: "2001-01-01T00:00:00.000Z" }, { meta: { created: "2001-01-01T00:00:00.000Z" } }],
  ])("is shown as it is stored where nothing but %s differs", async (_, planted, shown) => {
    const tested = planting();
    const id = idOf(await tested.as().post("User", user()));
    await readThrice(tested, { id });
    tested.planted = planted;
    expect(await read(tested.service, tested.context(), { id })).toMatchObject(shown);
  });

  test("has the addresses of whoever asks", async () => {
    const tested = planting();
    const id = idOf(await tested.as().post("User", user()));
    await readThrice(tested, { id });
    const elsewhere = tested.context("strict", { baseUrl: "https://other.example/scim" });
    const location = `https://other.example/scim/Users/${id}`;
    expect(await read(tested.service, elsewhere, { id })).toMatchObject({ meta: { location } });
  });

  test("has the groups that it is in now (7643-4.1.2)", async () => {
    const tested = planting();
    const id = idOf(await tested.as().post("User", user()));
    await readThrice(tested, { id });
    await tested.as().post("Group", group({ displayName: "Staff", members: [{ value: id, type: "User" }] }));
    for (let times = 0; times < 3; times += 1)
      expect(await read(tested.service, tested.context(), { id })).toMatchObject({
        groups: [{ display: "Staff" }],
      });
  });

  test("is shown by the schema that holds for the tenant that asks (7643-7)", async () => {
    const tested = planting();
    const id = idOf(await tested.as().post("User", user({ title: "Dr" })));
    await readThrice(tested, { id });
    const registry = createSchemaRegistry();
    const attributes = USER_SCHEMA.attributes.map((each) =>
      each.name === "title" ? { ...each, returned: "never" } : each,
    );
    registry.addSchema({ ...USER_SCHEMA, attributes });
    registry.addSchema(ENTERPRISE_USER_SCHEMA);
    registry.addResourceType(USER_RESOURCE_TYPE);
    const adapted = tested.service.adapted({ registry });
    expect(await read(adapted, tested.context(), { id })).not.toHaveProperty("title");
    expect(await read(tested.service, tested.context(), { id })).toHaveProperty("title", "Dr");
  });

  test.each<[what: string, request: { type?: string; attributes?: string[] }]>([
    ["attributes that were asked for", { attributes: ["userName"] }],
    ["a Group with members", { type: "Group" }],
  ])("is made anew each time: %s", async (_, request) => {
    const tested = planting();
    const id = idOf(await tested.as().post("User", user()));
    const groupId = idOf(await tested.as().post("Group", group({ members: [{ value: id, type: "User" }] })));
    await readThrice(tested, { id: request.type === "Group" ? groupId : id, ...request });
    expect(tested.service.caches().texts).toEqual({ hits: 0, misses: 0 });
  });
});
