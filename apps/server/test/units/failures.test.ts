import { ScimError } from "@scim/schemas";
import pino from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createApp, type AppOptions } from "../../src/http/create-app.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { usable } from "../../src/store/database.ts";

/** Asks a server whose administration cannot be made. */
async function answerTo(thrown: Error): Promise<{ readonly status: number; readonly body: unknown }> {
  const unasked = { handle: () => Promise.reject(new TypeError("Nobody asks for SCIM")) };
  const parts: Partial<AppOptions> = {
    handler: unasked,
    openApi: unasked,
    settings: resolveSettings({ flags: {}, environment: {} }).values,
    readiness: { check: async () => undefined, isStopping: () => false },
    tools: null,
    log: pino({ level: "silent" }),
  };
  const options = new Proxy(parts, {
    get: (target, name, receiver): unknown => {
      if (name === "admin") throw thrown;
      return Reflect.get(target, name, receiver);
    },
  });
  // What is not asked for is left out.
  const app = await createApp(options as AppOptions);
  onTestFinished(async () => app.close());
  const { statusCode, payload } = await app.inject({ url: "/admin/v1/tenants" });
  return { status: statusCode, body: JSON.parse(payload) };
}

test("what fails outside of SCIM is told by the log alone, as a SCIM error", async () => {
  const { status, body } = await answerTo(new Error("Cannot find module '/opt/scim/dist/tools.js'"));
  expect(status).toBe(500);
  expect(body).toEqual({
    schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
    status: "500",
    detail: expect.stringMatching(
      /^The service failed to answer\. Its log tells more under request id '[^']+'\.$/,
    ),
  });
});

test("what the service refuses is told in its words", async () => {
  const refused = await answerTo(new ScimError("unavailable", "The database is away. Try again."));
  expect(refused).toMatchObject({ status: 503, body: { detail: "The database is away. Try again." } });
});

test("a command tells what the database itself said of a refusal", async () => {
  const cause = new Error("transaction blocks not allowed in statement pooling mode");
  const refused = new ScimError("unavailable", "The connection to the database was lost. Try again.", {
    cause,
  });
  await expect(usable(() => Promise.reject(refused))).rejects.toThrow(
    "The database cannot be opened: The connection to the database was lost. Try again. It said: transaction blocks not allowed in statement pooling mode.",
  );
});
