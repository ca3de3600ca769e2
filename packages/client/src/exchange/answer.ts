/**
 * Reads answers: what is SCIM in them, and what is not.
 * @module
 */
import {
  ERROR_URN,
  isJsonArray,
  isJsonObject,
  isSameUrn,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import { InvalidAnswerError } from "../errors/answer-error.ts";
import type { FailedRequest } from "../errors/client-error.ts";
import type { TransportAnswer } from "../transport/port.ts";

/** An answer, read. */
export interface Answer {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body; null for none. */
  readonly body: JsonObject | null;
  /** The body as it came. */
  readonly text: string;
  /** The request, for errors that a look at the body leads to. */
  readonly request: FailedRequest;
  /** Whether the request was sent before without anyone knowing what became of it. */
  readonly afterUnknown: boolean;
}

const REQUEST_ID_HEADERS = ["x-request-id", "request-id", "x-correlation-id"];

/** The id that the service gave a request, where it tells one of a form that can be shown. */
export function requestIdOf(headers: Readonly<Record<string, string>>): string | null {
  for (const name of REQUEST_ID_HEADERS) {
    const value = headers[name];
    if (value !== undefined && /^[\w.:/+=-]{1,128}$/.test(value)) return value;
  }
  return null;
}

/** The media type of an answer, without parameters; null for none. */
export function mediaTypeOf(headers: Readonly<Record<string, string>>): string | null {
  const header = headers["content-type"];
  if (header === undefined) return null;
  const semicolon = header.indexOf(";");
  return (semicolon === -1 ? header : header.slice(0, semicolon)).trim().toLowerCase();
}

/**
 * The body of a success. A media type other than SCIM's is forgiven where the body is a JSON object all the same; a
 * page for people is not. A deletion is answered without a body (RFC 7644 §3.6): what comes there and is no JSON object
 * counts for nothing. An Error message is no success, whatever its status says.
 * @throws {@link InvalidAnswerError} `notScim`, `invalidJson`, `invalidMessage`
 */
export function readBody(
  answer: TransportAnswer,
  {
    request,
    takesList = false,
  }: { readonly request: FailedRequest; readonly takesList?: boolean | undefined },
): JsonObject | null {
  const { status, headers, body } = answer;
  if (!/\S/.test(body)) return null;
  const contentType = mediaTypeOf(headers);
  if (isOfPages(contentType)) {
    throw new InvalidAnswerError("notScim", `the answer (${status}) is a web page, not SCIM`, {
      request,
      status,
      contentType,
    });
  }
  const value = parsed(body);
  if (isJsonObject(value) && isErrorMessage(value)) {
    throw new InvalidAnswerError("invalidMessage", `the answer (${status}) holds an error`, {
      request,
      status,
      contentType,
    });
  }
  if (isJsonObject(value)) return value;
  if (takesList && isJsonArray(value)) return { totalResults: value.length, Resources: value };
  if (request.method === "DELETE") return null;
  const what = value === undefined ? "is no JSON" : "is no JSON object";
  throw new InvalidAnswerError("invalidJson", `the body of the answer (${status}) ${what}`, {
    request,
    status,
    contentType,
  });
}

function isErrorMessage({ schemas }: JsonObject): boolean {
  return isJsonArray(schemas) && schemas.some((urn) => typeof urn === "string" && isSameUrn(urn, ERROR_URN));
}

/** The Error message of an answer that reports an error; null where the body is none. */
export function readErrorBody({ body }: TransportAnswer): JsonObject | null {
  const value = body === "" ? undefined : parsed(body);
  return isJsonObject(value) ? value : null;
}

/** Whether an answer says that something is not there, and is no SCIM: whose word that is, it does not tell. */
export function isUnsigned(answer: TransportAnswer): boolean {
  if (answer.status !== 404 && answer.status !== 410) return false;
  const message = readErrorBody(answer);
  return !isWebPage(answer) && (message === null || !isErrorMessage(message));
}

/** Whether an answer that reports an error is a page for people: what stands in front of a service gives such, and it tells nothing of it. */
export function isWebPage(answer: TransportAnswer): boolean {
  const { headers, body } = answer;
  return /\S/.test(body) && isOfPages(mediaTypeOf(headers)) && readErrorBody(answer) === null;
}

function isOfPages(mediaType: string | null): boolean {
  return mediaType === "text/html" || mediaType === "application/xhtml+xml";
}

function parsed(text: string): JsonValue | undefined {
  try {
    // JSON text is a JSON value.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
