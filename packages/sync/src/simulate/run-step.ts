/**
 * Acts out one step, and judges what comes of it as the identity provider would.
 * @module
 */
import { STATUS_CODES } from "node:http";
import { ConnectionError } from "@scim/client";
import type { JsonObject } from "@scim/schemas";
import { holds } from "./check.ts";
import { detailOf, exchange, type Exchanged, type Line } from "./exchange.ts";
import { fillObject, fillPath, unknownIn } from "./fill.ts";
import { idOf, type Made } from "./made.ts";
import type { Finding, StepReport } from "./report.ts";
import type { Check, Scenario, Step, Trouble } from "./scenario.ts";

/** A run under way. */
export interface Course {
  readonly scenario: Scenario;
  readonly line: Line;
  readonly made: Made;
  readonly signal: AbortSignal;
  /** What stands for placeholders; grows with what is made. */
  readonly known: Map<string, string>;
  /** Whether the service answered anything yet. */
  isReached: boolean;
  /** Whether it took the credentials yet. */
  isAdmitted: boolean;
  /** Whether it refused the credentials where the identity provider cannot go on, and never took them. */
  isRefused: boolean;
}

/** The report of a step that is not taken. */
export function skippedStep({ id, phase, does, evidence = "documented", method, path }: Step): StepReport {
  const nothing = { status: null, attempts: 0, durationMs: 0, findings: [] };
  return { id, phase, does, evidence, outcome: "skipped", method, path, ...nothing };
}

/** Takes a step. One that needs what was never made is skipped. */
export async function runStep(step: Step, course: Course): Promise<StepReport> {
  const { body = {}, path } = step;
  if (unknownIn([path, body], course.known) !== null) return skippedStep(step);
  const { made, known } = course;
  const filled = step.body === undefined ? null : fillObject(step.body, known);
  const told = step.method === "POST" && filled !== null ? made.begin(path, filled) : null;
  const exchanged = await send(course, { method: step.method, path: fillPath(path, known), body: filled });
  told?.(exchanged);
  const findings = await judge(step, exchanged, course);
  const { answer, attempts, durationMs } = exchanged;
  return {
    ...skippedStep(step),
    path: fillPath(path, known),
    outcome: outcomeOf(findings, course.signal),
    status: answer?.status ?? null,
    attempts,
    durationMs,
    findings,
  };
}

/** @throws ConnectionError where no connection comes about from the beginning: that tells nothing of the service */
async function send(
  course: Course,
  {
    method,
    path,
    body,
  }: { readonly method: string; readonly path: string; readonly body: JsonObject | null },
): Promise<Exchanged> {
  const { scenario, line, signal } = course;
  const headers = body === null ? scenario.readHeaders : scenario.writeHeaders;
  const exchanged = await exchange(line, { method, path, headers, body }, signal);
  if (exchanged.isUnsent && !course.isReached) {
    const request = {
      method,
      path: path.replace(/\?.*$/s, ""),
      requestId: null,
      attempts: exchanged.attempts,
    };
    throw new ConnectionError("connectionFailed", `no connection to ${line.origin}: ${exchanged.failure}`, {
      request,
    });
  }
  course.isReached ||= exchanged.answer !== null;
  course.isAdmitted ||= exchanged.answer !== null && exchanged.answer.status !== REFUSED;
  return exchanged;
}

function outcomeOf(findings: readonly Finding[], signal: AbortSignal): StepReport["outcome"] {
  if (signal.aborted) return "skipped";
  if (findings.some(({ weight }) => weight === "fails")) return "failed";
  return findings.length > 0 ? "hindered" : "passed";
}

async function judge(step: Step, exchanged: Exchanged, course: Course): Promise<readonly Finding[]> {
  const { signal } = course;
  if (signal.aborted) return [];
  const waiting = exchanged.throttledBlindly ? [findingOf(BLIND_THROTTLE, BLIND_THROTTLE.fault)] : [];
  const refused = refusal(step, exchanged, course);
  if (refused !== null) {
    if (exchanged.answer?.status !== REFUSED) return [...waiting, findingOf(step, refused)];
    course.isRefused = !course.isAdmitted;
    const weight = course.isRefused ? "fails" : (step.weight ?? "fails");
    return [...waiting, findingOf({ ...step, weight, mend: CREDENTIALS }, refused)];
  }
  const answered = (step.checks ?? []).filter((check) => !holds(check, exchanged.json, course.known));
  const strange = await remember(step, exchanged, course);
  if (strange !== null) return [...waiting, ...answered.map(ofCheck), strange];
  return [...waiting, ...answered.map(ofCheck), ...(await judgeAfterwards(step, course))];
}

