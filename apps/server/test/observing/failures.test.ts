import pino from "pino";
import { expect, test } from "vitest";
import { ENGINES } from "../over-http/engines.ts";
import { exchange } from "../over-http/exchange.ts";
import { startStreams } from "../security-events/stream-server.ts";
import { message, post } from "../tools/agents.ts";
import { samplesOf, totalOf } from "./metric-text.ts";

test.each(ENGINES)(
  "what the service itself fails at is one line with its cause, and an error in the metrics, on $name",
  async ({ make }) => {
    const database = await make();
    const lines: string[] = [];
    const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
    const server = await startStreams({ ...database.environment, SCIM_METRICS: "open" }, log);
    const stream = await server.stream({ method: "poll" });
    const before = lines.length;
    const failed = () =>
      lines
        .slice(before)
        .map((line) => JSON.parse(line))
        .filter(({ msg }) => msg === "request failed");

    await database.query("ALTER TABLE event_receivers RENAME COLUMN id TO gone");
    expect(await server.ask("GET", "/tenants/default/webhooks")).toMatchObject({
      status: 500,
      body: { status: "500", detail: expect.stringMatching(/^The service failed to answer\./) },
    });
    expect(await server.poll(stream)).toMatchObject({ status: 500, body: { err: "server_error" } });
    await database.query("ALTER TABLE tokens RENAME COLUMN id TO gone");
    expect(await post(server, message("scim_server_info"))).toMatchObject({
      status: 500,
      body: { error: { data: { status: 500, code: "internal" } } },
    });

    expect(failed()).toMatchObject(
      ["/admin/v1/tenants/:tenant/webhooks", "/events/:tenant/:id/poll", "/rpc"].map((route) => ({
        level: 50,
        route,
        status: 500,
        error: "internal",
        err: { stack: expect.any(String) },
      })),
    );
    const { text } = await exchange(server.origin, { method: "GET", path: "/metrics" });
    expect(totalOf(samplesOf(text), "scim_errors_total", { code: "internal" })).toBe(3);
  },
);
