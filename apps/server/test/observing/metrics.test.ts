import { describe, expect, test } from "vitest";
import { newFolder, serve } from "../command-line/program.ts";
import { ENGINES, SECRET_KEYS } from "../over-http/engines.ts";
import { exchange } from "../over-http/exchange.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";
import { sendPersonalRequests, TRACE_OF_PERSON } from "./personal-requests.ts";
import { samplesOf, totalOf, type Sample } from "./metric-text.ts";

const MEMORY = {
  SCIM_DATABASE_URL: "sqlite::memory:",
  SCIM_SECRET_KEYS: SECRET_KEYS,
  SCIM_ADMIN_TOKEN: newToken("admin"),
};

/** Reads the metrics of a server. */
async function scrape(origin: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await exchange(origin, { method: "GET", path: "/metrics", headers });
  return { ...answer, samples: answer.status === 200 ? samplesOf(answer.text) : [] };
}

/** The values that each label has. */
function valuesByLabel(samples: readonly Sample[]): Readonly<Record<string, readonly string[]>> {
  const values: Record<string, Set<string>> = {};
  for (const { labels } of samples)
    for (const [label, value] of Object.entries(labels)) (values[label] ??= new Set()).add(value);
  return Object.fromEntries(Object.entries(values).map(([label, set]) => [label, [...set].toSorted()]));
}

