/**
 * An entry of the request log: what a client sent and what it was answered, without the values of persons.
 * @module
 */
import type { SwitchName } from "@scim/core";
import type { ErrorCode, JsonValue } from "@scim/schemas";
import type { Cut } from "./redaction/redaction.ts";

/** A body as it is shown. */
export interface ShownBody {
  /** JSON with pseudonyms in the place of personal values; null where `note` says why it is not shown. */
  readonly json: JsonValue;
  /** What was left out because there was too much of it. */
  readonly cuts?: readonly Cut[];
  /** Why nothing is shown, or not all. */
  readonly note?: string;
}

/** A request and its answer, redacted. */
export interface LoggedRequest {
  /** Orders entries by the time at which they were answered: a UUIDv7. */
  readonly id: string;
  /** When it was answered, UTC with milliseconds. */
  readonly at: string;
  readonly tenant: string;
  readonly connection: string;
  /** The id by which the log of the server and the audit log know it. */
  readonly requestId: string;
  readonly credential: string | null;
  readonly method: string;
  /** The form of the address: `/Users/{id}`. */
  readonly route: string;
  /** Path and query below the mount, redacted, percent-encoded. */
  readonly target: string;
  /** Headers that say how it is meant; never credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ShownBody | null;
  readonly status: number;
  readonly answer: ShownBody | null;
  readonly durationMs: number;
  /** The tolerances that it made use of. */
  readonly switches: readonly { readonly name: SwitchName; readonly path: string }[];
  /** Code of the error that it was answered with, or null. */
  readonly errorCode: ErrorCode | null;
  /** Operations of a bulk job that failed, by their place from 0. */
  readonly failedOperations: readonly {
    readonly index: number;
    readonly method: string;
    readonly errorCode: string;
  }[];
  /** Name of the resource type, and id of the resource, as far as the address or the answer tell them. */
  readonly type: string | null;
  readonly resource: string | null;
}

/** An entry with the run that it belongs to. */
export interface StoredRequest extends LoggedRequest {
  readonly run: string;
}

/** Requests of one connection that followed each other without a long pause. */
export interface RequestRun {
  readonly run: string;
  readonly connection: string;
  /** First and last answer, UTC with milliseconds. */
  readonly begun: string;
  readonly ended: string;
  readonly requests: number;
  /** Those answered with an error. */
  readonly failed: number;
  /** Those that were not logged, because more came than the log takes. */
  readonly skipped: number;
}
