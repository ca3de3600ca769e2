/**
 * Creates many resources by bulk requests.
 * @module
 */
import {
  ServiceError,
  type DynamicShape,
  type OperationOutcome,
  type ResourceClient,
  type ScimClient,
} from "@scim/client";
import type { CreateStep } from "../plan/plan.ts";

/** Creations of one type. */
export interface Batch {
  readonly type: string;
  readonly steps: readonly CreateStep[];
}

/** Cuts the creations of one type into batches. */
export function* batchesOf(steps: readonly CreateStep[], size: number): Generator<Batch, void, undefined> {
  for (let at = 0; at < steps.length; at += size)
    yield { type: steps[at]?.type ?? "", steps: steps.slice(at, at + size) };
}

/** Creates a batch; tells what became of each. */
export async function createByBulk(
  client: ScimClient,
  resources: ResourceClient<DynamicShape>,
  steps: readonly CreateStep[],
): Promise<readonly { readonly step: CreateStep; readonly outcome: OperationOutcome }[]> {
  const job = client.bulk();
  const entries = steps.map((step) => ({ step, entry: job.create(resources, step.resource) }));
  const outcome = await job.run();
  return entries.map(({ step, entry }) => ({ step, outcome: outcome.of(entry) }));
}

/** Statuses by which a service says that it has no bulk, or takes less than it said. */
const OF_BULK: ReadonlySet<number> = new Set([404, 405, 413, 501]);

/** Whether an error is about the bulk request, and says nothing of the resource. */
export function isOfBulk(error: unknown): boolean {
  return error instanceof ServiceError && OF_BULK.has(error.status);
}
