import { describe, expect, test } from "vitest";
import type { RequestContext, WriteResult } from "../../src/index.ts";
import { group, user } from "../support/bodies.ts";
import { refusal } from "../support/refusal.ts";
import { testService, type TestService } from "../support/service.ts";
import { interceptingStore } from "../support/store-wrappers.ts";
import { createTestClient, type TestClient } from "../support/client.ts";

const NONE = { ifMatch: null, ifNoneMatch: null };

interface Race {
  readonly tested: TestService;
  readonly client: TestClient;
  /** Writes of changes that the service tried. */
  readonly tries: () => number;
  /** Lets `rival` happen just before each of the next `times` writes of changes. */
  readonly lose: (times: number, rival: (client: TestClient) => Promise<unknown>) => void;
}

/** A service whose changes of `id-1` lose races against a client of another process: a service on the same store. */
async function race(planAttempts?: number): Promise<Race> {
  let tries = 0;
  let left = 0;
  let rivalry: (client: TestClient) => Promise<unknown> = async () => undefined;
  const tested: TestService = testService(undefined, {
    ...(planAttempts === undefined ? {} : { limits: { planAttempts } }),
    wrap: (store) => {
      const rival = testService(undefined, { wrap: () => store }).as("strict", { connection: "rival" });
      return interceptingStore(store, async (plan): Promise<WriteResult | null> => {
        if (plan.kind === "create") return null;
        tries += 1;
        if (left === 0) return null;
        left -= 1;
        await rivalry(rival);
        return null;
      });
    },
  });
  const client = tested.as("strict");
  await client.post("User", user());
  return {
    tested,
    client,
    tries: () => tries,
    lose: (times, rival) => {
      left = times;
      rivalry = rival;
    },
  };
}

let counter = 0;
/** Another client that sets a nickName each time. */
async function rename(rival: TestClient): Promise<void> {
  await rival.patch("User", "id-1", [
    { op: "replace", path: "nickName", value: `n${String((counter += 1))}` },
  ]);
}

const title = [{ op: "replace", path: "title", value: "x" }];

describe("a lost race without If-Match: the change is planned again", () => {
  test.each([1, 3, 63])("after %i conflicts, on what the others wrote", async (times) => {
    const { client, tries, lose } = await race();
    lose(times, rename);
    const patched = await client.patched("User", "id-1", title);
    expect(tries()).toBe(times + 1);
    expect(patched).toMatchObject({ title: "x", nickName: `n${String(counter)}` });
    expect(await client.resource("User", "id-1")).toEqual(patched);
  });

  test.each([64, 100])(
    "%i conflicts: 503 with Retry-After after sixty-four tries, and nothing is written",
    async (times) => {
      const { client, tries, lose } = await race();
      lose(times, rename);
      const refused = await refusal(client.patch("User", "id-1", title));
      expect(refused).toMatchObject({ answer: "503", headers: { "retry-after": "1" } });
      expect(tries()).toBe(64);
      expect(await client.resource("User", "id-1")).not.toHaveProperty("title");
    },
  );

  test("planAttempts is a setting", async () => {
    const { client, tries, lose } = await race(2);
    lose(2, rename);
    expect((await refusal(client.put("User", "id-1", user({ title: "x" })))).answer).toBe("503");
    expect(tries()).toBe(2);
  });

  test("PUT and DELETE too, and If-Match: * like none", async () => {
    const { client, lose } = await race();
    lose(2, rename);
    const star = { precondition: { ...NONE, ifMatch: "*" as const } };
    const { resource } = await client.put("User", "id-1", user({ title: "x" }), star);
    expect(resource).toMatchObject({ title: "x" });
    expect(resource).not.toHaveProperty("nickName");
    lose(2, rename);
    await client.delete("User", "id-1");
    expect((await refusal(client.get("User", "id-1"))).answer).toBe("404");
  });

  test("a change that another client made first is none any more", async () => {
    const { client, tries, lose } = await race();
    lose(1, (rival) => rival.patch("User", "id-1", title));
    expect(await client.patched("User", "id-1", title)).toMatchObject({ title: "x" });
    expect(tries()).toBe(1);
  });

  test("what another client deleted is 404", async () => {
    const { client, lose } = await race();
    lose(1, (rival) => rival.delete("User", "id-1"));
    expect((await refusal(client.patch("User", "id-1", title))).answer).toBe("404");
  });

  test("members that two clients add at once are both there", async () => {
    const { client, lose } = await race();
    await client.post("Group", group({ members: [{ value: "a" }] }));
    const add = (value: string): object => ({ op: "add", path: "members", value: [{ value }] });
    lose(1, (rival) => rival.patch("Group", "id-2", [{ ...add("b") }]));
    await client.patch("Group", "id-2", [{ ...add("c") }]);
    expect((await client.resource("Group", "id-2"))["members"]).toEqual([
      { value: "a" },
      { value: "b" },
      { value: "c" },
    ]);
  });

  test("a tolerance is told once, however many tries it took", async () => {
    const { tested, lose } = await race();
    lose(3, rename);
    await tested.as("tolerant").patch("User", "id-1", [{ op: "replace", path: "active", value: "True" }]);
    expect(tested.fired).toEqual(["string-booleans active"]);
  });
});

