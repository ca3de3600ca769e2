/**
 * What an attempt without success means: whether to try again, and which error it is.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { InvalidAnswerError } from "../errors/answer-error.ts";
import type { ClientError, FailedRequest } from "../errors/client-error.ts";
import { ConnectionError, UnknownOutcomeError } from "../errors/connection-error.ts";
import { ServiceError, serviceErrorCode, textMember, VersionConflictError } from "../errors/service-error.ts";
import { TransportFailure, type TransportAnswer } from "../transport/port.ts";
import { rawVersion } from "../versions/entity-tag.ts";
import { mediaTypeOf, readErrorBody } from "./answer.ts";
import { withoutSecret } from "./without-secret.ts";
import type { GivenUp } from "./deadline.ts";
import { isUnknownOutcome, mayRepeatAfter, retryAfter, type Repetition } from "./retry-policy.ts";

/** How an attempt ended. */
export type Attempt =
  | {
      readonly kind: "answer";
      readonly answer: TransportAnswer;
      /** Whether it is of something in front of the service, and tells nothing of what there is. */
      readonly isForeign: boolean;
    }
  | { readonly kind: "failure"; readonly failure: TransportFailure; readonly givenUp: GivenUp | null };

/** What follows from it. */
export interface Verdict {
  /** Whether the request may be sent again. */
  readonly repeats: boolean;
  /** Whether nobody knows what the service has done. */
  readonly unknown: boolean;
  /** Milliseconds that the service asks to wait; null for nothing. */
  readonly retryAfterMs: number | null;
}

/** Decides what follows from an attempt. */
export function verdictOf(attempt: Attempt, repetition: Repetition, nowMs: number): Verdict {
  if (attempt.kind === "answer") {
    const { status, headers } = attempt.answer;
    return {
      repeats: mayRepeatAfter(status, repetition),
      unknown: isUnknownOutcome(status),
      retryAfterMs: retryAfter(headers, nowMs),
    };
  }
  const { failure, givenUp } = attempt;
  const unsent = failure.kind === "unsent";
  const cut = failure.kind === "broken" || failure.kind === "cutOff";
  return {
    repeats: givenUp !== "aborted" && (unsent || (cut && repetition !== "more")),
    unknown: !unsent && failure.kind !== "redirected",
    retryAfterMs: null,
  };
}

/** What is known of the request besides. */
export interface Circumstances {
  readonly request: FailedRequest;
  readonly repetition: Repetition;
  /** Whether nobody knows what became of it, this attempt included. */
  readonly unknown: boolean;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** The tag of `If-Match`, where there was one. */
  readonly ifMatch: string | undefined;
  /** The value of `Authorization` that was sent, which no error may hold; null for none. */
  readonly authorization: string | null;
}

/** The error of a request that is not sent again. */
export function errorOf(attempt: Attempt, about: Circumstances): ClientError {
  const error = attempt.kind === "answer" ? answered(attempt, about) : unanswered(attempt, about);
  const isForeign = attempt.kind === "answer" && attempt.isForeign;
  return isDefinite(error) && !isForeign ? error : doubted(error, about);
}

/** What hinders a request at last: where nobody knows whether an attempt before did it, that is what counts. */
export function doubted<Cause extends Error>(
  error: Cause,
  { unknown, repetition, request }: Pick<Circumstances, "unknown" | "repetition" | "request">,
): Cause | UnknownOutcomeError {
  if (!unknown || repetition === "safe") return error;
  return new UnknownOutcomeError(`nobody knows whether it was done: ${error.message}`, {
    request,
    cause: error,
  });
}

/** Statuses that tell of the attempt they answer, and nothing of one before: of its credentials, and of its time. */
const OF_ONE_ATTEMPT: ReadonlySet<number> = new Set([401, 403, 407, 408, 425, 429]);

/** Whether an error tells what became of the request, or that the caller does not want to know. */
function isDefinite(error: ClientError): boolean {
  if (error instanceof ConnectionError) return error.code === "aborted";
  if (error instanceof ServiceError) return error.status < 500 && !OF_ONE_ATTEMPT.has(error.status);
  return error instanceof InvalidAnswerError && error.code !== "cutOff" && error.code !== "redirected";
}

