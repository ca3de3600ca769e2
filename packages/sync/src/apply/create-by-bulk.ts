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

/** Cuts creations into batches, as long as they go on; what is left then is left to the iterator. */
export function* batchesOf(
  steps: Iterator<CreateStep, unknown>,
  size: number,
  goesOn: () => boolean,
): Generator<readonly CreateStep[], void, undefined> {
  while (goesOn()) {
    const batch: CreateStep[] = [];
    while (batch.length < size) {
      const next = steps.next();
      if (next.done === true) break;
      batch.push(next.value);
    }
    if (batch.length === 0) return;
    yield batch;
  }
}

/** What became of a batch. */
export interface BatchOutcome {
  readonly steps: readonly { readonly step: CreateStep; readonly outcome: OperationOutcome }[];
  /** Whether the target took it as a bulk request, so that it may take further ones. */
  readonly taken: boolean;
}

/** Creates a batch. */
export async function createByBulk(
  client: ScimClient,
  resources: ResourceClient<DynamicShape>,
  batch: readonly CreateStep[],
): Promise<BatchOutcome> {
  const job = client.bulk();
  const entries = batch.map((step) => ({ step, entry: job.create(resources, step.resource) }));
  const done = await job.run().catch(nothingSent);
  const steps = entries.map(({ step, entry }) => ({
    step,
    outcome: done?.of(entry) ?? ({ kind: "untried" } as const),
  }));
  const isRefused = steps.some(({ outcome }) => outcome.kind === "failed" && isOfBulk(outcome.error));
  return { steps, taken: !isRefused && (done === null || done.settled === 0) };
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
