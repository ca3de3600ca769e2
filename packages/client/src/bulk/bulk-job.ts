/**
 * Bulk jobs: many operations, in as few requests as the service's limits allow (RFC 7644 §3.7).
 * @module
 */
import { patchOp, type JsonObject, type PatchOperation } from "@scim/schemas";
import type { Discovery } from "../discovery/discovery.ts";
import { isScimClientError, type ScimClientError } from "../errors/scim-client-error.ts";
import { UsageError } from "../errors/usage-error.ts";
import type { Engine } from "../exchange/engine.ts";
import type { PatchInput } from "../patch/patch-builder.ts";
import type { CallOptions, ChangeOptions } from "../resources/options.ts";
import type { ResourceClient } from "../resources/resource-client.ts";
import type { ResourceShape } from "../resources/shape.ts";
import type { ResourceTarget } from "../versions/version-memory.ts";
import {
  referencesOf,
  referenceTo,
  resolved,
  type CreateAlone,
  type PlannedChange,
  type PlannedCreation,
  type PlannedOperation,
} from "./operation.ts";
import type { BulkEntry, BulkOutcome, OperationOutcome } from "./outcome.ts";
import { chunksOf, unitsOf, type Unit } from "./plan.ts";
import { sendChunk } from "./send-chunk.ts";
import { sendSingle } from "./send-single.ts";

/** How a job is run. */
export interface BulkRunOptions extends CallOptions {
  /** Failures after which nothing more is tried: 1 or more. Default: everything is tried. */
  readonly failOnErrors?: number | undefined;
}

/** Version of a resource that an operation is meant for. */
export type BulkChangeOptions = Pick<ChangeOptions, "version">;

/** Collects operations. An operation may refer to what another one creates by its `reference`, also in a circle. */
export interface BulkJob {
  create<Shape extends ResourceShape>(resources: ResourceClient<Shape>, input: Shape["Input"]): BulkEntry;
  replace<Shape extends ResourceShape>(
    resources: ResourceClient<Shape>,
    target: ResourceTarget,
    change: BulkChangeOptions & { readonly input: Shape["Input"] },
  ): BulkEntry;
  patch<Shape extends ResourceShape>(
    resources: ResourceClient<Shape>,
    target: ResourceTarget,
    change: BulkChangeOptions & { readonly operations: PatchInput<Shape> },
  ): BulkEntry;
  delete<Shape extends ResourceShape>(
    resources: ResourceClient<Shape>,
    target: ResourceTarget,
    change?: BulkChangeOptions,
  ): BulkEntry;
  /** How many operations were added. */
  readonly size: number;
  /**
   * Does the operations: by bulk requests within the limits of the service, or one by one where it has no bulk. What
   * others refer to comes first. Each operation succeeds or fails by itself, and the outcome tells which; where a request as a
   * whole fails, its operations have its error, and the rest is not tried. One by one, what is created is created as by
   * {@link ResourceClient.create}: looked up where nobody knows. A job is run once.
   * @throws {@link UsageError} `unknownReference`, `jobTooLarge`, before anything is sent
   */
  run(options?: BulkRunOptions): Promise<BulkOutcome>;
}

/** What the operations of a resource type are made of. */
export interface BulkParts {
  readonly writeBody: (input: object) => JsonObject;
  readonly operationsOf: (input: never) => readonly PatchOperation[];
  readonly tagOf: (target: ResourceTarget, options: BulkChangeOptions) => string | null;
  readonly idOf: (target: ResourceTarget) => string;
  readonly createAlone: CreateAlone;
}

/** What a job is made of. */
export interface JobParts {
  readonly engine: Engine;
  readonly discovery: Discovery;
  readonly partsOf: (resources: object) => BulkParts;
}

/** An operation as it is stated: the job gives it a name. */
type Stated<Operation extends PlannedOperation> = Omit<Operation, "bulkId" | "references">;

