import type { Tracer } from "@opentelemetry/api";
import type { ClientSpan, ClientTracer } from "@scim/client";
import { expect, expectTypeOf, test } from "vitest";
import { aUser, scripted } from "./support/scripted.ts";

test("each attempt is a span, and the service is told of it", async () => {
  const spans: {
    name: string;
    attributes: Record<string, string | number>;
    status: number;
    ended: boolean;
  }[] = [];
  const tracer: ClientTracer = {
    startSpan: (name, { kind, attributes }): ClientSpan => {
      const span = { name, attributes: { ...attributes, kind }, status: 0, ended: false };
      spans.push(span);
      return {
        spanContext: () => ({
          traceId: "a".repeat(32),
          spanId: String(spans.length).padStart(16, "0"),
          traceFlags: 1,
        }),
        setAttribute: (key, value) => Object.assign(span.attributes, { [key]: value }),
        setStatus: ({ code }) => {
          span.status = code;
        },
        end: () => {
          span.ended = true;
        },
      };
    },
  };
  const { client, requests } = scripted(
    [{ status: 503 }, { fails: "broken" }, { body: aUser() }, { body: {} }],
    { tracer },
  );
  await client.users.get("1");
  await client.request({ method: "GET", path: "/Users/.search" });
  const about = {
    kind: 2,
    "http.request.method": "GET",
    "url.template": "/Users/{id}",
    "server.address": "id.example",
  };
  expect(spans).toEqual([
    {
      name: "GET /Users/{id}",
      attributes: { ...about, "http.response.status_code": 503, "error.type": "503" },
      status: 2,
      ended: true,
    },
    {
      name: "GET /Users/{id}",
      attributes: { ...about, "http.request.resend_count": 1, "error.type": "broken" },
      status: 2,
      ended: true,
    },
    {
      name: "GET /Users/{id}",
      attributes: { ...about, "http.request.resend_count": 2, "http.response.status_code": 200 },
      status: 0,
      ended: true,
    },
    expect.objectContaining({ name: "GET /Users/.search" }),
  ]);
  expect(requests[2]?.headers["traceparent"]).toBe(`00-${"a".repeat(32)}-0000000000000003-01`);
});

test("a tracer of OpenTelemetry fits", () => {
  expectTypeOf<Tracer>().toExtend<ClientTracer>();
});
