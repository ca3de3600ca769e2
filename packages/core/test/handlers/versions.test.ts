import { createHash } from "node:crypto";
import { createDefaultRegistry } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import {
  createHandlerStore,
  createProfile,
  type HandledResource,
  type ResourceHandler,
} from "../../src/index.ts";
import { canonicalJson } from "../../src/handlers/canonical-json.ts";
import { contentVersion } from "../../src/handlers/content-version.ts";
import { createMemoryHandler, type MemoryHandlerOptions } from "../../src/testing/index.ts";
import { group, metaOf, user } from "../support/bodies.ts";
import { jobRunner, post } from "../support/bulk.ts";
import { idOf } from "../support/client.ts";
import { handledStore } from "../support/handled-store.ts";
import { refusal } from "../support/refusal.ts";
import { testService, type TestService } from "../support/service.ts";
import { testSources } from "../support/sources.ts";

const REGISTRY = createDefaultRegistry();

function handled(
  memory: MemoryHandlerOptions,
  handlers: Readonly<Record<string, ResourceHandler>> = {},
): TestService {
  return testService(undefined, { wrap: () => handledStore(REGISTRY, { memory, handlers }) });
}

const ifMatch = (...versions: readonly string[]): object => ({
  precondition: { ifMatch: versions, ifNoneMatch: null },
});

describe("RFC 8785 canonical JSON", () => {
  test.each([
    ['{"b":1,"a":[true,null,"x"]}', '{"a":[true,null,"x"],"b":1}'],
    ['{"\\u20ac":1,"\\r":2,"\\ud83d\\ude00":3,"1":4}', '{"\\r":2,"1":4,"€":1,"😀":3}'],
    ["[333333333.33333329,1E30,4.50,2e-3,1e-27]", "[333333333.3333333,1e+30,4.5,0.002,1e-27]"],
    ['{"":{},"a":[]}', '{"":{},"a":[]}'],
  ])("%s", (text, canonical) => {
    expect(canonicalJson(JSON.parse(text) as never)).toBe(canonical);
  });

  test("a version is the first 16 bytes of its SHA-256, as base64url", () => {
    const digest = (text: string): string => createHash("sha256").update(text).digest("base64url");
    const bytes = createHash("sha256").update('{"a":1}').digest().subarray(0, 16);
    expect(contentVersion({ digest }, { a: 1 })).toBe(bytes.toString("base64url"));
  });
});

