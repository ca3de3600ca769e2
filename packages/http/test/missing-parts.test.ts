import { expect, test } from "vitest";
import { createScimHandler, DEFAULT_HTTP_LIMITS, type HttpLimits } from "../src/index.ts";
import { FakeService, Harness } from "./fake-service.ts";

const service = new FakeService();

test.each([
  [undefined, "service"],
  [{ authenticate: async () => null }, "service"],
  [{ service }, "authenticate"],
  [{ service, authenticate: {} }, "authenticate"],
])("a program without types is told which part is missing: %#", (options, name) => {
  // What the compiler would refuse.
  expect(() => createScimHandler(options as never)).toThrow(`createScimHandler needs '${name}'`);
});

test("a limit that is said to be undefined has its default: a setting that is not there", async () => {
  const limits: Partial<HttpLimits> = Object.fromEntries(
    Object.keys(DEFAULT_HTTP_LIMITS).map((name) => [name, undefined]),
  );
  const harness = new Harness({ limits });
  const answered = async (target: string, body: string): Promise<number> =>
    (await harness.send({ method: "POST", target, body })).status;
  expect(await answered("/Users", "{}")).toBe(201);
  expect(await answered("/Users", " ".repeat(DEFAULT_HTTP_LIMITS.bodyBytes + 1))).toBe(413);
  expect(await answered("/Users", `{"a":${"[".repeat(100)}${"]".repeat(100)}}`)).toBe(400);
});

test.each([
  ["NaN", Number.NaN],
  ["text", "100"],
])("a limit that is %s is refused: nothing would exceed it", (_, bodyBytes) => {
  // A setting that was read badly, in a program without types.
  const limits = { bodyBytes } as Partial<HttpLimits>;
  expect(() => new Harness({ limits })).toThrow("The limit 'bodyBytes' of a handler is a number.");
});
