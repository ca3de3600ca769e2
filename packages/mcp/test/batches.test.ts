import { setImmediate as nextTurn } from "node:timers/promises";
import { answerRpc, type ScimTools } from "@scim/mcp";
import { answerMcp } from "@scim/mcp/protocol";
import type { ScimHandler } from "@scim/http";
import { isJsonArray, type JsonObject, type JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { aService, aToolbox } from "./support/service.ts";

/** A call of a tool. */
interface Call {
  readonly name: string;
  readonly params: JsonObject;
}

/** A door, with how calls are told by it, and what came of each. */
interface Door {
  readonly message: (call: Call, id: number) => JsonObject;
  readonly answer: (tools: ScimTools, batch: JsonValue, signal: AbortSignal) => Promise<JsonValue>;
  readonly result: (answer: JsonValue) => unknown;
}

const DOORS: Readonly<Record<string, Door>> = {
  "JSON-RPC": {
    message: ({ name, params }, id) => ({ jsonrpc: "2.0", id, method: name, params }),
    answer: (tools, batch, signal) => answerRpc(tools, batch, { signal }),
    result: (answer) => (answer as { readonly result?: unknown }).result,
  },
  "the Model Context Protocol": {
    message: ({ name, params }, id) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name, arguments: params },
    }),
    answer: async (tools, body, signal) => {
      const headers = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      };
      const request = new Request("https://id.example/mcp", { method: "POST", headers, signal });
      const response = await answerMcp(tools, request, { body });
      return (await response.json()) as JsonValue;
    },
    result: (answer) =>
      (answer as { readonly result?: { readonly structuredContent?: unknown } }).result?.structuredContent,
  },
};

const create = (userName: string): Call => ({
  name: "scim_create_user",
  params: { user_data: { userName } },
});
const search = (value: string): Call => ({
  name: "scim_search_users",
  params: { attribute: "userName", value },
});

describe.each(Object.entries(DOORS))("a batch of %s", (_name, { message, answer, result }) => {
  test("is done one after another, so that a call sees what the one before it did", async () => {
    const calls = [search("ann"), create("ann"), search("ann"), create("bob"), search("bob")];
    const { signal } = new AbortController();
    const answers = await answer(aToolbox(), calls.map(message), signal);
    if (!isJsonArray(answers)) throw new TypeError("A batch is answered by a list.");
    expect(answers.map(result)).toMatchObject([
      { totalResults: 0 },
      { userName: "ann" },
      { totalResults: 1 },
      { userName: "bob" },
      { totalResults: 1 },
    ]);
  });

  test("is gone on with by no call once its client has gone", async () => {
    const controller = new AbortController();
    const handler = aService();
    const begun: string[] = [];
    const watched: ScimHandler = {
      handle: (request) => {
        if (request.method === "POST") {
          begun.push(request.target);
          controller.abort(new Error("The client has gone."));
        }
        return handler.handle(request);
      },
    };
    const batch = ["ann", "bob", "eve"].map(create).map(message);
    const tools = aToolbox({}, watched);
    // What gives the answer up, and what gives none to anybody: each is its door's affair.
    await answer(tools, batch, controller.signal).catch(() => null);
    // Nor by one that was left behind.
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    expect(begun).toEqual(["/Users"]);
  });
});
