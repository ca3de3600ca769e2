import { once } from "node:events";
import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { GROUP_URN } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { newFolder } from "../command-line/program.ts";
import { SQLITE } from "../over-http/engines.ts";
import { exchange } from "../over-http/exchange.ts";
import { startInProcess, type InProcessServer } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";

const TOKEN = newToken();

async function startWith(limits: Readonly<Record<string, string>>): Promise<InProcessServer> {
  const { environment } = await SQLITE.make();
  return startInProcess({ ...environment, SCIM_TOKEN: TOKEN, ...limits });
}

/** Opens a connection and sends a text. */
async function send(origin: string, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  await once(socket, "connect");
  socket.setEncoding("utf8").write(text);
  return socket;
}

/** Everything that comes until the server ends the connection. */
async function untilCut(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (chunk: string) => (text += chunk));
  // A connection that is cut has no answer, or an end of it that is missing.
  socket.on("error", () => undefined);
  await once(socket, "close");
  return text;
}

const POST_WITH_BODY = [
  "POST /scim/v2/Users HTTP/1.1",
  "Host: scim.example",
  `Authorization: Bearer ${TOKEN}`,
  "Content-Type: application/scim+json",
  "Content-Length: 1000",
  "",
  '{"userName":',
].join("\r\n");

describe("a client that is slow", () => {
  test.each([
    ["its headers", { SCIM_CLIENT_HEADERS_TIMEOUT: "100" }, "GET /scim/v2/Users HTTP/1.1\r\nHost: scim"],
    ["its body", { SCIM_CLIENT_HEADERS_TIMEOUT: "100", SCIM_CLIENT_REQUEST_TIMEOUT: "300" }, POST_WITH_BODY],
  ])("to send %s is answered 408 and cut, and others are served meanwhile", async (_, limits, text) => {
    const server = await startWith(limits);
    const slow = await send(server.origin, text);
    const cut = untilCut(slow);
    expect((await server.call("GET", "/Users", { token: TOKEN })).status).toBe(200);
    const answer = await cut;
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain("The request did not arrive in time");
    expect((await server.call("GET", "/Users", { token: TOKEN })).body["totalResults"]).toBe(0);
  });

  test("to read a long answer is cut", async () => {
    const server = await startWith({ SCIM_CLIENT_IDLE_TIMEOUT: "200", SCIM_METRICS: "open" });
    const displayName = "x".repeat(60_000);
    for (let at = 0; at < USERS; at += 1) await server.user({ userName: `user-${at}`, displayName });
    const slow = await send(
      server.origin,
      `GET /scim/v2/Users?count=${USERS} HTTP/1.1\r\nHost: scim\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
    );
    await once(slow, "readable");
    // Nothing is taken any more until the server has given it up: those who ask it have the one connection left.
    while ((await connectionsOf(server)) > 1) await delay(20);
    expect((await untilCut(slow)).length).toBeLessThan(USERS * displayName.length);
  });

  test("to read, and never stops, has a long answer for a bounded time", async () => {
    const server = await startWith({ SCIM_CLIENT_ANSWER_TIMEOUT: "300", SCIM_METRICS: "open" });
    // More members than are held in memory: the answer is made while it is sent.
    const group = request(server.origin, { ...GROUP, path: `${GROUP.path}?excludedAttributes=members` });
    group.end(longGroup("large", 1001, 8000));
    const [created]: IncomingMessage[] = await once(group, "response");
    created?.resume();
    const path = new URL(created?.headers.location ?? "").pathname;
    const slow = await send(
      server.origin,
      `GET ${path} HTTP/1.1\r\nHost: scim\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
    );
    let text = "";
    const read = async (): Promise<void> => {
      for await (const chunk of slow) {
        text += String(chunk);
        await delay(10);
      }
    };
    await read().catch((error: unknown) => expect(error).toMatchObject({ code: "ECONNRESET" }));
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text).not.toMatch(/0\r\n\r\n$/);
    const metrics = await exchange(server.origin, { method: "GET", path: "/metrics" });
    expect(metrics.text).toMatch(/^scim_http_answers_cut_total 1$/m);
  });

  test("to be answered is not: whoever waits for the server is not cut", async () => {
    const path = join(newFolder(), "scim.db");
    const server = await startWith({
      SCIM_DATABASE_URL: `sqlite:${path}`,
      SCIM_CLIENT_IDLE_TIMEOUT: "100",
    });
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const created = server.user({ userName: "bjensen" });
    await delay(400);
    other.close();
    expect((await created).tag).toMatch(/^W\//);
  });

  test("to be read is not: whoever waits for another long body of its tenant is not cut", async () => {
    const server = await startWith({ SCIM_CLIENT_IDLE_TIMEOUT: "1000" });
    // Longer than what servers, and systems, keep of a connection that waits.
    const [slow, waiting] = [longGroup("slow", 30), longGroup("waiting", 200)];
    const first = request(server.origin, GROUP);
    first.write(slow.slice(0, -2));
    const still = setInterval(() => first.write(" "), 50);
    const second = request(server.origin, GROUP);
    const answers = [answerOf(first)];
    // The first is being read when the second comes.
    await delay(200);
    answers.push(answerOf(second));
    second.end(waiting);
    await delay(2500);
    clearInterval(still);
    first.end(slow.slice(-2));
    expect(await Promise.all(answers)).toEqual([201, 201]);
  });

  test("to let another long body be read has it told to come again, not that it came late", async () => {
    const server = await startWith({ SCIM_CLIENT_REQUEST_TIMEOUT: "3000" });
    const slow = request(server.origin, GROUP);
    slow.on("error", () => undefined).write(longGroup("slow", 30).slice(0, -2));
    // The first is being read when the second comes.
    await delay(200);
    const second = request(server.origin, GROUP);
    second.end(longGroup("waiting", 30));
    expect(await answerOf(second)).toBe(503);
    slow.destroy();
  });

  test("to go is not waited for: beyond the connections that there may be, more are closed", async () => {
    const server = await startWith({ SCIM_CLIENT_MAX_CONNECTIONS: "1" });
    const first = await send(server.origin, "");
    const second = await send(server.origin, "GET /healthz HTTP/1.1\r\nHost: scim\r\n\r\n");
    expect(await untilCut(second)).toBe("");
    first.destroy();
  });
});

const GROUP = {
  method: "POST",
  path: "/scim/v2/Groups",
  headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/scim+json" },
};

/** A group of so many members, each of so many bytes. */
function longGroup(displayName: string, count: number, bytes = 60_000): string {
  const display = "x".repeat(bytes);
  const members = Array.from({ length: count }, (_, at) => ({ value: `m${at}`, display }));
  return JSON.stringify({ schemas: [GROUP_URN], displayName, members });
}

/** The status of an answer, or why none came. */
async function answerOf(outgoing: ClientRequest): Promise<number | string | undefined> {
  try {
    const [incoming]: IncomingMessage[] = await once(outgoing, "response");
    incoming?.resume();
    return incoming?.statusCode;
  } catch (error) {
    return String(error);
  }
}

/** Users whose list is longer than all buffers between server and client. */
const USERS = 200;

/** Connections that a server has open, that of who asks included. */
async function connectionsOf({ origin }: InProcessServer): Promise<number> {
  const { text } = await exchange(origin, { method: "GET", path: "/metrics" });
  return Number(/^scim_http_connections (?<count>\d+)$/m.exec(text)?.groups?.["count"]);
}