describe("a lost race with If-Match", () => {
  test.each<readonly [string, (client: TestClient, version: string) => Promise<unknown>]>([
    [
      "PATCH",
      (client, version) =>
        client.patch("User", "id-1", title, { precondition: { ...NONE, ifMatch: [version] } }),
    ],
    [
      "PUT",
      (client, version) =>
        client.put("User", "id-1", user({ title: "x" }), { precondition: { ...NONE, ifMatch: [version] } }),
    ],
    [
      "DELETE",
      (client, version) => client.delete("User", "id-1", { precondition: { ...NONE, ifMatch: [version] } }),
    ],
  ])("R7644-3.14-09 %s is 412 with both versions, after one try", async (_name, change) => {
    const { client, tries, lose } = await race();
    const { version } = await client.get("User", "id-1");
    lose(1, rename);
    const refused = await refusal(change(client, version));
    const current = await client.get("User", "id-1");
    expect(refused).toMatchObject({
      answer: "412",
      members: { expectedVersion: version, currentVersion: current.version },
      headers: { etag: `W/"${current.version}"` },
    });
    expect(tries()).toBe(1);
    expect(current.kind === "resource" && current.resource).not.toHaveProperty("title");
  });
});

describe("an operation ends when the client goes away", () => {
  test("before it reads, and between tries", async () => {
    const { tested, lose } = await race();
    const controller = new AbortController();
    const context: RequestContext = tested.context("strict", { signal: controller.signal });
    const client = createTestClient(tested.service, context);
    lose(8, async (rival) => {
      await rename(rival);
      controller.abort(new Error("gone"));
    });
    await expect(client.patch("User", "id-1", title)).rejects.toThrow("gone");
    await expect(client.delete("User", "id-1")).rejects.toThrow("gone");
    expect(await tested.as().resource("User", "id-1")).not.toHaveProperty("title");
  });
});

describe("changes of one resource within a process take turns", () => {
  test("many members added at once, without a version named: none is refused, none is lost", async () => {
    const tested = testService();
    const client = tested.as("tolerant");
    await client.post("Group", group());
    const ids = Array.from({ length: 100 }, (_, index) => `m-${String(index)}`);
    const add = (value: string): Promise<unknown> =>
      client.patch("Group", "id-1", [{ op: "add", path: "members", value: [{ value }] }]);
    await Promise.all(ids.map(add));
    const { members } = await client.resource("Group", "id-1");
    expect(members).toHaveLength(100);
  });

  test("a change that is refused does not hold up the next", async () => {
    const client = testService().as("strict");
    await client.post("User", user());
    const bad = client.patch("User", "id-1", [{ op: "replace", path: "nosuch", value: "x" }]);
    const missing = client.patch("User", "id-9", [{ op: "replace", path: "title", value: "x" }]);
    const stale = client.patch("User", "id-1", [{ op: "replace", path: "title", value: "x" }], {
      precondition: { ifMatch: ["old"], ifNoneMatch: null },
    });
    const good = client.patch("User", "id-1", [{ op: "replace", path: "title", value: "Guide" }]);
    const outcomes = await Promise.allSettled([bad, missing, stale, good]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected", "fulfilled"]);
  });
});
