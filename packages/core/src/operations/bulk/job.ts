/**
 * The state of a bulk job: what was asked, what refers to what, and what became of each operation.
 * @module
 */
import { isScimError, ScimError } from "@scim/schemas";
import type { RequestContext } from "../../context.ts";
import { locationOf } from "../../projection/addresses.ts";
import type { BulkOperationAnswer } from "../../answers.ts";
import type { BulkRequest } from "../../requests.ts";
import { pause } from "../../pause.ts";
import { NO_VERSION } from "../../store/stored-resource.ts";
import type { ChangeOperations, Performed } from "../change-operations.ts";
import type { BulkOperation, CreateTask, Task } from "./operation.ts";
import { readReference } from "./reference-text.ts";
import { referencedBulkIds, type RewriteData } from "./task-references.ts";

/** Operations that refer to others and are read before other requests have their turn: some milliseconds. */
export const BETWEEN_TURNS = 32;

/** What a job is made of. */
export interface JobSetting {
  readonly context: RequestContext;
  readonly changes: ChangeOperations;
  readonly authorize: BulkRequest["authorize"];
  readonly rewrite: RewriteData;
  /** Failures after which the rest is not tried. */
  readonly mostFailures: number;
}

/** What an operation made or changed. */
export interface Made extends Performed {
  readonly id: string;
}

/** A job on its way. Operations are named by their place in the request. */
export class BulkJob {
  readonly setting: JobSetting;
  readonly #operations: readonly BulkOperation[];
  /** The names of POST operations. */
  readonly #places = new Map<string, number>();
  /** The ids that POST operations made. */
  readonly #ids = new Map<number, string>();
  readonly #answers: (BulkOperationAnswer | null)[];
  readonly #targets = new Map<number, readonly number[]>();
  #failures = 0;

  constructor(setting: JobSetting, operations: readonly BulkOperation[]) {
    this.setting = setting;
    this.#operations = operations;
    this.#answers = operations.map(() => null);
    for (const [index, { method, bulkId }] of operations.entries()) {
      if (method === "POST" && bulkId !== null && !this.#places.has(bulkId)) this.#places.set(bulkId, index);
    }
  }

  get size(): number {
    return this.#operations.length;
  }

  /** Whether so many operations failed that the rest is not tried. */
  get isOver(): boolean {
    return this.#failures >= this.setting.mostFailures;
  }

  /** The answers so far, in the order of the request. */
  get answers(): readonly BulkOperationAnswer[] {
    return this.#answers.filter((answer) => answer !== null);
  }

  isDone(index: number): boolean {
    return this.#answers[index] !== null;
  }

  /** The task of an operation; null where the operation cannot be read. */
  task(index: number): Task | null {
    const task = this.#operations[index]?.task;
    return task === undefined || isScimError(task) ? null : task;
  }

  /** The task of a POST. */
  createTask(index: number): CreateTask | null {
    const task = this.task(index);
    return task?.operation === "create" ? task : null;
  }

  /** The POST operations that an operation refers to and that are not done yet. */
  awaited(index: number): readonly number[] {
    const known = this.#targets.get(index) ?? this.#targetsOf(index);
    this.#targets.set(index, known);
    return known.filter((target) => !this.isDone(target));
  }

  /**
   * Finds what all operations refer to: others have their turn in between.
   * @throws the reason of the signal, where it aborts meanwhile
   */
  async findReferences(): Promise<void> {
    let referring = 0;
    for (let index = 0; index < this.size; index += 1) {
      if (this.awaited(index).length === 0) continue;
      referring += 1;
      if (referring % BETWEEN_TURNS === 0) await pause(this.setting.context);
    }
  }

  #targetsOf(index: number): readonly number[] {
    const task = this.task(index);
    if (task === null) return [];
    const names = referencedBulkIds(task, this.setting.rewrite);
    return [...names].map((name) => this.#places.get(name)).filter((place) => place !== undefined);
  }

  /** The place of the POST of a name, where there is one. */
  placeOf(bulkId: string): number | undefined {
    return this.#places.get(bulkId);
  }

  /**
   * The id that a name stands for.
   * @throws ScimError `invalidValue` where no POST has the name, `conflict` where it failed
   */
  readonly resolve = (bulkId: string): string => {
    const place = this.#places.get(bulkId);
    if (place === undefined) {
      throw new ScimError("invalidValue", "A reference 'bulkId:…' names no POST of this job.");
    }
    const id = this.#ids.get(place);
    if (id === undefined) {
      throw new ScimError(
        "conflict",
        `The operation refers to what Operations[${String(place)}] makes, and that failed.`,
      );
    }
    return id;
  };

  /** Notes that an operation is done. */
  succeed(index: number, { id, status, answer }: Made): void {
    const task = this.task(index);
    if (task?.operation === "create") this.#ids.set(index, id);
    const location = answer?.location ?? this.#locationOf(index);
    const version = answer === null || answer.version === NO_VERSION ? null : answer.version;
    this.#note(index, { location, version, status, error: null });
  }

  /** Notes that an operation failed. What is no `ScimError` is a fault of the service, kept as the cause. */
  fail(index: number, thrown: unknown): void {
    const error = isScimError(thrown)
      ? thrown
      : new ScimError(
          "internal",
          "The service failed to do this operation; those before and after it are not concerned.",
          {
            cause: thrown,
          },
        );
    this.#failures += 1;
    this.#note(index, {
      location: this.#locationOf(index),
      version: null,
      status: error.status,
      error,
    });
  }

  /** Notes the error of an operation that cannot be read. */
  failUnread(index: number): void {
    this.fail(index, this.#operations[index]?.task);
  }

  #note(index: number, outcome: Omit<BulkOperationAnswer, "method" | "bulkId">): void {
    const operation = this.#operations[index];
    if (operation === undefined) throw new TypeError(`The job has no operation ${String(index)}`);
    this.#answers[index] = { method: operation.method, bulkId: operation.bulkId, ...outcome };
  }

  /** The address of a resource that an operation changes, as far as it is known. */
  #locationOf(index: number): string | null {
    const target = this.#operations[index]?.target ?? null;
    if (target === null) return null;
    const reference = readReference(target.id);
    const id = reference === null ? target.id : this.#idOf(reference.bulkId);
    return id === undefined ? null : locationOf(target.model, id, this.setting.context.baseUrl);
  }

  #idOf(bulkId: string): string | undefined {
    const place = this.#places.get(bulkId);
    return place === undefined ? undefined : this.#ids.get(place);
  }
}
