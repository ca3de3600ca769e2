/** What is made on first use, where the system has nothing to make it of at that moment. */
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import Fastify from "fastify";
import { createScimService, PROFILES } from "@scim/core";
import { createMemoryStore } from "@scim/core/testing";
import { createDefaultRegistry } from "@scim/schemas";
import { expect, onTestFinished, test } from "vitest";
import { addDocsPage } from "../../src/http/docs-page.ts";
import { openApiOnDemand } from "../../src/http/open-api.ts";

const LACKING = new Error("EMFILE: too many open files");

test("/docs is served once its file can be read", async () => {
  const { readFile } = fs;
  const restore = (): void => {
    Object.assign(fs, { readFile });
    syncBuiltinESMExports();
  };
  onTestFinished(restore);
  const app = Fastify();
  addDocsPage(app);
  Object.assign(fs, { readFile: () => Promise.reject(LACKING) });
  syncBuiltinESMExports();
  expect((await app.inject("/docs")).statusCode).toBe(500);
  restore();
  expect((await app.inject("/docs")).statusCode).toBe(200);
});

test("/openapi.json is answered once its code can be loaded", async () => {
  const registry = createDefaultRegistry();
  const sources = { now: () => 0, newId: () => "1", newNonce: () => "n", digest: (text: string) => text };
  const whose = { tenant: "default", connection: "default", subject: null, profile: PROFILES.tolerant };
  let asked = 0;
  const handler = openApiOnDemand({
    service: createScimService({ registry, store: createMemoryStore(), sources }),
    registry,
    get authenticate() {
      asked += 1;
      if (asked === 1) throw LACKING;
      return async () => ({ ...whose, scopes: new Set(["scim"]) });
    },
  });
  const request = {
    method: "GET",
    target: "",
    headers: { authorization: "Bearer x" },
    body: null,
    baseUrl: "https://id.example/openapi.json",
    tenant: null,
    signal: undefined,
    id: "request-1",
  };
  await expect(handler.handle(request)).rejects.toBe(LACKING);
  expect((await handler.handle(request)).status).toBe(200);
});
