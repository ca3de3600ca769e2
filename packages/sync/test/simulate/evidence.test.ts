import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { IDENTITY_PROVIDERS, type Evidence, type Scenario } from "@scim/sync";

const page = readFileSync(new URL("../../../../docs/simulate.md", import.meta.url), "utf8");

function stepsOf({ steps }: Scenario, wanted: Evidence): readonly string[] {
  return steps.filter(({ evidence = "documented" }) => evidence === wanted).map(({ id }) => id);
}

function named(steps: readonly string[]): string {
  return steps.map((id) => `\`${id}\``).join(", ");
}

test("the page tells of each identity provider which steps are recorded, and which are inferred", () => {
  const rows = Object.values(IDENTITY_PROVIDERS).map((scenario) => {
    const [documented, observed, inferred, unverified] = (
      ["documented", "observed", "inferred", "unverified"] as const
    ).map((evidence) => stepsOf(scenario, evidence));
    const cells = [
      documented?.length ?? 0,
      ...[observed, inferred, unverified].map((ids) => named(ids ?? [])),
    ];
    return `| \`${scenario.id}\` | ${cells.join(" | ")} |`;
  });
  expect(page).toContain(rows.join("\n"));
});
