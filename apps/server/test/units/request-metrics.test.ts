import * as prometheus from "prom-client";
import { expect, test } from "vitest";
import { createRequestMetrics } from "../../src/metrics/request-metrics.ts";
import { samplesOf, totalOf } from "../observing/metric-text.ts";

test("a client that went away is no failure of the service", async () => {
  const registry = new prometheus.Registry();
  const count = createRequestMetrics({ prometheus, registry, tenants: new Set(["acme"]) });
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
