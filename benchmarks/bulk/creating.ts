/**
 * A bulk job of creates against the same creates one after another, on one connection each.
 * @module
 */
import { BULK_REQUEST_URN, type JsonObject } from "@scim/schemas";
import { send } from "../http/load.ts";
import { startOurs, type Target } from "../http/start.ts";
import type { Report } from "../report.ts";
import { SAMPLE_USER } from "../sample-user.ts";

const CREATES = 1000;
const ROUNDS = 3;
const LEAST = 3;

let made = 0;

function users(): readonly JsonObject[] {
  return Array.from({ length: CREATES }, () => {
    made += 1;
    return { ...SAMPLE_USER, userName: `bulk-${String(made)}`, externalId: `bulk-${String(made)}` };
  });
}

/** Measures both in turn on one server; the fastest round of each counts. */
export async function measureBulk(report: Report): Promise<void> {
  const target = await startOurs();
  try {
    const [together, alone]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      together.push(await timeOf(() => inBulk(target)));
      alone.push(await timeOf(() => oneByOne(target)));
    }
    report.compare(
      `create ${CREATES} Users`,
      { name: "a bulk job", value: Math.min(...together), unit: "ms" },
      { name: "one request after another", value: Math.min(...alone), unit: "ms" },
      LEAST,
    );
  } finally {
    await target.stop();
  }
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function inBulk(target: Target): Promise<void> {
  const operations = users().map((data, index) => ({
    method: "POST",
    path: "/Users",
    bulkId: `b${String(index)}`,
    data,
  }));
  const answer = await send(target, "POST", "/Bulk", { schemas: [BULK_REQUEST_URN], Operations: operations });
  const { Operations: results } = JSON.parse(answer);
  const created = results.filter(({ status }: { readonly status: string }) => status === "201").length;
  if (created !== CREATES) throw new Error(`The bulk job created ${String(created)} of ${CREATES}.`);
}

async function oneByOne(target: Target): Promise<void> {
  for (const user of users()) await send(target, "POST", "/Users", user);
}
