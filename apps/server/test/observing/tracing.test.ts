import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ExportResultCode } from "@opentelemetry/core";
import pino from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { ADMIN_TOKEN } from "../admin/admin-client.ts";
import { ENGINES } from "../over-http/engines.ts";
import { exchange, type WireAnswer } from "../over-http/exchange.ts";
import { outcomeTeller, tellingExporter } from "../../src/tracing/telling-exporter.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";
import { eventually } from "../eventually.ts";
import { sendAndGo } from "./going-client.ts";
import { sendPersonalRequests, TRACE_OF_PERSON } from "./personal-requests.ts";

/** A span as OTLP tells it in JSON. */
interface ToldSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

/** A collector of OTLP over HTTP, as small as a test wants it. */
async function startCollector(status = 200) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // A server on a port has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}/v1/traces`,
    text: () => bodies.join(""),
    spans: (): readonly ToldSpan[] =>
      bodies.flatMap((body) =>
        JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: { spans: ToldSpan[] }[] }) =>
          resource.scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
  };
}

async function startTraced(environment: Readonly<Record<string, string>> = {}) {
  const [sqlite] = ENGINES;
  const database = await sqlite?.make();
  const collector = await startCollector();
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const settings = { SCIM_TRACING_ENDPOINT: collector.endpoint, ...environment };
  const server = await startInProcess({ ...database?.environment, ...settings }, log);
  return { collector, server, lines };
}

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const OTHER_TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "00f067aa0ba902b7";

