/**
 * What the client tells of its work: for logs, metrics and traces. No event holds a query, a header or a body.
 * @module
 */

/** A request is about to be sent, for the first time or again. */
export interface RequestEvent {
  readonly kind: "request";
  readonly method: string;
  /** Path below the base address, without its query. */
  readonly path: string;
  /** 1 for the first time. */
  readonly attempt: number;
}

/** A request was answered. */
export interface AnswerEvent {
  readonly kind: "answer";
  readonly method: string;
  readonly path: string;
  readonly attempt: number;
  readonly status: number;
  /** From sending to the end of the answer, in milliseconds. */
  readonly durationMs: number;
  /** Id by which the service knows the request, where it told one. */
  readonly requestId: string | null;
}

/** There was no answer to a request. */
export interface FailureEvent {
  readonly kind: "failure";
  readonly method: string;
  readonly path: string;
  readonly attempt: number;
  /** `timeout`, `aborted`, or what the transport names. */
  readonly reason: string;
  readonly durationMs: number;
}

/** A request will be sent again. */
export interface RetryEvent {
  readonly kind: "retry";
  readonly method: string;
  readonly path: string;
  /** The attempt that failed. */
  readonly attempt: number;
  readonly waitMs: number;
}

/** The client forgave an answer, or made up for it. */
export interface ToleranceEvent {
  readonly kind: "tolerance";
  readonly path: string;
  /**
   * - `repeatedResource`: a list held a resource twice; it was given out once.
   * - `wrongTotal`: a list held another number of resources than it said.
   * - `movedPages`: what was listed changed meanwhile; pages were read again.
   * - `expiredCursor`: a cursor expired; the list was begun again, and what was given out left out.
   * - `uncoveredGroups`: a resource came from the cache without derived attributes, which its version may not cover.
   */
  readonly what: "repeatedResource" | "wrongTotal" | "movedPages" | "expiredCursor" | "uncoveredGroups";
  /** Ids it is about; at most 100. */
  readonly ids: readonly string[];
}

/** Something that the client did. */
export type ClientEvent = RequestEvent | AnswerEvent | FailureEvent | RetryEvent | ToleranceEvent;
