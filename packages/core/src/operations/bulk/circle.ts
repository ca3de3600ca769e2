/**
 * Resources of a bulk job that refer to each other in a circle, or to themselves (RFC 7644 §3.7.1): each is made
 * without the references to those that come after it, and gets them when all are there. None is left half-made:
 * where one fails, all of them are deleted again, since each refers to the failed one, if only through others.
 * @module
 */
import { ScimError } from "@scim/schemas";
import { tellingOnce, withSignal, type RequestContext } from "../../context.ts";
import type { ResourceAnswer } from "../../answers.ts";
import { pause } from "../../pause.ts";
import { NO_VERSION } from "../../store/stored-resource.ts";
import { BETWEEN_TURNS, type BulkJob } from "./job.ts";
import type { CreateTask } from "./operation.ts";
import { idOf, PLAIN } from "./perform.ts";
import type { RewrittenData } from "./task-references.ts";

/** A resource that is there, but may lack references. */
interface Begun {
  readonly index: number;
  readonly task: CreateTask;
  readonly context: RequestContext;
  readonly id: string;
  readonly answer: ResourceAnswer;
  readonly isWhole: boolean;
}

/** A failure, and whose it is. */
class CircleFailure extends Error {
  readonly index: number;

  constructor(index: number, cause: unknown) {
    super("A resource of a circle could not be made", { cause });
    this.index = index;
  }
}

/** Makes all resources of a circle, or none, and notes what became of each. Never rejects. */
export async function createCircle(job: BulkJob, indexes: readonly number[]): Promise<void> {
  const begun = new Map<number, Begun>();
  try {
    for (const index of await inOrder(job, indexes)) begun.set(index, await begin(job, index, begun));
    const answers = new Map<number, ResourceAnswer>();
    for (const each of begun.values()) answers.set(each.index, await complete(job, each, begun));
    for (const [index, answer] of answers) job.succeed(index, { id: idOf({ answer }), status: 201, answer });
  } catch (thrown) {
    const failure = thrown instanceof CircleFailure ? thrown : new CircleFailure(indexes[0] ?? 0, thrown);
    await failAll(job, indexes, { failure, begun });
  }
}

/**
 * The order in which the resources can be made: one that has to refer to another comes after it. Others have their turn in
 * between.
 * @throws CircleFailure where resources have to refer to each other, and so none can be the first
 */
async function inOrder(job: BulkJob, indexes: readonly number[]): Promise<readonly number[]> {
  const waiting = new Set(indexes);
  const referrers = referrersOf(job, indexes);
  const order: number[] = [];
  const candidates = [...indexes];
  let looked = 0;
  for (const index of candidates) {
    if (!waiting.has(index)) continue;
    looked += 1;
    if (looked % BETWEEN_TURNS === 0) await pause(job.setting.context);
    if (lostWithout(job, index, waiting) !== null) continue;
    waiting.delete(index);
    order.push(index);
    candidates.push(...(referrers.get(index) ?? []));
  }
  const [first] = waiting;
  if (first === undefined) return order;
  throw new CircleFailure(first, unresolvable(lostWithout(job, first, waiting)));
}

/** Who refers to each resource. */
function referrersOf(job: BulkJob, indexes: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const referrers = new Map<number, number[]>(indexes.map((index) => [index, []]));
  for (const index of indexes) for (const target of job.awaited(index)) referrers.get(target)?.push(index);
  return referrers;
}

/** Path of a required attribute that has no value without the references to some resources; null where none. */
function lostWithout(job: BulkJob, index: number, places: ReadonlySet<number>): string | null {
  const resolve = (bulkId: string): null | undefined =>
    places.has(job.placeOf(bulkId) ?? -1) ? null : undefined;
  return job.setting.rewrite(taskOf(job, index), resolve).lost;
}

