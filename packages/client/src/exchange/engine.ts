/**
 * Sends requests: credentials, limits, time, and further attempts.
 * @module
 */
import { pause } from "../clock.ts";
import type { FailedRequest } from "../errors/client-error.ts";
import { UsageError } from "../errors/usage-error.ts";
import { TransportFailure, type Transport, type TransportRequest } from "../transport/port.ts";
import { isWebPage, readBody, requestIdOf, type Answer } from "./answer.ts";
import { deadlineOf, type Deadline } from "./deadline.ts";
import type { ClientEvent } from "./events.ts";
import { givenHeaders } from "./header-text.ts";
import { asTransportFailure, doubted, errorOf, verdictOf, type Attempt } from "./failures.ts";
import { watchAttempt } from "./attempt-watch.ts";
import type { Call } from "./call.ts";
import type { EngineParts } from "./engine-parts.ts";
import { KnownService } from "./known-service.ts";
import { waitBefore } from "./retry-policy.ts";

/** What is known of a request between its attempts. */
interface Course {
  attempts: number;
  /** Whether nobody knows what became of an attempt before. */
  unknown: boolean;
  /** Whether credentials were got anew for it. */
  renewed: boolean;
  /** The value of `Authorization` that was sent last. */
  authorization: string | null;
}

/** Sends requests and reads their answers. */
export class Engine {
  readonly #parts: EngineParts;
  #isClosed = false;
  readonly #service = new KnownService((call) => this.send(call));

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  /** Sends nothing more; what is under way is finished. */
  close(): void {
    this.#isClosed = true;
  }

  /** Greatest number of attempts. */
  get attempts(): number {
    return this.#parts.retries.attempts;
  }

  /**
   * Sends a request until it is answered for good. An answer from 200 to 299, and 304, is given back.
   * @throws {@link ScimClientError}
   */
  async send(stated: Call): Promise<Answer> {
    if (this.#isClosed) throw new UsageError("closed", "The client is closed, and sends nothing more.");
    const call = stated.headers === undefined ? stated : { ...stated, headers: givenHeaders(stated.headers) };
    if (stated.timeout !== undefined && !(stated.timeout >= 1))
      throw new UsageError("invalidOption", "'timeout' is a number of milliseconds from 1.");
    const course: Course = { attempts: 0, unknown: false, renewed: false, authorization: null };
    for (;;) {
      const attempt = await this.#service.judged(call, await this.#attempt(call, course));
      const early = earlyText(call, attempt);
      if (early !== null) await early;
      const answer = this.#success(call, course, attempt);
      if (answer !== null) return answer;
      await this.#beforeNext(call, course, attempt);
    }
  }

  /** Waits for the time that belongs to an attempt. */
  async wait(attempt: number, signal: AbortSignal | undefined): Promise<void> {
    const { clock, random, retries } = this.#parts;
    const ms = waitBefore(retries, { attempt, retryAfterMs: null, random: random() }) ?? 0;
    await pause(clock, ms, signal);
  }

  /** Tells whoever listens. */
  tell(event: ClientEvent): void {
    this.#parts.onEvent?.(event);
  }

  async #attempt(call: Call, course: Course): Promise<Attempt> {
    const { gate, clock, timeout } = this.#parts;
    const entered = gate.enter(call.signal);
    if (entered !== null) {
      try {
        await entered;
      } catch (error) {
        const failure = new TransportFailure("unsent", "The request was given up.", error);
        return { kind: "failure", failure, givenUp: "aborted" };
      }
    }
    const deadline = deadlineOf(clock, call.timeout ?? timeout, call.signal);
    try {
      return await this.#exchange(call, course, deadline);
    } finally {
      deadline.end();
      gate.leave();
    }
  }

