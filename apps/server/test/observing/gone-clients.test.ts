import pino from "pino";
import { expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import { startStreams } from "../security-events/stream-server.ts";
import { ADMIN_TOKEN } from "../admin/admin-client.ts";
import { exchange } from "../over-http/exchange.ts";
import { sendAndGo } from "./going-client.ts";
import { totalOf, samplesOf } from "./metric-text.ts";

type Server = Awaited<ReturnType<typeof startStreams>>;

const HALF = ["Content-Type: application/json", "Content-Length: 100"];

const REQUESTS: readonly (readonly [
  what: string,
  route: string,
  head: (server: Server, stream: { readonly id: string; readonly token: string }) => readonly string[],
  body: string,
])[] = [
  [
    "the admin API, half of whose body came",
    "/admin/v1/tenants",
    () => ["POST /admin/v1/tenants HTTP/1.1", `Authorization: Bearer ${ADMIN_TOKEN}`, ...HALF],
    '{"name":',
  ],
  [
    "the admin API, which follows changes",
    "/admin/v1/tenants/:tenant/changes",
    () => [
      "GET /admin/v1/tenants/default/changes?since=0 HTTP/1.1",
      "Accept: text/event-stream",
      `Authorization: Bearer ${ADMIN_TOKEN}`,
    ],
    "",
  ],
  [
    "/rpc, half of whose body came",
    "/rpc",
    ({ token }) => ["POST /rpc HTTP/1.1", `Authorization: Bearer ${token}`, ...HALF],
    '{"jsonrpc":',
  ],
  [
    "a stream, half of whose body came",
    "/events/:tenant/:id/poll",
    (_, { id, token }) => [
      `POST /events/default/${id}/poll HTTP/1.1`,
      `Authorization: Bearer ${token}`,
      ...HALF,
    ],
    '{"ack":',
  ],
  [
    "a stream, which waits for events",
    "/events/:tenant/:id/poll",
    (_, { id, token }) => [
      `POST /events/default/${id}/poll HTTP/1.1`,
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      "Content-Length: 2",
    ],
    "{}",
  ],
];

test.each(REQUESTS)(
  "a request to %s, is told once, and as answered to nobody",
  async (_what, route, head, body) => {
    const lines: string[] = [];
    const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
    const server = await startStreams({ SCIM_METRICS: "open" }, log);
    const { id, token } = await server.stream({ method: "poll" });
    const before = lines.length;
    await sendAndGo(server.origin, head(server, { id: String(id), token: String(token) }), body);
    const told = () =>
      lines
        .slice(before)
        .map((line) => JSON.parse(line))
        .filter((line) => line.route === route);
    await eventually(() => expect(told()).toHaveLength(1));
    expect(told()).toMatchObject([{ level: 30, status: null, msg: "client went away" }]);
    const metrics = async () =>
      samplesOf((await exchange(server.origin, { method: "GET", path: "/metrics" })).text);
    expect(totalOf(await metrics(), "scim_http_requests_aborted_total")).toBe(1);
    await server.stop();
    expect(told()).toHaveLength(1);
  },
);
