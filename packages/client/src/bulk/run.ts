/**
 * Runs a bulk job: by bulk requests, or one operation by one.
 * @module
 */
import { InvalidAnswerError } from "../errors/answer-error.ts";
import { ConnectionError, UnknownOutcomeError } from "../errors/connection-error.ts";
import { ServiceError } from "../errors/service-error.ts";
import { isScimClientError, type ScimClientError } from "../errors/scim-client-error.ts";
import { UsageError } from "../errors/usage-error.ts";
import type { Engine } from "../exchange/engine.ts";
import type { CallOptions } from "../resources/options.ts";
import { doubtOf } from "./doubt.ts";
import { resolved, type PlannedOperation } from "./operation.ts";
import type { DoneOperation, OperationOutcome } from "./outcome.ts";
import { halvesOf, type Unit } from "./plan.ts";
import { sendChunk } from "./send-chunk.ts";
import { sendSingle } from "./send-single.ts";
import { settle } from "./settle.ts";

/** How a job is run. */
export interface BulkRunOptions extends CallOptions {
  /** Failures after which nothing more is tried: 1 or more. Default: everything is tried. */
  readonly failOnErrors?: number | undefined;
}

/** Operations that are sent one by one run together, up to so many. */
const TOGETHER = 16;

/** A job while it runs: what became of each operation, by bulkId. */
export class Run {
  readonly outcomes = new Map<string, OperationOutcome>();
  requests = 0;
  /** Operations that were looked up, since nobody knew what became of their request. */
  settled = 0;
  readonly #engine: Engine;
  readonly #call: CallOptions;
  readonly #mostFailures: number;
  readonly #ids = new Map<string, string>();
  #failures = 0;

  constructor(engine: Engine, { failOnErrors = Number.POSITIVE_INFINITY, ...call }: BulkRunOptions) {
    if (Math.trunc(failOnErrors) !== failOnErrors || failOnErrors < 1)
      throw new UsageError("invalidOption", "'failOnErrors' is a whole number from 1.");
    this.#engine = engine;
    this.#call = call;
    this.#mostFailures = failOnErrors;
  }

