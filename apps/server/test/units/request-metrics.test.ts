import * as prometheus from "prom-client";
import { expect, test } from "vitest";
import { createRequestMetrics } from "../../src/metrics/request-metrics.ts";
import { samplesOf, totalOf } from "../observing/metric-text.ts";

test("a client that went away is no failure of the service", async () => {
  const registry = new prometheus.Registry();
  const { onRequestDone: count } = createRequestMetrics({
    prometheus,
    registry,
    tenants: new Set(["acme"]),
    endpoints: new Set(),
  });
  const cut = { requestId: "r-1", method: "POST", route: "/Users", durationMs: 2, credential: "t-1" };
  const caller = { tenant: "acme", connection: "okta", switches: [], failedOperations: [], filterPlan: null };
  count({
    ...cut,
    ...caller,
    status: 500,
    errorCode: "internal",
    failure: new Error("cut"),
    aborted: true,
    late: false,
  });
  const samples = samplesOf(await registry.metrics());
  expect(totalOf(samples, "scim_http_requests_aborted_total")).toBe(1);
  for (const name of ["scim_http_requests_total", "scim_tenant_requests_total", "scim_errors_total"])
    expect(totalOf(samples, name) ?? 0, name).toBe(0);
});

/** Forms of address of a process that are told apart beside those of the service's own types: see docs/observing.md. */
const MOST_ROUTES = 300;

test("types that tenants have of their own, which come and go, make no more series than there may be", async () => {
  const registry = new prometheus.Registry();
  const endpoints = new Set(["/Users"]);
  const { onRequestDone: count } = createRequestMetrics({
    prometheus,
    registry,
    tenants: new Set(),
    endpoints,
  });
  const caller = {
    tenant: "acme",
    connection: "okta",
    credential: "t-1",
    switches: [],
    failedOperations: [],
  };
  const record = {
    ...caller,
    requestId: "r-1",
    method: "GET",
    durationMs: 2,
    filterPlan: null,
    status: 200,
    errorCode: null,
    failure: undefined,
    aborted: false,
    late: false,
  };
  for (let type = 0; type < 2 * MOST_ROUTES; type += 1) count({ ...record, route: `/Type${type}/{id}` });
  for (const route of ["/Users", "/Users/{id}", "/.dry-run/Users"]) count({ ...record, route });
  const samples = samplesOf(await registry.metrics());
  const routes = new Map<string, number>();
  for (const { name, labels, value } of samples) {
    const { route = "" } = labels;
    if (name === "scim_http_requests_total") routes.set(route, (routes.get(route) ?? 0) + value);
  }
  expect(routes.size).toBe(MOST_ROUTES + 1 + 3);
  expect([routes.get("other"), routes.get("/Users"), routes.get("/.dry-run/Users")]).toEqual([
    MOST_ROUTES,
    1,
    1,
  ]);
});