describe("traces", () => {
  test("a request is a span below that of its client, its operation below it, and calls of the store below that", async () => {
    const { collector, server, lines } = await startTraced();
    const { path } = await server.user({ userName: "traced" });
    await server.call("GET", path, { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } });
    await server.stop();
    const spans = collector.spans().filter(({ traceId }) => traceId === TRACE);
    const request = spans.find(({ parentSpanId }) => parentSpanId === PARENT);
    const operation = spans.find(({ parentSpanId }) => parentSpanId === request?.spanId);
    const store = spans.filter(({ parentSpanId }) => parentSpanId === operation?.spanId);
    expect(request?.name).toBe("GET /Users/{id}");
    expect(operation?.name).toBe("scim.read");
    expect(store.map(({ name }) => name)).toEqual(["store.read"]);
    expect(Object.fromEntries(request?.attributes.map(({ key, value }) => [key, value]) ?? [])).toMatchObject(
      {
        "http.route": { stringValue: "/Users/{id}" },
        "http.response.status_code": { intValue: 200 },
        "scim.tenant": { stringValue: "default" },
        "scim.connection": { stringValue: "default" },
        "scim.credential": { stringValue: expect.any(String) },
        "scim.store.calls": { intValue: store.length },
      },
    );
    const told = lines.map((line) => JSON.parse(line)).filter(({ route }) => route === "/Users/{id}");
    expect(told).toEqual([expect.objectContaining({ trace: TRACE })]);
  });

  test("a request to the admin API is a span and a metric, by its route, with what the service does for it", async () => {
    const { collector, server, lines } = await startTraced({
      SCIM_ADMIN_TOKEN: ADMIN_TOKEN,
      SCIM_METRICS: "open",
    });
    const { id } = await server.user({ userName: "traced" });
    const ask = (method: string, path: string, token = ADMIN_TOKEN): Promise<WireAnswer> =>
      exchange(server.origin, {
        method,
        path: `/admin/v1${path}`,
        headers: { authorization: `Bearer ${token}`, traceparent: `00-${TRACE}-${PARENT}-01` },
      });
    expect((await ask("DELETE", `/subjects/${id}`)).status).toBe(200);
    expect((await ask("GET", "/tenants/acme")).status).toBe(404);
    expect((await ask("GET", "/tenants", newToken("admin"))).status).toBe(401);
    const metrics = await exchange(server.origin, { method: "GET", path: "/metrics" });
    await server.stop();
    const spans = collector.spans().filter(({ traceId }) => traceId === TRACE);
    const requests = spans.filter(({ parentSpanId }) => parentSpanId === PARENT);
    expect(requests.map(({ name }) => name)).toEqual([
      "DELETE /admin/v1/subjects/:id",
      "GET /admin/v1/tenants/:tenant",
      "GET /admin/v1/tenants",
    ]);
    const [erasure] = requests;
    expect(spans.filter(({ parentSpanId }) => parentSpanId === erasure?.spanId)).not.toEqual([]);
    expect(collector.text()).not.toContain(id);
    const told = lines.map((line) => JSON.parse(line)).filter(({ trace }) => trace === TRACE);
    expect(told.map(({ route, status }) => [route, status])).toEqual([
      ["/admin/v1/subjects/:id", 200],
      ["/admin/v1/tenants/:tenant", 404],
      ["/admin/v1/tenants", 401],
    ]);
    expect(metrics.text).toContain(
      `scim_http_requests_total{route="/admin/v1/tenants/:tenant",method="GET",status="4xx"} 1`,
    );
  });

  test.each([
    ["/rpc", { method: "scim_search_users", params: { attribute: "userName", value: "ann" } }],
    [
      "/mcp",
      {
        method: "tools/call",
        params: { name: "scim_search_users", arguments: { attribute: "userName", value: "ann" } },
      },
    ],
  ])(
    "a message to %s is a span, and what its tool asks of SCIM is below it, as its client says",
    async (path, sent) => {
      const { collector, server, lines } = await startTraced();
      for (const traceparent of [`00-${TRACE}-${PARENT}-01`, `00-${OTHER_TRACE}-${PARENT}-00`]) {
        const answer = await exchange(server.origin, {
          method: "POST",
          path,
          headers: {
            authorization: `Bearer ${server.token}`,
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            traceparent,
          },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...sent }),
        });
        expect(answer.text).toContain("totalResults");
      }
      await server.stop();
      const spans = collector.spans();
      const [message, ...others] = spans.filter(({ parentSpanId }) => parentSpanId === PARENT);
      const asked = spans.find(({ parentSpanId }) => parentSpanId === message?.spanId);
      const done = spans.find(({ parentSpanId }) => parentSpanId === asked?.spanId);
      expect([message?.name, asked?.name, done?.name, others]).toEqual([
        `POST ${path}`,
        "GET /Users",
        "scim.list",
        [],
      ]);
      expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
      const told = lines.map((line) => JSON.parse(line)).filter(({ trace }) => trace === TRACE);
      expect(told.map(({ route }) => route)).toEqual(["/Users", path]);
    },
  );

  test("a client that does not sample is heeded, and one that does though nothing else is traced", async () => {
    const { collector, server } = await startTraced({ SCIM_TRACING_PERCENT: "0" });
    await server.call("GET", "/Users", { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } });
    await server.call("GET", "/Groups", { headers: { traceparent: `00-${TRACE}-${PARENT}-00` } });
    await server.call("GET", "/Groups", { headers: { traceparent: "no trace context" } });
    await server.stop();
    const routes = collector
      .spans()
      .map(({ name }) => name)
      .filter((name) => name.startsWith("GET"));
    expect(routes).toEqual(["GET /Users"]);
  });

  test("hold no personal value", async () => {
    const { collector, server } = await startTraced();
    await sendPersonalRequests(server);
    await server.stop();
    expect(collector.spans().length).toBeGreaterThan(40);
    expect(TRACE_OF_PERSON.exec(collector.text().toLowerCase())).toBeNull();
  });

  test("a request whose client went away is a span without a status, and the log names its trace", async () => {
    const { collector, server, lines } = await startTraced({ SCIM_ADMIN_TOKEN: ADMIN_TOKEN });
    const head = [
      "POST /admin/v1/tenants HTTP/1.1",
      `Authorization: Bearer ${ADMIN_TOKEN}`,
      `traceparent: 00-${TRACE}-${PARENT}-01`,
      "Content-Type: application/json",
      "Content-Length: 100",
    ];
    await sendAndGo(server.origin, head, "{");
    const told = () => lines.map((line) => JSON.parse(line)).filter(({ status }) => status === null);
    await eventually(() => expect(told()).toMatchObject([{ trace: TRACE, route: "/admin/v1/tenants" }]));
    await server.stop();
    const spans = collector.spans().filter(({ parentSpanId }) => parentSpanId === PARENT);
    expect(spans.map(({ name }) => name)).toEqual(["POST /admin/v1/tenants"]);
    expect(spans[0]?.attributes.map(({ key }) => key)).not.toContain("http.response.status_code");
  });

  test("a collector that is away holds up neither requests nor the end", async () => {
    const { server, lines } = await startTraced({ SCIM_TRACING_ENDPOINT: "http://127.0.0.1:9/v1/traces" });
    expect((await server.call("GET", "/Users")).status).toBe(200);
    await server.stop();
    expect(lines.filter((line) => line.includes("traces are lost"))).toHaveLength(1);
  });

  test("a collector that refuses them shows in the log, by what it answered", async () => {
    const { endpoint } = await startCollector(401);
    const { server, lines } = await startTraced({ SCIM_TRACING_ENDPOINT: endpoint });
    expect((await server.call("GET", "/Users")).status).toBe(200);
    await server.stop();
    const told = lines.filter((line) => line.includes("traces are lost")).map((line) => JSON.parse(line));
    expect(told).toMatchObject([{ level: 40, err: { code: 401 } }]);
  });

  test("are told to be lost once, and once to be sent again", () => {
    const { SUCCESS, FAILED } = ExportResultCode;
    const answers = [SUCCESS, FAILED, FAILED, SUCCESS, SUCCESS, FAILED];
    const results = answers.map((code) => ({ code, error: new Error("refused") }));
    const told: string[] = [];
    const exporter = tellingExporter(
      {
        export: (_spans, done) => done(results.shift() ?? { code: SUCCESS }),
        shutdown: async () => undefined,
      },
      outcomeTeller({
        onLost: (error) => told.push(String(error)),
        onSentAgain: () => told.push("sent again"),
      }),
    );
    const codes: ExportResultCode[] = [];
    while (results.length > 0) exporter.export([], ({ code }) => codes.push(code));
    expect(codes).toEqual(answers);
    expect(told).toEqual(["Error: refused", "sent again", "Error: refused"]);
  });
});