/** Makes a job. */
export function createBulkJob({ engine, discovery, partsOf }: JobParts): BulkJob {
  const operations: PlannedOperation[] = [];
  const add = (operation: Stated<PlannedCreation> | Stated<PlannedChange>): BulkEntry => {
    const bulkId = String(operations.length + 1);
    operations.push({ ...operation, bulkId, references: referencesOf(operation) });
    return { bulkId, reference: referenceTo(bulkId) };
  };
  return {
    create: (resources, input) => {
      const { endpoint } = resources.type;
      const { writeBody, createAlone } = partsOf(resources);
      return add({ method: "POST", endpoint, id: null, tag: null, data: writeBody(input), createAlone });
    },
    replace: (resources, target, { input, version }) => {
      const { writeBody, tagOf, idOf } = partsOf(resources);
      const tag = tagOf(target, { version });
      return add({
        method: "PUT",
        endpoint: resources.type.endpoint,
        id: idOf(target),
        tag,
        data: writeBody(input),
      });
    },
    patch: (resources, target, { operations: input, version }) => {
      const { operationsOf, tagOf, idOf } = partsOf(resources);
      // The builder's types are matters of the compiler alone.
      const data = { ...patchOp(operationsOf(input as never)) } as unknown as JsonObject;
      const tag = tagOf(target, { version });
      return add({ method: "PATCH", endpoint: resources.type.endpoint, id: idOf(target), tag, data });
    },
    delete: (resources, target, { version } = {}) => {
      const { tagOf, idOf } = partsOf(resources);
      const tag = tagOf(target, { version });
      return add({ method: "DELETE", endpoint: resources.type.endpoint, id: idOf(target), tag, data: null });
    },
    get size() {
      return operations.length;
    },
    run: async (options = {}) => {
      const units = unitsOf(operations);
      const { bulk } = await discovery.capabilities({ signal: options.signal });
      const run = new Run(engine, options);
      if (bulk === null) await run.oneByOne(units);
      else await run.inChunks(chunksOf(units, bulk));
      return outcomeOf(operations, run);
    },
  };
}

function outcomeOf(operations: readonly PlannedOperation[], { outcomes, requests }: Run): BulkOutcome {
  const of = ({ bulkId }: Pick<BulkEntry, "bulkId">): OperationOutcome =>
    outcomes.get(bulkId) ?? { kind: "untried" };
  const all = operations.map(of);
  return {
    of,
    outcomes: all,
    done: all.filter(({ kind }) => kind === "done").length,
    failed: all.filter(({ kind }) => kind === "failed").length,
    requests,
  };
}

/** Operations that are sent one by one run together, up to so many. */
const TOGETHER = 16;

/** A job while it runs. */
class Run {
  readonly outcomes = new Map<string, OperationOutcome>();
  requests = 0;
  readonly #engine: Engine;
  readonly #call: CallOptions;
  readonly #mostFailures: number;
  readonly #ids = new Map<string, string>();
  #failures = 0;

  constructor(engine: Engine, { failOnErrors = Number.POSITIVE_INFINITY, ...call }: BulkRunOptions) {
    this.#engine = engine;
    this.#call = call;
    this.#mostFailures = failOnErrors;
  }

  async inChunks(chunks: readonly (readonly PlannedOperation[])[]): Promise<void> {
    for (const chunk of chunks) {
      if (this.#isOver()) return;
      const own = new Set(chunk.map(({ bulkId }) => bulkId));
      const ready = chunk
        .filter((operation) => this.#isReady(operation, own))
        .map((each) => resolved(each, this.#ids));
      if (ready.length === 0) continue;
      const left = this.#mostFailures - this.#failures;
      const failOnErrors = left === Number.POSITIVE_INFINITY ? null : left;
      this.requests += 1;
      try {
        const outcomes = await sendChunk(this.#engine, ready, { ...this.#call, failOnErrors });
        for (const [bulkId, outcome] of outcomes) this.#note(bulkId, outcome);
      } catch (error) {
        const failure = requireClientError(error);
        for (const { bulkId } of ready) this.#note(bulkId, { kind: "failed", error: failure });
        return;
      }
    }
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
    const most = this.#mostFailures === Number.POSITIVE_INFINITY ? TOGETHER : 1;
    let batch: PlannedOperation[] = [];
    for (const operation of operations) {
      const waits = batch.some(
        (other) => operation.references.has(other.bulkId) || isSameResource(operation, other),
      );
      if (waits || batch.length >= most) {
        await this.#together(batch);
        batch = [];
      }
      batch.push(operation);
    }
    await this.#together(batch);
  }

  async #together(batch: readonly PlannedOperation[]): Promise<void> {
    if (this.#isOver()) return;
    const none = new Set<string>();
    const ready = batch.filter((operation) => this.#isReady(operation, none));
    await Promise.all(
      ready.map(async (operation) => {
        this.requests += 1;
        try {
          this.#note(
            operation.bulkId,
            await sendSingle(this.#engine, resolved(operation, this.#ids), this.#call),
          );
        } catch (error) {
          this.#note(operation.bulkId, { kind: "failed", error: requireClientError(error) });
        }
      }),
    );
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

  #isOver(): boolean {
    return this.#failures >= this.#mostFailures;
  }
}

function isSameResource(left: PlannedOperation, right: PlannedOperation): boolean {
  return left.id !== null && left.id === right.id && left.endpoint === right.endpoint;
}

function requireClientError(error: unknown): ScimClientError {
  if (isScimClientError(error)) return error;
  throw error;
}
