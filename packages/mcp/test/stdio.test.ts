import { once } from "node:events";
import { PassThrough, type Writable } from "node:stream";
import type { ScimTools } from "@scim/mcp";
import { serveStdio } from "@scim/mcp/protocol";
import type { JsonObject, JsonValue } from "@scim/schemas";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { aToolbox } from "./support/service.ts";

const PING = { jsonrpc: "2.0", id: 9, method: "ping" };
const PONG = { jsonrpc: "2.0", id: 9, result: {} };
const LONGEST = 10_485_760;

/** A server over standard input and output, and what it says. */
function served(tools: ScimTools = aToolbox()) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ended = serveStdio(tools, { input, output });
  onTestFinished(async () => {
    input.end();
    await ended;
  });
  let text = "";
  output.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const said = async (count: number): Promise<readonly JsonObject[]> => {
    while (text.split("\n").length <= count) await new Promise(setImmediate);
    // They were written as JSON.
    return text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as JsonObject);
  };
  return { input, said, ended };
}

const error = (code: number, id: JsonValue = null): object => ({
  jsonrpc: "2.0",
  id,
  error: expect.objectContaining({ code }),
});

describe("over standard input", () => {
  test.each([
    ["what is no JSON", "{{{", error(-32_700)],
    ["a text", '"a"', error(-32_600)],
    ["an empty batch", "[]", error(-32_600)],
    ["a batch of too many", JSON.stringify(Array.from({ length: 101 }, () => PING)), error(-32_600)],
    ["an id that is none", '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', error(-32_600)],
    ["another version of JSON-RPC", '{"jsonrpc":"1.0","id":7,"method":"ping"}', error(-32_600, 7)],
    ["a line that is too long", `{"a":"${"x".repeat(LONGEST)}"}`, error(-32_600)],
  ])("%s is answered, and the server goes on", async (_what, line, answer) => {
    const { input, said } = served();
    input.write(`${line}\n${JSON.stringify(PING)}\n`);
    expect(await said(2)).toEqual([answer, PONG]);
  });

  test.each([
    ["cannot be written", (output: Writable) => void output.emit("error", new Error("write EPIPE"))],
    ["is closed", (output: Writable) => void output.destroy()],
  ])("ends where its output %s: the agent has gone", async (_what, leave) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const ended = serveStdio(aToolbox(), { input, output });
    input.write(`${JSON.stringify(PING)}\n`);
    await once(output, "data");
    leave(output);
    await expect(ended).resolves.toBeUndefined();
    // Of what was under way.
    expect(() => output.emit("error", new Error("write EPIPE"))).not.toThrow();
  });

  test("messages are read whatever pieces they come in, with either end of line", async () => {
    const { input, said } = served();
    const ping = { ...PING, params: { _meta: { a: "ä😀" } } };
    const bytes = Buffer.from(`\n \r\n${JSON.stringify(ping)}\r\n${JSON.stringify(ping)}\n`);
    for (const byte of bytes) input.write(Buffer.of(byte));
    expect(await said(2)).toEqual([PONG, PONG]);
  });

  test("the messages of a batch are answered one by one", async () => {
    const { input, said } = served();
    const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
    input.write(`${JSON.stringify([PING, notification, { ...PING, id: "b" }, 5])}\n`);
    expect(await said(3)).toEqual(expect.arrayContaining([PONG, { ...PONG, id: "b" }, error(-32_600)]));
  });

  test("a call waits for no list, and whoever has seen one is told when it becomes shorter", async () => {
    const tools = aToolbox();
    let list: ScimTools["list"] = () => new Promise(() => undefined);
    const { input, said } = served({ ...tools, list: () => list() });
    const ask = (id: number, method: string, params: object = {}): boolean =>
      input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const CALL = { name: "scim_user_exists", arguments: { user_id: "1" } };
    ask(1, "tools/call", CALL);
    expect(await said(1)).toMatchObject([{ id: 1, result: { structuredContent: { exists: false } } }]);
    const all = await tools.list();
    list = async () => all;
    ask(2, "tools/list");
    await said(2);
    list = async () => all.slice(1);
    ask(3, "tools/call", CALL);
    ask(4, "tools/call", CALL);
    expect((await said(5)).slice(2)).toEqual(
      expect.arrayContaining([
        { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
        expect.objectContaining({ id: 3 }),
        expect.objectContaining({ id: 4 }),
      ]),
    );
  });

  /** Tools of which each call begins, and ends as the test says. */
  function called() {
    const begun = Promise.withResolvers<AbortSignal | undefined>();
    const result = Promise.withResolvers<JsonObject>();
    const call: ScimTools["call"] = (_name, _params, options) => {
      begun.resolve(options?.signal);
      return result.promise;
    };
    return { tools: { ...aToolbox(), call }, begun: begun.promise, answer: result.resolve };
  }
  const LONG = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "scim_get_user", arguments: { user_id: "1" } },
  });

  test("what is under way when the input ends is answered, be the last line ended or not", async () => {
    const { tools, begun, answer } = called();
    const { input, said, ended } = served(tools);
    input.end(`${LONG}\n${JSON.stringify(PING)}`);
    await begun;
    expect(await said(1)).toEqual([PONG]);
    answer({ id: "1" });
    expect(await said(2)).toMatchObject([{ id: 9 }, { id: 1, result: { structuredContent: { id: "1" } } }]);
    await expect(ended).resolves.toBeUndefined();
  });

  test("what was cancelled is not waited for", async () => {
    const { tools, begun } = called();
    const { input, ended } = served(tools);
    const params = { requestId: 1 };
    input.write(`${LONG}\n`);
    const signal = await begun;
    input.end(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params })}\n`);
    await ended;
    expect(signal?.aborted).toBe(true);
  });

  test("what takes too long when the input has ended is given up", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { tools, begun } = called();
    const { input, ended } = served(tools);
    input.end(`${LONG}\n`);
    const signal = await begun;
    await vi.advanceTimersByTimeAsync(9999);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await ended;
    expect(signal?.aborted).toBe(true);
  });
});
