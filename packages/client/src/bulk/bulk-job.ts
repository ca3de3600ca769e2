/**
 * Bulk jobs: many operations, in as few requests as the service's limits allow (RFC 7644 §3.7).
 * @module
 */
import { patchOp, type JsonObject, type PatchOperation } from "@scim/schemas";
import type { Discovery } from "../discovery/discovery.ts";
import type { Engine } from "../exchange/engine.ts";
import { requireNumbers } from "../exchange/body-text.ts";
import { UsageError } from "../errors/usage-error.ts";
import type { PatchInput } from "../patch/patch-builder.ts";
import type { ChangeOptions } from "../resources/options.ts";
import type { ResourceClient } from "../resources/resource-client.ts";
import type { ResourceShape } from "../resources/shape.ts";
import type { ResourceTarget } from "../versions/version-memory.ts";
import {
  referencesOf,
  referenceTo,
  type CreateAlone,
  type PlannedChange,
  type PlannedCreation,
  type PlannedOperation,
} from "./operation.ts";
import type { BulkEntry, BulkOutcome, OperationOutcome } from "./outcome.ts";
import { chunksOf, unitsOf } from "./plan.ts";
import { Run, type BulkRunOptions } from "./run.ts";

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
   * whole is refused, its operations have its error, and the rest is not tried; one that is refused as too large (413) goes in two before. Where nobody knows what became of a request, for
   * it was lost or the service failed at it, each of its operations is looked up, and done by itself where it was not done. One by one, what is created is created as by
   * {@link ResourceClient.create}: looked up where nobody knows; and where none of several under way is answered, or the service
   * takes none of them (401, 429, 503), the rest is not tried. A job is run once.
   * @throws {@link UsageError} `unknownReference`, `jobTooLarge`, before anything is sent; `invalidOption` where it was run
   * already, or `failOnErrors` is none
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
  let isRun = false;
  const add = (operation: Stated<PlannedCreation> | Stated<PlannedChange>): BulkEntry => {
    requireNumbers(operation.data);
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
      return add({ ...placeOf(resources), method: "PUT", id: idOf(target), tag, data: writeBody(input) });
    },
    patch: (resources, target, { operations: input, version }) => {
      const { operationsOf, tagOf, idOf } = partsOf(resources);
      // The builder's types are matters of the compiler alone.
      const data = { ...patchOp(operationsOf(input as never)) } as unknown as JsonObject;
      const tag = tagOf(target, { version });
      return add({ ...placeOf(resources), method: "PATCH", id: idOf(target), tag, data });
    },
    delete: (resources, target, { version } = {}) => {
      const { tagOf, idOf } = partsOf(resources);
      const tag = tagOf(target, { version });
      return add({ ...placeOf(resources), method: "DELETE", id: idOf(target), tag, data: null });
    },
    get size() {
      return operations.length;
    },
    run: async (options = {}) => {
      const run = new Run(engine, options);
      const units = unitsOf(operations);
      const { bulk } = await discovery.capabilities({ signal: options.signal });
      const chunks = bulk === null ? null : chunksOf(units, bulk);
      if (isRun) throw new UsageError("invalidOption", "The job was run already.");
      isRun = true;
      if (chunks === null) await run.oneByOne(units);
      else await run.inChunks(chunks);
      return outcomeOf(operations, run);
    },
  };
}

function placeOf<Shape extends ResourceShape>({
  type,
}: ResourceClient<Shape>): Pick<PlannedChange, "type" | "endpoint"> {
  return { type, endpoint: type.endpoint };
}

function outcomeOf(
  operations: readonly PlannedOperation[],
  { outcomes, requests, settled }: Run,
): BulkOutcome {
  const of = ({ bulkId }: Pick<BulkEntry, "bulkId">): OperationOutcome =>
    outcomes.get(bulkId) ?? { kind: "untried" };
  const all = operations.map(of);
  return {
    of,
    outcomes: all,
    done: all.filter(({ kind }) => kind === "done").length,
    failed: all.filter(({ kind }) => kind === "failed").length,
    requests,
    settled,
  };
}
