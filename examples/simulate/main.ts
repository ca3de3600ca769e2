/**
 * Asks whether identity providers could work with a service, without a tenant at any of them: acts out the life cycle of each
 * against a service of another make (scimmy-routers), and asserts what it finds there.
 * @module
 */
import { deepEqual, equal } from "node:assert/strict";
import { IDENTITY_PROVIDERS, simulate, type SimulationReport } from "@scim/sync";
import { startOldService } from "../migrate-from-scimmy/old-service.ts";

/** The service keeps no userName apart: two people may have the same. */
const TWICE = ["create-user-again"];

/** The steps in which each would fail. */
const FAILS: Readonly<Record<string, readonly string[]>> = {
  entra: [
    // It compares userName and displayName by letter case.
    "match-user",
    // A path whose filter matches nothing is refused, and so is a manager or a boolean as a text.
    "add-by-filter",
    "set-manager",
    // A path with a filter leads to lists alone.
    "remove-manager-by-value",
    "disable-user",
    "match-group",
    ...TWICE,
    "match-after-conflict",
    "soft-delete-user",
  ],
  okta: TWICE,
  onelogin: TWICE,
  // emails may not be null; so the second user is missing, and the group has no members when one is removed.
  jumpcloud: ["create-second-user", "remove-member", ...TWICE],
  google: TWICE,
};

const service = await startOldService();
try {
  for (const scenario of Object.values(IDENTITY_PROVIDERS)) {
    const report = await simulate(scenario, { target: service.baseUrl, auth: service.token });
    tell(report);
    deepEqual(failedSteps(report), FAILS[scenario.id]);
    deepEqual(report.leftBehind, []);
  }
  equal(await count(), 0, "Everything that was made is gone");
} finally {
  await service.stop();
}

function failedSteps({ steps }: SimulationReport): readonly string[] {
  return steps.filter(({ outcome }) => outcome === "failed").map(({ id }) => id);
}

function tell({ name, steps }: SimulationReport): void {
  console.log(`${name}: ${steps.filter(({ outcome }) => outcome === "passed").length} of ${steps.length}`);
  for (const { does, findings } of steps)
    for (const { fault, mend } of findings) console.log(`  it ${does}: ${fault}\n    ${mend}`);
}

/** How many users and groups there are. */
async function count(): Promise<number> {
  const totals = ["/Users", "/Groups"].map(async (path) => {
    const headers = { authorization: `Bearer ${service.token}` };
    const response = await fetch(`${service.baseUrl}${path}`, { headers });
    // A list says how many it has.
    const { totalResults } = (await response.json()) as { readonly totalResults: number };
    return totalResults;
  });
  const [users = 0, groups = 0] = await Promise.all(totals);
  return users + groups;
}
