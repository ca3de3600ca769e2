/**
 * Puts operations into an order in which each comes behind what it refers to, and into requests within the limits.
 * @module
 */
import type { BulkLimits } from "../discovery/capabilities.ts";
import { UsageError } from "../errors/usage-error.ts";
import { messageOf, type PlannedOperation } from "./operation.ts";

/** Operations that refer to each other in a circle, or a single one. */
export type Unit = readonly PlannedOperation[];

/**
 * Units in an order in which each comes behind those it refers to; otherwise in the order of adding.
 * @throws {@link UsageError} `unknownReference`
 */
export function unitsOf(operations: readonly PlannedOperation[]): readonly Unit[] {
  const byId = new Map(operations.map((operation) => [operation.bulkId, operation]));
  const walk: Components = { byId, marks: new Map(), stack: [], units: [] };
  for (const operation of operations) {
    if (!walk.marks.has(operation)) visit(operation, walk);
  }
  return walk.units;
}

interface Mark {
  readonly index: number;
  low: number;
  onStack: boolean;
}

interface Components {
  readonly byId: ReadonlyMap<string, PlannedOperation>;
  readonly marks: Map<PlannedOperation, Mark>;
  readonly stack: PlannedOperation[];
  readonly units: Unit[];
}

/** An operation whose references are gone through. */
interface Frame {
  readonly operation: PlannedOperation;
  readonly mark: Mark;
  readonly targets: readonly PlannedOperation[];
  next: number;
}

/** Tarjan's algorithm, without recursion: a chain of references may be as long as a job. */
function visit(start: PlannedOperation, walk: Components): void {
  const frames = [open(start, walk)];
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const target = frame.targets[frame.next];
    frame.next += 1;
    if (target === undefined) {
      frames.pop();
      close(frame, walk);
      const parent = frames.at(-1);
      if (parent !== undefined) parent.mark.low = Math.min(parent.mark.low, frame.mark.low);
      continue;
    }
    const mark = walk.marks.get(target);
    if (mark === undefined) frames.push(open(target, walk));
    else if (mark.onStack) frame.mark.low = Math.min(frame.mark.low, mark.index);
  }
}

function open(operation: PlannedOperation, { byId, marks, stack }: Components): Frame {
  const mark: Mark = { index: marks.size, low: marks.size, onStack: true };
  marks.set(operation, mark);
  stack.push(operation);
  const targets = [...operation.references].map((bulkId) => {
    const target = byId.get(bulkId);
    if (target?.method === "POST") return target;
    throw new UsageError(
      "unknownReference",
      `No operation of the job creates what 'bulkId:${bulkId}' refers to.`,
    );
  });
  return { operation, mark, targets, next: 0 };
}

function close({ operation, mark }: Frame, { marks, stack, units }: Components): void {
  if (mark.low !== mark.index) return;
  const from = stack.lastIndexOf(operation);
  const unit = stack.splice(from);
  for (const each of unit) {
    const own = marks.get(each);
    if (own !== undefined) own.onStack = false;
  }
  units.push(unit);
}

/** Room that the rest of a request takes, in bytes. */
const ENVELOPE = 200;

/**
 * Units in requests, each within the limits of the service.
 * @throws {@link UsageError} `jobTooLarge` where a unit is beyond them
 */
export function chunksOf(
  units: readonly Unit[],
  limits: BulkLimits,
): readonly (readonly PlannedOperation[])[] {
  const chunks: PlannedOperation[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const unit of units) {
    const size = unit.reduce((sum, operation) => sum + sizeOf(operation), 0);
    if (unit.length > limits.maxOperations || size + ENVELOPE > limits.maxPayloadSize) {
      throw new UsageError(
        "jobTooLarge",
        `An operation, or several that refer to each other in a circle, is beyond the service's limits of ${limits.maxOperations} operations and ${limits.maxPayloadSize} bytes.`,
      );
    }
    const last = chunks.at(-1);
    const fits =
      last !== undefined &&
      last.length + unit.length <= limits.maxOperations &&
      bytes + size <= limits.maxPayloadSize;
    if (fits) last.push(...unit);
    else chunks.push([...unit]);
    bytes = fits ? bytes + size : ENVELOPE + size;
  }
  return chunks;
}

/**
 * The operations of a request in two, about as many each, of which the first refer to none of the second; null where all of them
 * refer to each other in a circle.
 */
export function halvesOf(
  operations: readonly PlannedOperation[],
): readonly [readonly PlannedOperation[], readonly PlannedOperation[]] | null {
  const places = new Map(operations.map(({ bulkId }, place) => [bulkId, place]));
  const middle = operations.length / 2;
  let farthest = 0;
  let cut: number | null = null;
  for (const [place, { references }] of operations.entries()) {
    // Nothing before it refers to it, or to anything behind.
    const isCut = place > farthest;
    if (isCut && (cut === null || Math.abs(place - middle) < Math.abs(cut - middle))) cut = place;
    for (const bulkId of references) farthest = Math.max(farthest, places.get(bulkId) ?? 0);
  }
  return cut === null ? null : [operations.slice(0, cut), operations.slice(cut)];
}

const ENCODER = new TextEncoder();

/** Bytes of an operation. The ids that come into the place of references may be longer. */
function sizeOf(operation: PlannedOperation): number {
  const growth = operation.references.size * 64;
  return ENCODER.encode(JSON.stringify(messageOf(operation))).byteLength + growth + 1;
}
