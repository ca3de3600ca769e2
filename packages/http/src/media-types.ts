/**
 * Media types (RFC 7644 §3.8): what a body may be, and whether the client takes our answer.
 * @module
 */
import { ScimError } from "@scim/schemas";
import { headerOf, type HttpRequest } from "./message.ts";

/** The media type of every answer with a body. */
export const SCIM_MEDIA_TYPE = "application/scim+json; charset=utf-8";

const SCIM_JSON = "application/scim+json";
const JSON_TYPE = "application/json";
const TAKEN = `${SCIM_JSON}, ${JSON_TYPE}`;

/**
 * Checks that a body is JSON: `application/scim+json` or `application/json`, or no Content-Type at all.
 * Parameters have no meaning and are ignored. That goes for `charset` too: JSON is UTF-8 (RFC 8259 §8.1, §11), and
 * HTTP libraries of Java say `charset=ISO-8859-1` unasked. A body that is not UTF-8 is refused where it is decoded.
 * @throws ScimError `unsupportedMediaType`, with headers that name what is taken (RFC 9110 §15.5.16, RFC 5789 §2.2)
 */
export function requireJsonBody(request: Pick<HttpRequest, "method" | "headers">): void {
  if (headerOf(request, "content-encoding")?.split(",").every(isNoCoding) === false) {
    throw new ScimError(
      "unsupportedMediaType",
      "Content-Encoding is not supported; send the body as it is.",
      { headers: { "accept-encoding": "identity" } },
    );
  }
  const contentType = headerOf(request, "content-type");
  if (contentType === undefined || contentType === SCIM_JSON || contentType === JSON_TYPE) return;
  const [type = "", ...parameters] = contentType.split(";");
  if (type.trim() === "" && parameters.length === 0) return;
  if (!isJson(type.trim().toLowerCase())) {
    throw new ScimError("unsupportedMediaType", `Send the body as ${SCIM_JSON} or ${JSON_TYPE}.`, {
      headers: { accept: TAKEN, ...(request.method === "PATCH" ? { "accept-patch": TAKEN } : {}) },
    });
  }
}

/** Lists may have empty elements (RFC 9110 §5.6.1.2). */
function isNoCoding(coding: string): boolean {
  return ["", "identity"].includes(coding.trim().toLowerCase());
}

/**
 * Checks that the client takes JSON. Where it does, in whatever form, the answer is `application/scim+json`.
 * @throws ScimError `notAcceptable`
 */
export function requireAcceptable(accept: string | undefined): void {
  if (accept === undefined || accept === "*/*" || accept === SCIM_JSON || accept === JSON_TYPE) return;
  const ranges = accept
    .split(",")
    .map(parseRange)
    .filter((range) => range.type !== "");
  if (ranges.length === 0 || weight(ranges, SCIM_JSON) > 0 || weight(ranges, JSON_TYPE) > 0) return;
  throw new ScimError("notAcceptable", `Answers are ${SCIM_JSON}; accept it, ${JSON_TYPE} or */*.`);
}

function isJson(type: string): boolean {
  return type === SCIM_JSON || type === JSON_TYPE;
}

/** A parameter in lower case and without quotes, or null. */
function parameterOf(parameters: readonly string[], name: string): string | null {
  for (const parameter of parameters) {
    const equals = parameter.indexOf("=");
    if (equals === -1 || parameter.slice(0, equals).trim().toLowerCase() !== name) continue;
    return parameter
      .slice(equals + 1)
      .trim()
      .replaceAll('"', "")
      .toLowerCase();
  }
  return null;
}

interface MediaRange {
  readonly type: string;
  /** Weight from 0 to 1; 0 refuses. */
  readonly quality: number;
}

function parseRange(text: string): MediaRange {
  const [type = "", ...parameters] = text.split(";");
  const quality = Number(parameterOf(parameters, "q") ?? "1");
  return { type: type.trim().toLowerCase(), quality: Number.isNaN(quality) ? 1 : quality };
}

/** The weight that the most specific matching range gives a type (RFC 9110 §12.5.1); 0 where none matches. */
function weight(ranges: readonly MediaRange[], type: string): number {
  // A lone `*` is what old Java clients send.
  for (const form of [[type], ["application/*"], ["*/*", "*"]]) {
    const matching = ranges.filter((range) => form.includes(range.type));
    if (matching.length > 0) return Math.max(...matching.map((range) => range.quality));
  }
  return 0;
}
