/**
 * Bulk jobs (RFC 7644 §3.7): many operations, each as atomic as a request of its own. Nothing is rolled back.
 * @module
 */
import type { JsonValue } from "@scim/schemas";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { BulkAnswer } from "../../answers.ts";
import type { BulkRequest } from "../../requests.ts";
import type { ScimService } from "../../service.ts";
import { identify } from "../me.ts";
import { createCircle } from "./circle.ts";
import { componentsFrom } from "./components.ts";
import { BulkJob } from "./job.ts";
import { readOperations } from "./operation.ts";
import { perform } from "./perform.ts";
import { readEnvelope } from "./envelope.ts";
import { dataRewriter } from "./task-references.ts";
import { performTogether } from "./together.ts";
import { wantedValues } from "./wanted-values.ts";

/** POST operations that run at the same time: the store writes them in one go. */
const AT_ONCE = 64;

/** What a job is done with. */
export type BulkOperations = Pick<ScimService, "types" | "create" | "replace" | "patch" | "delete">;

/** Does a bulk job. */
export async function runBulk(
  environment: Environment,
  service: BulkOperations,
  { context, request }: { readonly context: RequestContext; readonly request: BulkRequest },
): Promise<BulkAnswer> {
  const { failOnErrors, operations } = readEnvelope(request.body, environment.limits.bulkOperations);
  const mostFailures = failOnErrors ?? Number.POSITIVE_INFINITY;
  const job = createJob(environment, service, { context, request, operations, mostFailures });
  await job.findReferences();
  await run(job, failOnErrors === null ? AT_ONCE : 1);
  return { kind: "bulk", operations: job.answers };
}

function createJob(
  environment: Environment,
  service: BulkOperations,
  input: {
    readonly context: RequestContext;
    readonly request: BulkRequest;
    readonly operations: readonly JsonValue[];
    readonly mostFailures: number;
  },
): BulkJob {
  const { context, request, mostFailures } = input;
  const operations = readOperations(input.operations, {
    baseUrl: context.baseUrl,
    types: service.types(context),
    modelOf: ({ name }) => environment.catalog.model(name),
    me: () => identify(environment, context),
  });
  const rewrite = dataRewriter(environment, context.profile);
  const { authorize } = request;
  return new BulkJob({ context, changes: service, authorize, rewrite, mostFailures }, operations);
}

/**
 * Does the operations in their order, save that those come first which others refer to. POST operations that
 * follow each other and refer to nothing that is still to be made run together, unless they want the same unique value:
 * that the first gets, however long its hooks, the hash of its secret and the database take.
 * @param atOnce POST operations that may run at the same time
 */
async function run(job: BulkJob, atOnce: number): Promise<void> {
  const together: number[] = [];
  const wanted = new Set<string>();
  const finish = async (): Promise<void> => {
    job.setting.context.signal?.throwIfAborted();
    wanted.clear();
    await performTogether(job, together.splice(0));
  };
  for (let index = 0; index < job.size && !job.isOver; index += 1) {
    if (job.isDone(index)) continue;
    const task = job.createTask(index);
    if (task === null || job.awaited(index).length > 0) await finish();
    if (task !== null && job.awaited(index).length === 0) {
      const values = wantedValues(task, job.setting.context);
      if (values.some((value) => wanted.has(value))) await finish();
      for (const value of values) wanted.add(value);
      together.push(index);
      if (together.length >= atOnce) await finish();
      continue;
    }
    for (const component of componentsFrom(index, (each) => job.awaited(each))) {
      if (job.isOver) return;
      await finish();
      await performComponent(job, component);
    }
  }
  await finish();
}

/** Does an operation, or several POST operations that refer to each other. */
async function performComponent(job: BulkJob, component: readonly number[]): Promise<void> {
  const [only = 0, ...others] = component;
  if (others.length > 0 || job.awaited(only).includes(only)) await createCircle(job, component);
  else await perform(job, only);
}
