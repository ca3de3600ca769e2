import { spawn } from "node:child_process";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { startInProcess } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";
import { exchange } from "../over-http/exchange.ts";

const TOKEN = newToken();

/** The text of a call that makes a user of a text. */
const CALLS = {
  "/rpc": (user: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"scim_create_user","params":{"user_data":${user}}}`,
  "/mcp": (user: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"scim_create_user","arguments":{"user_data":${user}}}}`,
} as const;

const REFUSED: readonly (readonly [what: string, user: string, code: number, told: RegExp])[] = [
  [
    "a number that a double cannot hold",
    '{"userName":"a","x":12345678901234567890.5}',
    -32_600,
    /^The number at line 1/,
  ],
  ["a member that occurs twice", '{"userName":"N","userName":"M"}', -32_700, /"userName" occurs twice/],
  ["half of a surrogate pair", String.raw`{"userName":"a\ud800"}`, -32_600, /half of a surrogate pair/],
  ["text that is no UTF-8", '{"userName":"\xff"}', -32_700, /^The message is not valid UTF-8/],
  ["what nests too deep", `{"userName":${"[".repeat(100)}${"]".repeat(100)}}`, -32_700, /nests deeper than/],
];

const refusal = (code: number, told: RegExp): object => ({
  jsonrpc: "2.0",
  id: null,
  error: { code, message: expect.stringMatching(told), data: { status: 400 } },
});

describe.each([
  ["/rpc", 200],
  ["/mcp", 400],
] as const)("%s", (path, status) => {
  test.each(REFUSED)("refuses %s, as SCIM does, and makes nothing", async (_what, user, code, told) => {
    const server = await startInProcess({ SCIM_DATABASE_URL: "sqlite::memory:", SCIM_TOKEN: TOKEN });
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const body = Buffer.from(CALLS[path](user), "latin1");
    expect(await exchange(server.origin, { method: "POST", path, headers, body })).toMatchObject({
      status,
      body: refusal(code, told),
    });
    expect((await server.call("GET", "/Users")).body).toMatchObject({ totalResults: 0 });
  });
});

test("scim mcp refuses the same, line by line", async () => {
  const server = await startInProcess({ SCIM_DATABASE_URL: "sqlite::memory:", SCIM_TOKEN: TOKEN });
  const program = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
  const started = ["--conditions=@scim/source", program, "mcp", "--url", `${server.origin}/scim/v2`];
  const { stdin, stdout } = spawn(process.execPath, started, {
    env: { SCIM_TOKEN: TOKEN },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void stdin.end());
  for (const [, user] of REFUSED) stdin.write(Buffer.from(`${CALLS["/mcp"](user)}\n`, "latin1"));
  const answers: unknown[] = [];
  for await (const line of createInterface({ input: stdout })) {
    answers.push(JSON.parse(line));
    if (answers.length === REFUSED.length) break;
  }
  expect(answers).toEqual(
    REFUSED.map(([, , code, told]) => ({
      ...refusal(code, told),
      error: expect.objectContaining({ code, message: expect.stringMatching(told) }),
    })),
  );
  expect((await server.call("GET", "/Users")).body).toMatchObject({ totalResults: 0 });
});