  async #exchange(call: Call, course: Course, deadline: Deadline): Promise<Attempt> {
    const { transport } = this.#parts;
    const request = await this.#requestOf(call, course, deadline.signal).catch((error: unknown) => {
      if (deadline.givenUp === "aborted") return null;
      throw this.#hindered(call, course, error);
    });
    // Not every transport looks at the signal before it sends.
    if (request === null || deadline.givenUp === "aborted") return ABORTED;
    course.attempts += 1;
    const { method, path } = call;
    const watch = watchAttempt(this.#parts, { method, path, attempt: course.attempts });
    const sent = watch === null ? request : { ...request, headers: { ...request.headers, ...watch.headers } };
    const attempt = await sentBy(transport, sent, deadline);
    // What a listener throws is a fault of the program, and no failure of the request: that would be sent again.
    if (attempt.kind === "answer") watch?.answered(attempt.answer);
    else watch?.failed(attempt.givenUp ?? attempt.failure.kind);
    return attempt;
  }

  async #requestOf(call: Call, course: Course, signal: AbortSignal): Promise<TransportRequest> {
    const { credentials, transport, clock, origin, basePath, maxAnswerBytes, headers } = this.#parts;
    const { method, path, query = "", body = null } = call;
    const given = credentials?.authorization({ signal, transport, clock }) ?? null;
    course.authorization = given === null || typeof given === "string" ? given : await given;
    const { "content-type": mediaType = SCIM_MEDIA_TYPE, ...others } = { ...headers, ...call.headers };
    return {
      method,
      origin,
      basePath,
      path: basePath + path + query,
      headers: {
        accept: ACCEPT,
        ...others,
        ...(body === null ? {} : { "content-type": mediaType }),
        ...(course.authorization === null ? {} : { authorization: course.authorization }),
      },
      body,
      signal,
      maxAnswerBytes,
    };
  }

  /** The answer of an attempt that succeeded, else null. */
  #success(call: Call, course: Course, attempt: Attempt): Answer | null {
    if (attempt.kind === "failure") return null;
    const { status, headers } = attempt.answer;
    const request = aboutRequest(call, course, attempt);
    const afterUnknown = course.unknown;
    if (isSuccess(status)) {
      const body = readBody(attempt.answer, { request, takesList: call.takesList });
      const answer = { status, headers, body, text: attempt.answer.body, request, afterUnknown };
      this.#service.notice(call, answer);
      return answer;
    }
    // What nobody knew of has done its work.
    const isGone = (status === 404 || status === 410) && !attempt.isForeign;
    if (isGone && afterUnknown && call.method === "DELETE") {
      return { status: 204, headers, body: null, text: "", request, afterUnknown };
    }
    return null;
  }

  /**
   * Returns when a request may be sent again.
   * @throws {@link ScimClientError} where it may not
   */
  async #beforeNext(call: Call, course: Course, attempt: Attempt): Promise<void> {
    const { clock, retries, random, gate } = this.#parts;
    if (this.#isRenewed(course, attempt)) return;
    const verdict = verdictOf(attempt, call.repetition, clock.now());
    if (verdict.unknown) course.unknown = true;
    const waitMs = verdict.repeats
      ? waitBefore(retries, {
          attempt: course.attempts,
          retryAfterMs: verdict.retryAfterMs,
          random: random(),
        })
      : null;
    // The rate holds for all requests of a client that waits, not for the one that met it, and also where that gives up.
    const isHeld = waitMs !== null && retries.attempts > 1;
    if (isHeld && verdict.retryAfterMs !== null) gate.holdFor(verdict.retryAfterMs);
    if (waitMs === null || course.attempts >= retries.attempts) throw this.#errorOf(call, course, attempt);
    const { method, path } = call;
    this.tell({ kind: "retry", method, path, attempt: course.attempts, waitMs });
    try {
      await pause(clock, waitMs, call.signal);
    } catch {
      throw this.#errorOf(call, course, ABORTED);
    }
  }

  /** Whether the service refused credentials that can be had anew, for the first time. */
  #isRenewed(course: Course, attempt: Attempt): boolean {
    const { credentials } = this.#parts;
    const { authorization } = course;
    if (attempt.kind === "failure" || attempt.answer.status !== 401) return false;
    if (course.renewed || authorization === null) return false;
    course.renewed = true;
    return credentials?.refused?.(authorization) ?? false;
  }

  /** What kept another attempt from being sent, such as a token that cannot be had. */
  #hindered(call: Call, course: Course, error: unknown): unknown {
    if (!(error instanceof Error)) return error;
    const request = aboutRequest(call, course, ABORTED);
    return doubted(error, { request, repetition: call.repetition, unknown: course.unknown });
  }

  #errorOf(call: Call, course: Course, attempt: Attempt): Error {
    return errorOf(attempt, {
      request: aboutRequest(call, course, attempt),
      repetition: call.repetition,
      unknown: course.unknown,
      nowMs: this.#parts.clock.now(),
      ifMatch: call.headers?.["if-match"],
      authorization: course.authorization,
    });
  }
}

const SCIM_MEDIA_TYPE = "application/scim+json";
const ACCEPT = "application/scim+json, application/json;q=0.9";
const ABORTED: Attempt = {
  kind: "failure",
  failure: new TransportFailure("unsent", "The request was given up."),
  givenUp: "aborted",
};

async function sentBy(transport: Transport, request: TransportRequest, deadline: Deadline): Promise<Attempt> {
  try {
    const answer = await transport.send(request);
    return { kind: "answer", answer, isForeign: isWebPage(answer) };
  } catch (error) {
    return { kind: "failure", failure: asTransportFailure(error), givenUp: deadline.givenUp };
  }
}

function isSuccess(status: number): boolean {
  return (status >= 200 && status < 300) || status === 304;
}

function earlyText({ early }: Call, attempt: Attempt): Promise<void> | null {
  if (early === undefined || attempt.kind === "failure" || !isSuccess(attempt.answer.status)) return null;
  return early(attempt.answer.body);
}

function aboutRequest(call: Call, course: Course, attempt: Attempt): FailedRequest {
  const requestId = attempt.kind === "answer" ? requestIdOf(attempt.answer.headers) : null;
  return { method: call.method, path: call.path, requestId, attempts: course.attempts };
}
