import { setImmediate as nextTurn } from "node:timers/promises";
import Fastify from "fastify";
import { expect, test, vi } from "vitest";
import { addHealthRoutes } from "../../src/http/health.ts";

test("a database that hangs is asked no more while two looks wait for it: each takes what requests need", async () => {
  let begun = 0;
  const check = (): Promise<void> => {
    begun += 1;
    return new Promise(() => undefined);
  };
  const app = Fastify();
  addHealthRoutes(app, { check, isStopping: () => false });
  await app.ready();
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  try {
    for (let asked = 0; asked < 10; asked += 1) {
      void app.inject("/readyz");
      await nextTurn();
      now += 3001;
    }
  } finally {
    vi.restoreAllMocks();
  }
  expect(begun).toBe(2);
});
