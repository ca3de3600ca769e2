/**
 * Creates many resources by bulk requests.
 * @module
 */
import {
  ServiceError,
  UsageError,
  type DynamicShape,
  type OperationOutcome,
  type ResourceClient,
  type ScimClient,
} from "@scim/client";
import type { CreateStep } from "../plan/plan.ts";

/** Cuts creations into batches. */
export function* batchesOf(
  steps: Iterable<CreateStep>,
  size: number,
): Generator<readonly CreateStep[], void, undefined> {
  let batch: CreateStep[] = [];
  for (const step of steps) {
    batch.push(step);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Creates a batch; tells what became of each. */
export async function createByBulk(
  client: ScimClient,
  resources: ResourceClient<DynamicShape>,
  steps: readonly CreateStep[],
): Promise<readonly { readonly step: CreateStep; readonly outcome: OperationOutcome }[]> {
  const job = client.bulk();
  const entries = steps.map((step) => ({ step, entry: job.create(resources, step.resource) }));
  const outcome = await job.run().catch(nothingSent);
  return entries.map(({ step, entry }) => ({ step, outcome: outcome?.of(entry) ?? { kind: "untried" } }));
}

/** Where a resource takes more than a bulk request may, nothing is sent. @throws what tells something else */
function nothingSent(error: unknown): null {
  if (error instanceof UsageError && error.code === "jobTooLarge") return null;
  throw error;
}

/** Statuses by which a service says that it has no bulk, or takes less than it said. */
const OF_BULK: ReadonlySet<number> = new Set([404, 405, 413, 501]);

/** Whether an error is about the bulk request, and says nothing of the resource. */
export function isOfBulk(error: unknown): boolean {
  return error instanceof ServiceError && OF_BULK.has(error.status);
}