  async inChunks(chunks: readonly (readonly PlannedOperation[])[]): Promise<void> {
    for (const chunk of chunks) if (!(await this.#request(chunk))) return;
  }

  /** Sends a request, in two where it is refused as too large. Resolves to whether going on makes sense. */
  async #request(chunk: readonly PlannedOperation[]): Promise<boolean> {
    if (this.#isOver()) return false;
    const ready = this.#readyOf(chunk).map((each) => resolved(each, this.#ids));
    if (ready.length === 0) return true;
    const left = this.#mostFailures - this.#failures;
    const failOnErrors = left === Number.POSITIVE_INFINITY ? null : left;
    this.requests += 1;
    try {
      const outcomes = await sendChunk(this.#engine, ready, { ...this.#call, failOnErrors });
      for (const [bulkId, outcome] of outcomes) this.#note(bulkId, outcome);
      return true;
    } catch (error) {
      const failure = requireClientError(error);
      const halves = isTooLarge(failure) ? halvesOf(ready) : null;
      if (halves !== null) return (await this.#request(halves[0])) && this.#request(halves[1]);
      const doubt = doubtOf(failure);
      if (doubt !== null && (await this.#settle(ready, doubt))) return true;
      for (const { bulkId } of ready)
        if (!this.outcomes.has(bulkId)) this.#note(bulkId, { kind: "failed", error: failure });
      return false;
    }
  }

  /** Settles operations of a request that was lost. Resolves to whether the service answered, so that going on makes sense. */
  async #settle(lost: readonly PlannedOperation[], doubt: UnknownOutcomeError): Promise<boolean> {
    try {
      await this.#engine.wait(1, this.#call.signal);
    } catch {
      return false;
    }
    const send = (operation: PlannedOperation): Promise<DoneOperation> => {
      this.settled += 1;
      return settle(this.#engine, operation, { call: this.#call, doubt });
    };
    for (const batch of batchesOf(lost, this.#most)) {
      if (this.#isOver()) return false;
      // What refers to something unknown, also in a circle, is as unknown as that.
      const known = batch.filter(({ references }) => [...references].every((each) => this.#ids.has(each)));
      if ((await this.#together(known, send)).some(isUnanswered)) return false;
    }
    return lost.every(({ bulkId }) => this.outcomes.has(bulkId));
  }

  /** @throws {@link UsageError} `unknownReference` where operations refer to each other in a circle */
  async oneByOne(units: readonly Unit[]): Promise<void> {
    const operations = units.map(([first, ...others]) => {
      if (first !== undefined && others.length === 0 && !first.references.has(first.bulkId)) return first;
      throw new UsageError(
        "unknownReference",
        "Operations refer to each other in a circle, and the service has no bulk.",
      );
    });
    for (const batch of batchesOf(operations, this.#most)) {
      if (this.#isOver()) return;
      const failures = await this.#together(batch, (operation) =>
        sendSingle(this.#engine, operation, this.#call),
      );
      // One alone may have met it for what it is, such as its size.
      if (failures.length > 1 && failures.every(isOfAll)) return;
    }
  }

  /** Greatest number of operations that are done together, one by one: where a failure is to end the job, each by itself. */
  get #most(): number {
    return this.#mostFailures === Number.POSITIVE_INFINITY ? TOGETHER : 1;
  }

  /** Does some operations, each by itself. Resolves to the failure of each; null for none. */
  async #together(
    batch: readonly PlannedOperation[],
    send: (operation: PlannedOperation) => Promise<DoneOperation>,
  ): Promise<readonly (ScimClientError | null)[]> {
    const none = new Set<string>();
    const ready = batch.filter((operation) => this.#isReady(operation, none));
    return Promise.all(
      ready.map(async (operation) => {
        this.requests += 1;
        try {
          this.#note(operation.bulkId, await send(resolved(operation, this.#ids)));
          return null;
        } catch (cause) {
          const error = requireClientError(cause);
          this.#note(operation.bulkId, { kind: "failed", error });
          return error;
        }
      }),
    );
  }

  /** The operations of a request of which everything that they refer to is there, or goes with them. */
  #readyOf(chunk: readonly PlannedOperation[]): readonly PlannedOperation[] {
    const own = new Set(chunk.map(({ bulkId }) => bulkId));
    const ready = chunk.filter((operation) => this.#isReady(operation, own));
    // What does not go takes with it what refers to it.
    return ready.length === chunk.length ? ready : this.#readyOf(ready);
  }

  /** Whether everything that an operation refers to is there, or comes with it. */
  #isReady(operation: PlannedOperation, own: ReadonlySet<string>): boolean {
    const missing = [...operation.references].find((bulkId) => !this.#ids.has(bulkId) && !own.has(bulkId));
    if (missing === undefined) return true;
    const error = new UsageError("unknownReference", `What 'bulkId:${missing}' refers to was not created.`);
    this.#note(operation.bulkId, { kind: "failed", error });
    return false;
  }

  #note(bulkId: string, outcome: OperationOutcome): void {
    this.outcomes.set(bulkId, outcome);
    if (outcome.kind === "failed") this.#failures += 1;
    if (outcome.kind === "done") this.#ids.set(bulkId, outcome.id);
  }

  /** Whether nothing more is to be tried. */
  #isOver(): boolean {
    return this.#failures >= this.#mostFailures || this.#call.signal?.aborted === true;
  }
}

/** Whether a request was refused for its size: what stands before a service may allow less than that says. Nothing of it was done. */
function isTooLarge(failure: ScimClientError): boolean {
  return failure instanceof ServiceError && failure.status === 413;
}

/** Whether an operation may give free what another takes, such as a name that is unique: bulk requests keep this order too. */
function mayFree(first: PlannedOperation, next: PlannedOperation): boolean {
  if (first.endpoint !== next.endpoint || first.method === "POST") return false;
  return next.method === "POST" || (first.method === "DELETE" && next.method !== "DELETE");
}

function isSameResource(left: PlannedOperation, right: PlannedOperation): boolean {
  return left.id !== null && left.id === right.id && left.endpoint === right.endpoint;
}

/** Whether there was no answer, or a look-up failed, so that it will be the same with others. */
function isUnanswered(error: ScimClientError | null): boolean {
  const last = error instanceof UnknownOutcomeError ? error.cause : error;
  if (last !== error && last instanceof ServiceError && last.status >= 500) return true;
  return last instanceof ConnectionError || (last instanceof InvalidAnswerError && last.code === "cutOff");
}

/** Statuses that say nothing of an operation: its credentials are refused, or the service takes no more for now. */
const OF_ALL: ReadonlySet<number> = new Set([401, 429, 503]);

/** Whether a failure that all have who were under way will be that of the others, too. */
function isOfAll(error: ScimClientError | null): boolean {
  const last = error instanceof UnknownOutcomeError ? error.cause : error;
  return isUnanswered(error) || (last instanceof ServiceError && OF_ALL.has(last.status));
}

/** Operations that are done together, up to so many: none refers to another, changes the same resource, or takes what another gives free. */
function* batchesOf(
  operations: Iterable<PlannedOperation>,
  most: number,
): Generator<readonly PlannedOperation[], void, undefined> {
  let batch: PlannedOperation[] = [];
  for (const operation of operations) {
    const waits = batch.some(
      (other) =>
        operation.references.has(other.bulkId) ||
        isSameResource(operation, other) ||
        mayFree(other, operation),
    );
    if (waits || batch.length >= most) {
      yield batch;
      batch = [];
    }
    batch.push(operation);
  }
  yield batch;
}

function requireClientError(error: unknown): ScimClientError {
  if (isScimClientError(error)) return error;
  throw error;
}