describe.each<["own" | "content"]>([["own"], ["content"]])("a handler with %s versions", (versions) => {
  test("R7644-3.14-01 tells them, and takes only the present one", async () => {
    const client = handled({ versions }).as("strict");
    const made = await client.post("User", user({ userName: "a" }));
    const id = idOf(made);
    expect(await client.get("User", id)).toEqual(made);
    const next = await client.put("User", id, user({ userName: "b" }), ifMatch(made.version));
    expect(next.version).not.toBe(made.version);
    const late = await refusal(client.put("User", id, user({ userName: "c" }), ifMatch(made.version)));
    expect(late).toMatchObject({ answer: "412", members: { currentVersion: next.version } });
    expect((await refusal(client.delete("User", id, ifMatch(made.version)))).answer).toBe("412");
    await client.delete("User", id, ifMatch(next.version));
  });

  test("of two changes of one version at the same time one is refused", async () => {
    const client = handled({ versions }).as("strict");
    const made = await client.post("User", user({ userName: "a" }));
    const put = (title: string): Promise<unknown> =>
      client.put("User", idOf(made), user({ userName: "a", title }), ifMatch(made.version));
    const results = await Promise.allSettled([put("x"), put("y")]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  test("a race that the handler finds out is 412 with a version, and planned again without", async () => {
    const racing = racingHandler(createMemoryHandler({ versions }));
    const client = handled({}, { User: racing.handler }).as("strict");
    const made = await client.post("User", user({ userName: "a" }));
    racing.lose(1);
    const refused = await refusal(
      client.put("User", idOf(made), user({ userName: "b" }), ifMatch(made.version)),
    );
    expect(refused.answer).toBe("412");
    racing.lose(2);
    const { resource } = await client.put("User", idOf(made), user({ userName: "b" }));
    expect(resource).toMatchObject({ userName: "b" });
    racing.lose(64);
    expect((await refusal(client.delete("User", idOf(made)))).answer).toBe("503");
  });
});

/** A handler that says `conflict` to its next changes. */
function racingHandler(handler: ResourceHandler): {
  readonly handler: ResourceHandler;
  readonly lose: (races: number) => void;
} {
  let races = 0;
  const isLost = (): boolean => (races -= 1) >= 0;
  return {
    lose: (count) => {
      races = count;
    },
    handler: {
      ...handler,
      replace: (context, change) => (isLost() ? "conflict" : handler.replace(context, change)),
      delete: (context, deletion) => (isLost() ? "conflict" : handler.delete(context, deletion)),
    },
  };
}

describe("versions of content", () => {
  function fixed(first: HandledResource, second: HandledResource): ResourceHandler {
    let calls = 0;
    const get = (): HandledResource => ((calls += 1) === 1 ? first : second);
    return { ...createMemoryHandler({ versions: "content" }), get };
  }

  async function versions(first: HandledResource, second: HandledResource): Promise<readonly string[]> {
    const handlers = { Group: fixed(first, second) };
    const store = createHandlerStore({ registry: REGISTRY, sources: testSources(), handlers });
    const read = (): Promise<string | undefined> =>
      store
        .read({ tenant: "t", connection: "c" }, { type: "Group", id: "g" }, { collections: [], inverses: [] })
        .then((stored) => stored?.version);
    return [String(await read()), String(await read())];
  }

  const members = (...values: readonly string[]): HandledResource => ({
    id: "g",
    attributes: { displayName: "g", members: values.map((value) => ({ value })) },
  });

  test.each<[string, boolean, HandledResource, HandledResource]>([
    ["references in another order", true, members("a", "b"), members("b", "a")],
    ["another reference", false, members("a"), members("b")],
    ["another name", false, members(), { id: "g", attributes: { displayName: "h" } }],
    [
      "empty values",
      true,
      members(),
      { id: "g", attributes: { displayName: "g", members: [], externalId: null } },
    ],
    ["dates", true, members(), { ...members(), created: "2026-01-01T00:00:00Z" }],
  ])("%s: the same is %s", async (_, same, first, second) => {
    const [before, after] = await versions(first, second);
    expect(before).toMatch(/^[A-Za-z0-9_-]{21}[AQgw]$/);
    expect(before === after).toBe(same);
  });
});

describe("a handler that compares no versions", () => {
  const tested = handled({ versions: "none" });

  test("R7644-3.14-01 its resources have none, in answers, lists and bulk jobs", async () => {
    const client = tested.as("strict");
    const made = await client.post("User", user({ userName: "a" }));
    expect([made.version, metaOf(made.resource, "version")]).toEqual(["", undefined]);
    const [listed] = (await client.list("User")).resources;
    expect(metaOf(listed ?? {}, "version")).toBeUndefined();
    const job = jobRunner(tested.service, tested.context());
    expect((await job([post("/Users", "b", user({ userName: "b" }))]))[0]).toMatchObject({
      status: 201,
      version: null,
    });
  });

  test("R7643-5-01 ServiceProviderConfig says that entity tags are not supported", async () => {
    const config = (of: TestService): Promise<object> =>
      of.service.serviceProviderConfig(of.context(), { ifMatch: null, ifNoneMatch: null });
    expect(await config(tested)).toMatchObject({ resource: { etag: { supported: false } } });
    expect(await config(handled({ versions: "content" }))).toMatchObject({
      resource: { etag: { supported: true } },
    });
  });

  test("a change on condition of a version is refused, never made; * asks only that the resource is there", async () => {
    const client = tested.as("strict");
    const id = idOf(await client.post("User", user({ userName: "c" })));
    for (const version of ["x", ""]) {
      const refused = await refusal(client.put("User", id, user({ userName: "d" }), ifMatch(version)));
      expect(refused.answer).toBe("412");
      expect([refused.members, refused.headers]).toEqual([{ expectedVersion: version }, {}]);
    }
    const several = await refusal(client.put("User", id, user({ userName: "d" }), ifMatch("x", "y")));
    expect(several.members["expectedVersion"]).toEqual(["x", "y"]);
    const exists = { precondition: { ifMatch: null, ifNoneMatch: "*" as const } };
    const existing = await refusal(client.put("User", id, user(), exists));
    expect(existing.answer).toBe("412");
    expect([existing.members, existing.headers]).toEqual([{ expectedVersion: "*" }, {}]);
    expect(await client.resource("User", id)).toMatchObject({ userName: "c" });
    const any = { precondition: { ifMatch: "*" as const, ifNoneMatch: ["x"] } };
    expect((await client.put("User", id, user({ userName: "d" }), any)).resource).toMatchObject({
      userName: "d",
    });
  });

  test("a copy of a client is current for * alone, and never for an empty tag", async () => {
    const client = tested.as("strict");
    const id = idOf(await client.post("User", user({ userName: "copied" })));
    const kindOf = async (ifNoneMatch: "*" | readonly string[]): Promise<string> =>
      (await client.get("User", id, { precondition: { ifMatch: null, ifNoneMatch } })).kind;
    expect([await kindOf("*"), await kindOf([""]), await kindOf(["x"])]).toEqual([
      "notModified",
      "resource",
      "resource",
    ]);
  });

  test("the switch require-version asks for none", async () => {
    const client = tested.as(createProfile("careful", ["require-version"]));
    const id = idOf(await client.post("Group", group()));
    await expect(client.delete("Group", id)).resolves.toBeUndefined();
  });

  test("circles of a bulk job are made all the same", async () => {
    const job = jobRunner(tested.service, tested.context());
    const member = (bulkId: string): object => ({ members: [{ value: `bulkId:${bulkId}`, type: "Group" }] });
    const answers = await job([
      post("/Groups", "x", group({ displayName: "x", ...member("y") })),
      post("/Groups", "y", group({ displayName: "y", ...member("x") })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  });
});
