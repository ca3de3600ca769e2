import type { ScimTools } from "@scim/mcp";
import { answerMcp } from "@scim/mcp/protocol";
import { expect, test } from "vitest";
import { aToolbox } from "./support/service.ts";

const BODY = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "scim_get_user", arguments: { user_id: "1" } },
};

/** Tools of which each call lasts for ever, and a request of them. */
function endless() {
  const controller = new AbortController();
  const given: (AbortSignal | undefined)[] = [];
  const begun = Promise.withResolvers<void>();
  const call: ScimTools["call"] = (_name, _params, options) => {
    given.push(options?.signal);
    begun.resolve();
    return new Promise(() => undefined);
  };
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const answer = (): Promise<Response> =>
    answerMcp(
      { ...aToolbox(), call },
      new Request("https://id.example/mcp", { method: "POST", headers, signal: controller.signal }),
      { body: BODY },
    );
  return { controller, given, begun: begun.promise, answer };
}

test("a request that is given up is not waited for, and neither is its tool", async () => {
  const { controller, given, begun, answer } = endless();
  const answered = answer();
  await begun;
  controller.abort(new TypeError("The client has gone."));
  await expect(answered).rejects.toThrow("The client has gone.");
  expect(given.map((signal) => signal?.aborted)).toEqual([true]);
});

test("a request that was given up before calls no tool", async () => {
  const { controller, given, answer } = endless();
  controller.abort(new TypeError("The client has gone."));
  await expect(answer()).rejects.toThrow("The client has gone.");
  expect(given).toEqual([]);
});
