/**
 * A plan: what would be changed in the target, before anything is.
 * @module
 */
import type { DynamicResource } from "@scim/client";
import type { JsonObject, JsonValue } from "@scim/schemas";
import type { BoundReference, BoundSection } from "../mapping/bind.ts";
import type { Desired, RecordFault } from "./desired.ts";
import type { KeptAttribute } from "./kept-values.ts";

/** An attribute that changes. */
export interface AttributeChange {
  readonly path: string;
  /** Null for nothing. */
  readonly from: JsonValue;
  readonly to: JsonValue;
}

/** A resource that is created. */
export interface CreateStep {
  readonly action: "create";
  readonly type: string;
  readonly key: string;
  readonly place: string;
  readonly resource: JsonObject;
  readonly desired: Desired;
}

/** A resource whose attributes are changed. */
export interface UpdateStep {
  readonly action: "update";
  readonly type: string;
  readonly key: string;
  readonly id: string;
  readonly place: string;
  readonly before: DynamicResource;
  readonly changes: readonly AttributeChange[];
  readonly desired: Desired;
  /** Whether it had left and is back. */
  readonly isBack: boolean;
}

/** References that are added to a resource, or removed. */
export interface ReferencesStep {
  readonly action: "references";
  readonly type: string;
  readonly key: string;
  /** Null where the resource is created by this plan. */
  readonly id: string | null;
  readonly reference: BoundReference;
  /** Keys of what is added. */
  readonly add: readonly string[];
  /** Ids of what is removed. */
  readonly remove: readonly string[];
  readonly desired: Desired;
}

/** A resource whose record is gone. */
export interface LeaveStep {
  readonly action: "deactivate" | "delete";
  readonly type: string;
  readonly key: string;
  readonly id: string;
  readonly before: DynamicResource;
  readonly section: BoundSection;
}

/** One change. */
export type PlanStep = CreateStep | UpdateStep | ReferencesStep | LeaveStep;

/**
 * The steps of a plan, in the order in which they are made. They are looked up one by one: `toArray` of the iterator holds
 * all of them at once.
 */
export interface PlanSteps extends Iterable<PlanStep> {
  readonly length: number;
  /** As JSON, each step tells what it does. */
  toJSON(): readonly PlanStep[];
}

/** Numbers of one resource type. */
export interface PlanCounts {
  readonly type: string;
  readonly create: number;
  readonly update: number;
  readonly deactivate: number;
  readonly delete: number;
  readonly unchanged: number;
  /** References that are added and removed. */
  readonly add: number;
  readonly remove: number;
  /** Records and resources that are left as they are, since something is wrong with them. */
  readonly refused: number;
}

/** How the target was read. */
export type Reading =
  /** All resources. */
  | "everything"
  /** Those that changed since the last run, and those whose records did. */
  | "changes";

/** A plan. */
export interface Plan {
  readonly steps: PlanSteps;
  readonly counts: readonly PlanCounts[];
  readonly faults: readonly RecordFault[];
  readonly reading: Reading;
  /** Records that were read. */
  readonly records: number;
  /** Resources that the sync knows or has found. */
  readonly resources: number;
  /** What the limits refuse; empty where they let the plan through. */
  readonly refusals: readonly string[];
  /** Attributes that the target is found to keep in another form than they were sent. */
  readonly kept: readonly KeptAttribute[];
  /** What else there is to know, as sentences for people. */
  readonly notes: readonly string[];
}

/** Whether a plan changes nothing. */
export function isEmptyPlan({ steps }: Plan): boolean {
  return steps.length === 0;
}