describe("/metrics", () => {
  test("is not served unless it is asked for", async () => {
    const { origin } = await startInProcess(MEMORY);
    expect((await scrape(origin)).status).toBe(404);
  });

  test("asks for the token of an admin where it is set to", async () => {
    const admin = newToken("admin");
    const token = newToken();
    const { origin } = await startInProcess({
      ...MEMORY,
      SCIM_METRICS: "admin",
      SCIM_ADMIN_TOKEN: admin,
      SCIM_TOKEN: token,
    });
    const told = async (authorization?: string) =>
      (await scrape(origin, authorization === undefined ? {} : { authorization })).status;
    expect(await told()).toBe(401);
    expect(await told(`Bearer ${token}`)).toBe(403);
    expect(await told(`Bearer ${newToken("admin")}`)).toBe(401);
    expect(await told(`Bearer ${admin}`)).toBe(200);
    // Who guesses is slowed down here too, and whoever has a valid token is not.
    const guess = newToken("admin");
    for (let round = 0; round < 10; round += 1) await told(`Bearer ${guess}`);
    expect(await told(`Bearer ${guess}`)).toBe(429);
    expect(await told(`Bearer ${admin}`)).toBe(200);
  });

  test.each(ENGINES)("counts requests, commits, caches and waiting events on $name", async (engine) => {
    const { environment } = await engine.make();
    const server = await startInProcess({ ...environment, SCIM_METRICS: "open" });
    const { path } = await server.user({ userName: "one", colour: "red" });
    for (let round = 0; round < 3; round += 1)
      await server.call("GET", `/Users?filter=${encodeURIComponent('userName eq "one"')}`);
    await server.call("GET", path);
    await server.call("GET", "/Users/none");
    const { samples, headers, text } = await scrape(server.origin);
    expect(headers["content-type"]).toContain("text/plain; version=0.0.4");
    // What Prometheus takes for a counter is one.
    expect(text.match(/^# TYPE \S+_total (?!counter$).*/gm)).toBeNull();
    const total = (name: string, labels: Readonly<Record<string, string>> = {}) =>
      totalOf(samples, name, labels);
    expect(total("scim_http_requests_total", { route: "/Users", method: "POST", status: "2xx" })).toBe(1);
    expect(total("scim_http_requests_total", { route: "/Users", method: "GET" })).toBe(3);
    expect(total("scim_http_requests_total", { route: "/Users/{id}", status: "4xx" })).toBe(1);
    expect(total("scim_http_request_duration_seconds_count", { route: "/Users" })).toBe(4);
    expect(total("scim_tenant_requests_total", { tenant: "default" })).toBe(6);
    expect(total("scim_errors_total", { code: "notFound" })).toBe(1);
    // Prometheus sees no increase of a series that begins above nothing.
    expect(total("scim_http_requests_total", { route: "/Users", method: "POST", status: "5xx" })).toBe(0);
    expect(total("scim_errors_total", { code: "uniqueness" })).toBe(0);
    for (const tenant of ["default", "other", "none"])
      expect(total("scim_tenant_requests_total", { tenant, status: "5xx" }), tenant).toBe(0);
    const dropped = { tenant: "default", connection: "default" };
    expect(total("scim_attributes_dropped_total", dropped)).toBe(1);
    expect(total("scim_switches_fired_total", { ...dropped, switch: "unknown-attributes" })).toBe(1);
    expect(total("scim_cache_hits_total", { cache: "filters" })).toBe(2);
    expect(total("scim_cache_misses_total", { cache: "filters" })).toBe(1);
    expect(total("scim_cache_misses_total", { cache: "validators" })).toBeGreaterThan(0);
    expect(total("scim_cache_hits_total", { cache: "tokens" })).toBeGreaterThan(0);
    expect(total("scim_cache_misses_total", { cache: "texts" })).toBe(1);
    expect(total("scim_store_up")).toBe(1);
    expect(total("scim_events_waiting")).not.toBeNull();
    expect(total("scim_events_waiting_seconds")).not.toBeNull();
    expect(total("scim_scans_running")).toBe(0);
    expect(total("scim_scans_waiting")).toBe(0);
    expect(total("scim_store_waiting")).toBe(0);
    expect(total("scim_http_connections")).toBeGreaterThan(0);
    expect(total("nodejs_eventloop_lag_seconds")).not.toBeNull();
    expect(total("process_resident_memory_bytes")).toBeGreaterThan(0);
    if (engine.name === "SQLite") expect(total("scim_store_commit_writes_sum")).toBeGreaterThan(0);
    else expect(total("scim_store_sessions")).toBeGreaterThan(0);
  });

  test("holds no personal value, and no label that clients or the number of tenants could make grow", async () => {
    const admin = newToken("admin");
    const server = await startInProcess({ ...MEMORY, SCIM_METRICS: "open", SCIM_ADMIN_TOKEN: admin });
    const rounds = async () => {
      await sendPersonalRequests(server);
      await exchange(server.origin, {
        method: "GET",
        path: `/admin/v1/quokka-${Math.random()}`,
        headers: { authorization: `Bearer ${admin}` },
      });
      return scrape(server.origin);
    };
    const first = await rounds();
    const second = await rounds();
    expect(TRACE_OF_PERSON.exec(second.text.toLowerCase())).toBeNull();
    const { tenant, connection, method, route } = valuesByLabel(second.samples);
    expect({ tenant, connection }).toEqual({
      tenant: ["admin", "default", "none", "other"],
      connection: ["default"],
    });
    expect(method).toEqual(["DELETE", "GET", "PATCH", "POST", "PUT", "other"]);
    expect(route).toEqual([
      "/.search",
      "/Bulk",
      "/Users",
      "/Users/{id}",
      "/{endpoint}",
      "/{endpoint}/{id}",
      "unknown",
    ]);
    const ours = ({ samples }: typeof first) => samples.filter(({ name }) => name.startsWith("scim_"));
    expect(ours(second)).toHaveLength(ours(first).length);
  });

  test("names the tenants that it is told to, and counts all others together", async () => {
    const server = await startInProcess({
      ...MEMORY,
      SCIM_METRICS: "open",
      SCIM_METRICS_TENANTS: "acme",
    });
    await server.call("GET", "/Users");
    const { samples } = await scrape(server.origin);
    expect(totalOf(samples, "scim_tenant_requests_total", { tenant: "default" })).toBeNull();
    expect(totalOf(samples, "scim_tenant_requests_total", { tenant: "other" })).toBe(1);
  });

  test("counts errors of the admin API and of the tools by their codes too", async () => {
    const admin = newToken("admin");
    const { origin } = await startInProcess({
      ...MEMORY,
      SCIM_ADMIN_TOKEN: admin,
      SCIM_METRICS: "open",
      SCIM_TOOLS: "on",
    });
    const authorization = `Bearer ${admin}`;
    const json = { "content-type": "application/json" };
    const asked = [
      { path: "/admin/v1/tenants", code: "unauthorized", status: 401 },
      { path: "/admin/v1/tenants/nobody", headers: { authorization }, code: "notFound", status: 404 },
      { path: "/admin/v1/nowhere", headers: { authorization }, code: "notFound", status: 404 },
      {
        method: "POST",
        path: "/admin/v1/tenants",
        headers: { authorization, ...json },
        body: '{"name":"a b"}',
        code: "invalidValue",
        status: 400,
      },
      { path: "/mcp", code: "methodNotAllowed", status: 405 },
    ];
    const before = (await scrape(origin)).samples;
    for (const { code: _code, status, method = "GET", ...request } of asked)
      expect((await exchange(origin, { method, ...request })).status).toBe(status);
    const after = (await scrape(origin)).samples;
    for (const each of new Set(asked.map(({ code }) => code))) {
      const count = asked.filter(({ code }) => code === each).length;
      const of = (samples: readonly Sample[]): number =>
        totalOf(samples, "scim_errors_total", { code: each }) ?? 0;
      expect([each, of(after) - of(before)]).toEqual([each, count]);
    }
  });

  test("any of several workers answers for all of them", async () => {
    const environment = { SCIM_TOKEN: newToken(), SCIM_METRICS: "open" };
    const server = await serve({ folder: newFolder(), environment }, "--workers", "2");
    const headers = { authorization: `Bearer ${environment.SCIM_TOKEN}`, connection: "close" };
    const reads = async () => {
      const calls = Array.from({ length: 10 }, () =>
        exchange(server.origin, { method: "GET", path: "/scim/v2/Users", headers }),
      );
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200));
    };
    const totals = async () => {
      const { samples } = await scrape(server.origin, { connection: "close" });
      return {
        requests: totalOf(samples, "scim_http_requests_total", { route: "/Users" }),
        processes: totalOf(samples, "scim_processes"),
        up: totalOf(samples, "scim_store_up"),
      };
    };
    await reads();
    const answers = [await totals(), await totals(), await totals(), await totals()];
    expect(answers).toEqual(answers.map(() => ({ requests: 10, processes: 2, up: 1 })));
    const pids = new Set(
      server
        .stdout()
        .split("\n")
        .filter((line) => line.includes('"route":"/Users"'))
        .map((line) => /"worker":(?<worker>\d+)/.exec(line)?.groups?.["worker"]),
    );
    expect(pids.size).toBe(2);
  });
});
