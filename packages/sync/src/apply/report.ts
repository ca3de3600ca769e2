/**
 * What became of a plan.
 * @module
 */
import { isScimClientError, ServiceError } from "@scim/client";
import type { KeptAttribute } from "../plan/kept-values.ts";
import type { PlanStep } from "../plan/plan.ts";

/** A change that could not be made. */
export interface StepFailure {
  readonly action: PlanStep["action"];
  readonly type: string;
  readonly key: string;
  /** Null where the resource was to be created. */
  readonly id: string | null;
  /** Stable name of the cause: a code of the client, or `notCreated`. */
  readonly code: string;
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
  /** Id by which the target knows the request; null where it told none. */
  readonly requestId: string | null;
}

/** What became of a plan. */
export interface ApplyReport {
  /** Changes that were made, by action. */
  readonly done: Readonly<Record<PlanStep["action"], number>>;
  readonly failures: readonly StepFailure[];
  /** Why the run ended before its end; null where it did not. */
  readonly stopped: string | null;
  /** Attributes that the target keeps in another form than they were sent, found out in this run. */
  readonly kept: readonly KeptAttribute[];
}

/** Failures that each further request would meet as well. */
const ENDING: ReadonlySet<string> = new Set([
  "unauthorized",
  "forbidden",
  "connectionFailed",
  "tokenUnavailable",
  "aborted",
]);

/** Whether an error says that going on is of no use. */
export function endsRun(error: unknown): boolean {
  return isScimClientError(error) && ENDING.has(error.code);
}

/** Why a run ends, for people. */
export function reasonOf({
  message,
  code,
  remedy,
}: Pick<StepFailure, "message" | "code" | "remedy">): string {
  return `${message} (${code}): ${remedy}`;
}

/** Whether the target has said that it did not do what it was asked. */
export function isRefused(error: unknown): boolean {
  return error instanceof ServiceError && error.status < 500;
}

/** What to do about causes of which a sync knows more than the client. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  [
    "uniqueness",
    "The other resource is that of another record, that of a leaver, who keeps all values unless 'leavers' is delete, or one that the sync has not met. Delete it or give it another value, or change the record. If it is that of this record, have 'match' find it.",
  ],
]);

/**
 * The failure of a step.
 * @throws what is no error of the client
 */
export function failureOf(step: PlanStep, error: unknown): StepFailure {
  if (!isScimClientError(error)) throw error;
  const { code, message, requestId } = error;
  const remedy = REMEDIES.get(code) ?? error.remedy;
  return { ...about(step), code, message, remedy, requestId };
}

/** The failure of a step whose resource was not created. */
export function notCreated(step: PlanStep): StepFailure {
  return {
    ...about(step),
    code: "notCreated",
    message: "The resource itself could not be created.",
    remedy: "See the failure of its creation.",
    requestId: null,
  };
}

function about(step: PlanStep): Pick<StepFailure, "action" | "type" | "key" | "id"> {
  const { action, type, key } = step;
  return { action, type, key, id: step.action === "create" ? null : step.id };
}