function answered(
  { answer, isForeign }: Extract<Attempt, { kind: "answer" }>,
  about: Circumstances,
): ClientError {
  const { request, ifMatch, nowMs, authorization } = about;
  const { status, headers } = answer;
  if (status >= 300 && status < 400) return redirected(headers["location"], { request, status });
  const message = readErrorBody(answer);
  const scim = message === null ? null : withoutSecret(message, authorization);
  return refusalOf({ status, headers, scim, isForeign }, { request, ifMatch, nowMs });
}

/** What a service answered to what it did not do. */
export interface Refusal {
  readonly status: number;
  readonly scim: JsonObject | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether something in front of the service answered in its place. Default: false. */
  readonly isForeign?: boolean;
}

/** The error of a refusal. */
export function refusalOf(
  { status, scim, headers, isForeign = false }: Refusal,
  { request, ifMatch, nowMs = 0 }: Pick<Circumstances, "request" | "ifMatch"> & { readonly nowMs?: number },
): ServiceError | VersionConflictError {
  if (status === 412) return conflict(scim, { request, headers, ifMatch });
  const code = serviceErrorCode(status, scim);
  // What stands in front of a service does not know which resources there are.
  return new ServiceError(isForeign && code === "notFound" ? "unexpectedStatus" : code, {
    request,
    status,
    scim,
    retryAfterMs: retryAfter(headers, nowMs),
    contentType: mediaTypeOf(headers),
  });
}

/** Redirects are never followed: a token would go with the request to wherever the answer says. */
function redirected(
  location: string | undefined,
  { request, status }: { readonly request: FailedRequest; readonly status: number },
): InvalidAnswerError {
  const target = location === undefined || !URL.canParse(location) ? null : new URL(location);
  const where = target === null ? "" : ` to ${target.origin}${target.pathname}`;
  return new InvalidAnswerError("redirected", `the service redirects (${status})${where}`, {
    request,
    status,
  });
}

interface ConflictAnswer {
  readonly request: FailedRequest;
  readonly headers: Readonly<Record<string, string>>;
  readonly ifMatch: string | undefined;
}

function conflict(
  scim: JsonObject | null,
  { request, headers, ifMatch }: ConflictAnswer,
): VersionConflictError {
  const tag = headers["etag"];
  const expected = textMember(scim, "expectedVersion");
  const current = textMember(scim, "currentVersion") ?? (tag === undefined ? null : tag);
  return new VersionConflictError({
    request,
    status: 412,
    scim,
    expectedVersion: expected ?? (ifMatch === undefined || ifMatch === "*" ? null : rawVersion(ifMatch)),
    currentVersion: current === null ? null : rawVersion(current),
  });
}

function unanswered(
  { failure, givenUp }: Extract<Attempt, { kind: "failure" }>,
  { request }: Circumstances,
): ClientError {
  if (givenUp === "aborted") {
    return new ConnectionError("aborted", "the request was given up", { request, cause: failure.cause });
  }
  if (givenUp === "timeout") {
    return new ConnectionError("timeout", "there was no answer in time", { request, cause: failure.cause });
  }
  switch (failure.kind) {
    case "unsent":
    case "broken":
      return new ConnectionError("connectionFailed", sentence(failure), { request, cause: failure });
    case "cutOff":
    case "tooLarge":
    case "unreadable":
    case "redirected":
      return new InvalidAnswerError(failure.kind, sentence(failure), { request, cause: failure });
  }
}

function sentence({ message }: TransportFailure): string {
  return message.replace(/\.$/, "").replace(/^[A-Z]/, (letter) => letter.toLowerCase());
}

/** Whatever a transport threw, as one of its failures. */
export function asTransportFailure(error: unknown): TransportFailure {
  if (error instanceof TransportFailure) return error;
  return new TransportFailure("broken", "The transport failed.", error);
}
