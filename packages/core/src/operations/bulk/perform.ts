/**
 * Does single operations of a bulk job, each as a request of its own.
 * @module
 */
import type { JsonValue } from "@scim/schemas";
import type { ChangeRequest } from "../../requests.ts";
import { performChange } from "../change-operations.ts";
import type { BulkJob, Made } from "./job.ts";
import type { Task } from "./operation.ts";
import { readReference } from "./reference-text.ts";

/** What the request of an operation has no word for. */
export const PLAIN = { attributes: null, excludedAttributes: null, prefer: null } as const;

/** Does an operation whose references are all known, and notes what became of it. Never rejects. */
export async function perform(job: BulkJob, index: number): Promise<void> {
  const task = job.task(index);
  if (task === null) {
    job.failUnread(index);
    return;
  }
  try {
    job.succeed(index, await performTask(job, task));
  } catch (error) {
    job.fail(index, error);
  }
}

async function performTask(job: BulkJob, task: Task): Promise<Made> {
  const { context, changes, authorize, rewrite } = job.setting;
  authorize(task.type.name, task.operation);
  const { data } = rewrite(task, job.resolve);
  const change = changeOf(task, data, job);
  const performed = await performChange(changes, context, change);
  // Nobody is sent the resource.
  if (performed.answer?.kind === "resource") await performed.answer.stream?.close();
  return { ...performed, id: change.operation === "create" ? idOf(performed) : change.request.id };
}

function changeOf(task: Task, body: JsonValue, job: BulkJob): ChangeRequest {
  const type = task.type.name;
  if (task.operation === "create") return { operation: "create", request: { ...PLAIN, type, body } };
  const reference = readReference(task.id);
  const id = reference === null ? task.id : job.resolve(reference.bulkId);
  const { precondition, operation } = task;
  if (operation === "delete") return { operation, request: { type, id, precondition } };
  // Collections may be long, and the answer shows none of them.
  const excludedAttributes = task.model.collections.map(({ node }) => node.path);
  const isShort = operation === "patch" || excludedAttributes.length === 0;
  const projection = { ...PLAIN, ...(isShort ? {} : { excludedAttributes }), streams: true };
  return { operation, request: { ...projection, type, id, body, precondition } };
}

/** The id of a resource that was made. */
export function idOf({ answer }: Pick<Made, "answer">): string {
  const id = answer?.kind === "resource" ? answer.resource["id"] : undefined;
  if (typeof id !== "string") throw new TypeError("A resource was made without an id");
  return id;
}
