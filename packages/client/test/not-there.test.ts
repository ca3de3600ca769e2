/**
 * What says that a resource is not there, and what was only not reached: the 404 of a proxy without a way to the service.
 * @module
 */
import { describe, expect, test } from "vitest";
import { scripted, type Step } from "./support/scripted.ts";

const CONFIG = { patch: { supported: true } };
const ERROR = { schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"], status: "404" };
const TEXT = { "content-type": "text/plain" };
const JSON_TYPE = { "content-type": "application/json" };

/** What proxies, and services that are no SCIM in this, answer with 404. */
const UNSURE: readonly (readonly [string, Step])[] = [
  ["text", { status: 404, headers: TEXT, body: "404 page not found\n" }],
  [
    "JSON that is no Error message",
    { status: 404, headers: JSON_TYPE, body: { message: "no Route matched" } },
  ],
  ["nothing", { status: 404 }],
  ["410 and nothing", { status: 410 }],
];

/** A client of a service that has told what it can do, unless `isNew`, and answers all else by a step. */
async function aClient(step: Step, config: readonly Step[], isNew = false) {
  let asked = 0;
  const made = scripted(
    [
      (request) => {
        if (!request.path.endsWith("/ServiceProviderConfig")) return step;
        asked += 1;
        return config[Math.min(asked, config.length) - 1] ?? step;
      },
    ],
    { retries: { attempts: 1 } },
  );
  if (!isNew) await made.client.discovery.capabilities();
  const paths = () => made.requests.map(({ method, path }) => `${method} ${path.replace(/^.*v2|\?.*/g, "")}`);
  return { ...made, paths };
}

describe.each(UNSURE)("404 with %s", (_what, step) => {
  test("is no word on what there is where what the service told before is not there either", async () => {
    const gone: readonly Step[] = [{ body: CONFIG }, step];
    for (const call of [
      async () => (await aClient(step, gone)).client.users.exists("1"),
      async () => (await aClient(step, gone)).client.users.get("1"),
      async () => (await aClient(step, gone)).client.users.delete("1"),
      async () => {
        const { client } = await aClient(step, gone);
        const job = client.bulk();
        job.delete(client.users, "1");
        const [outcome] = (await job.run()).outcomes;
        throw outcome !== undefined && "error" in outcome ? outcome.error : new Error("it was done");
      },
    ])
      await expect(call()).rejects.toMatchObject({
        code: "unexpectedStatus",
        remedy: expect.stringContaining("proxy"),
      });
  });

  test("is the word of a service that goes on telling what it can do", async () => {
    const { client, paths } = await aClient(step, [{ body: CONFIG }]);
    expect(await client.users.exists("1")).toBe(false);
    expect(paths()).toEqual(["GET /ServiceProviderConfig", "GET /Users/1", "GET /ServiceProviderConfig"]);
    await expect(client.users.delete("1")).rejects.toMatchObject({ code: "notFound" });
  });

  test("is the word of a service that was not asked what it can do, or does not tell", async () => {
    for (const isNew of [true, false]) {
      const { client, requests } = await aClient(step, [step], isNew);
      const before = requests.length;
      expect(await client.users.exists("1")).toBe(false);
      expect(requests.length - before).toBe(1);
    }
  });
});

test("a 404 with an Error message is believed, and nothing else is asked", async () => {
  const { client, paths } = await aClient({ status: 404, body: ERROR }, [{ body: CONFIG }]);
  expect(await client.users.exists("1")).toBe(false);
  expect(paths()).toEqual(["GET /ServiceProviderConfig", "GET /Users/1"]);
});

test("a deletion that may have been done is not taken for done where a proxy says 404", async () => {
  const steps: Step[] = [{ body: CONFIG }, { fails: "broken" }, { status: 404 }, { status: 404 }];
  const { client } = scripted(steps, { retries: { attempts: 3 } });
  await client.discovery.capabilities();
  await expect(client.users.delete("1")).rejects.toMatchObject({ code: "unknownOutcome" });
});
