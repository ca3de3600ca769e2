import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { at, deployFile, yamlOf } from "./files.ts";
import { promqlFault } from "./promql.ts";

const CASES = fileURLToPath(new URL("alarms.promtool.yaml", import.meta.url));

/** Groups and rules are lists by Prometheus's schema. */
const rules = yamlOf(deployFile("prometheus/rules.yaml"))
  .flatMap((document) => at(document, "groups") as readonly unknown[])
  .flatMap((group) => at(group, "rules") as readonly unknown[]);

describe("the rules of Prometheus", () => {
  test("are PromQL", () => {
    expect(rules.map((rule) => promqlFault(String(at(rule, "expr")))).filter(Boolean)).toEqual([]);
    expect(promqlFault("sum(rate(scim_http_requests_total[5m])) by > 1")).not.toBeNull();
  });

  test("ask for metrics that are documented", () => {
    const documented = new Set(deployFile("../docs/observing.md").match(/\bscim_\w+/g));
    const asked = rules.flatMap((rule) => String(at(rule, "expr")).match(/\bscim_\w+/g) ?? []);
    expect(asked.length).toBeGreaterThanOrEqual(rules.length - 1);
    expect(asked.filter((name) => !documented.has(name))).toEqual([]);
  });

  test("are explained one by one", () => {
    const text = deployFile("../docs/deployment.md");
    const names = rules.map((rule) => String(at(rule, "alert")));
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  test("go off when they should, and not where all is well, as far as there is promtool", () => {
    const { error, status, stdout, stderr } = spawnSync("promtool", ["test", "rules", CASES], {
      encoding: "utf8",
    });
    expect(error === undefined ? [status, stdout + stderr] : [0, "SUCCESS"]).toEqual([
      0,
      expect.stringContaining("SUCCESS"),
    ]);
  });
});