function unresolvable(path: string | null): ScimError {
  return new ScimError(
    "conflict",
    `Attribute '${path ?? ""}' is required, and refers to a resource that cannot be made before this one: make one of them without the other first.`,
  );
}

/** Makes a resource with the references that are known by now. */
async function begin(job: BulkJob, index: number, begun: ReadonlyMap<number, Begun>): Promise<Begun> {
  const task = taskOf(job, index);
  const { changes, authorize } = job.setting;
  const context = tellingOnce(job.setting.context);
  try {
    authorize(task.type.name, "create");
    let isWhole = true;
    const { data, lost } = rewriteIn(job, task, (place) => {
      const id = begun.get(place)?.id ?? null;
      isWhole &&= id !== null;
      return id;
    });
    if (lost !== null) throw unresolvable(lost);
    const answer = await changes.create(context, { ...PLAIN, type: task.type.name, body: data });
    return { index, task, context, id: idOf({ answer }), answer, isWhole };
  } catch (error) {
    throw new CircleFailure(index, error);
  }
}

/** Sets the references that a resource lacks, unless somebody has changed it by now. */
async function complete(
  job: BulkJob,
  { index, task, context, id, answer, isWhole }: Begun,
  begun: ReadonlyMap<number, Begun>,
): Promise<ResourceAnswer> {
  if (isWhole) return answer;
  const { data } = rewriteIn(job, task, (place) => begun.get(place)?.id ?? null);
  const precondition = {
    ifMatch: answer.version === NO_VERSION ? null : [answer.version],
    ifNoneMatch: null,
  };
  const request = { ...PLAIN, type: task.type.name, id, body: data, precondition };
  try {
    return await job.setting.changes.replace(context, request);
  } catch (error) {
    throw new CircleFailure(index, error);
  }
}

/** Rewrites data: `idIn` answers for the places of the circle, the job for all others. */
function rewriteIn(job: BulkJob, task: CreateTask, idIn: (place: number) => string | null): RewrittenData {
  return job.setting.rewrite(task, (bulkId) => {
    const place = job.placeOf(bulkId);
    return place === undefined || job.isDone(place) ? job.resolve(bulkId) : idIn(place);
  });
}

/**
 * Deletes what was made, and notes the failure and what it means for the others. Nothing is left of them: those beyond the
 * failures that the client allows count as not tried.
 */
async function failAll(
  job: BulkJob,
  indexes: readonly number[],
  { failure, begun }: { readonly failure: CircleFailure; readonly begun: ReadonlyMap<number, Begun> },
): Promise<void> {
  const place = String(failure.index);
  const left = new Map<number, Error>();
  for (const index of indexes) {
    const error = await undo(job, begun.get(index));
    if (error !== null) left.set(index, error);
  }
  job.fail(failure.index, left.get(failure.index) ?? failure.cause);
  left.delete(failure.index);
  for (const [index, error] of left) job.fail(index, error);
  for (const index of indexes) {
    if (job.isOver || job.isDone(index)) continue;
    const text = `The operation belongs to a circle of references with Operations[${place}], and that failed.`;
    job.fail(index, new ScimError("conflict", text));
  }
}

/** Deletes a resource that was made; answers the error where even that fails. */
async function undo(job: BulkJob, begun: Begun | undefined): Promise<Error | null> {
  if (begun === undefined) return null;
  const { id, task } = begun;
  // Also for a client that has gone away, and whatever the version: the resource was never whole.
  const context = withSignal(begun.context, () => undefined);
  const precondition = { ifMatch: "*", ifNoneMatch: null } as const;
  try {
    await job.setting.changes.delete(context, { type: task.type.name, id, precondition });
    return null;
  } catch (error) {
    return new Error("A resource of a circle of references could not be deleted again", { cause: error });
  }
}

function taskOf(job: BulkJob, index: number): CreateTask {
  const task = job.createTask(index);
  if (task === null) throw new TypeError(`Operation ${String(index)} of the job creates nothing`);
  return task;
}