/** What is wrong with the status of an answer; null where the identity provider goes on. */
function refusal(
  { accepts }: Step,
  { answer, json, failure }: Exchanged,
  { scenario, line }: Course,
): string | null {
  const wanted = accepts.join(" or ");
  if (answer === null) return `no answer: ${failure}`;
  if (accepts.includes(answer.status)) return null;
  const secret = line.authorization?.replace(/^\S+ /, "") ?? null;
  const detail = detailOf(json, secret);
  const told = `answered ${answer.status} ${STATUS_CODES[answer.status] ?? ""}`.trimEnd();
  return `${told}${detail === "" ? "" : ` ('${detail}')`}; ${scenario.name} goes on from ${wanted}`;
}

/** Remembers the id of what was made, where it is ours. */
async function remember({ makes, path }: Step, { json }: Exchanged, course: Course): Promise<Finding | null> {
  const id = idOf(json);
  if (makes === undefined || id === null) return null;
  const { made, known } = course;
  const there = fillPath(`${path}/{new.id}`, new Map([["new.id", id]]));
  const { json: found } = await send(course, { method: "GET", path: there, body: null });
  // An answer that repeats what was sent says nothing of whose the id is.
  const isOurs = idOf(found) === null ? made.isOurs(json) : made.isOurs(found);
  if (!isOurs) return findingOf(NOT_OURS, NOT_OURS.fault);
  known.set(`${makes}.id`, id);
  return null;
}

async function judgeAfterwards({ afterwards, gone }: Step, course: Course): Promise<readonly Finding[]> {
  const { known } = course;
  const read = (path: string): Promise<Exchanged> =>
    send(course, { method: "GET", path: fillPath(path, known), body: null });
  if (gone !== undefined) {
    const { answer } = await read(gone);
    return answer?.status === 404
      ? []
      : [findingOf(STILL_THERE, `${STILL_THERE.fault} (${answer?.status ?? "no answer"})`)];
  }
  // What was made has no id where its creation was answered without one, which is told already.
  if (afterwards === undefined || unknownIn(afterwards.path, known) !== null) return [];
  const { answer, json } = await read(afterwards.path);
  if (answer === null || answer.status !== 200)
    return [findingOf(UNREADABLE, `${UNREADABLE.fault} (${answer?.status ?? "no answer"})`)];
  return afterwards.checks.filter((check) => !holds(check, json, known)).map(ofCheck);
}

function ofCheck(check: Check): Finding {
  return findingOf(check, check.fault);
}

function findingOf({ means, mend, weight = "fails" }: Trouble, fault: string): Finding {
  return { weight, fault, means, mend };
}

/** What a service answers whose credentials it does not take (RFC 7644 §3.12). */
const REFUSED = 401;
const CREDENTIALS = "Give credentials that the service takes; or let it take these, where they are right.";

interface Common extends Trouble {
  readonly fault: string;
}

const BLIND_THROTTLE: Common = {
  weight: "hinders",
  fault: "a request is throttled without a number of seconds in Retry-After",
  means: "The identity provider guesses how long to wait: minutes, where seconds would do.",
  mend: "Send 'Retry-After: SECONDS' with 429 and 503.",
};

const NOT_OURS: Common = {
  fault: "the answer to a creation names another resource",
  means: "The identity provider takes somebody else's account for the new one, and changes that.",
  mend: "Answer a creation with the resource that it made, or with 409 where there is one already.",
};

const STILL_THERE: Common = {
  fault: "what was deleted can still be read",
  means: "The identity provider takes it for deleted, and finds it again when the person comes back.",
  mend: "Answer 404 to a resource that was deleted, and leave it out of lists.",
};

const UNREADABLE: Common = {
  fault: "the resource cannot be read afterwards",
  means: "The identity provider takes it for deleted, and makes it anew.",
  mend: "Answer 200 with the resource at its own address as long as it is not deleted, whether active or not.",
};
