/**
 * Bytes to JSON value (RFC 7644 §3.8, RFC 8259), with the faults that `JSON.parse` lets pass refused:
 * invalid UTF-8, member names that occur twice, numbers whose value would change, halves of surrogate
 * pairs, and deep nesting.
 * @module
 */
import { ScimError, type JsonValue } from "@scim/schemas";
import { findFault } from "./fault.ts";
import { halfPair, inexactNumber, nestsTooDeep, notUtf8, syntaxFault } from "./refusals.ts";
import { findHalfPair, scanJson } from "./scan.ts";

// A byte order mark at the start is dropped.
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Decodes a body, or what else is read as strictly: `what` says in refusals what it is, such as one `record` of a file.
 * @throws ScimError `invalidSyntax` for anything that is not JSON in UTF-8 or nests deeper than `maxDepth`;
 *   `invalidValue` for a number that a double cannot hold, and for half of a surrogate pair (RFC 7643 §2.3.1)
 */
export function decodeJson(bytes: Uint8Array, maxDepth: number, what = "body"): JsonValue {
  if (bytes.length === 0) throw new ScimError("invalidSyntax", `The ${what} is empty; send a JSON object.`);
  const text = decodeText(bytes, what);
  const at = (offset: number): string => place(text, offset) + (what === "body" ? "" : ` of the ${what}`);
  const scan = scanJson(text, maxDepth);
  if (scan.tooDeepAt !== null) throw nestsTooDeep(maxDepth, at(scan.tooDeepAt), what);
  const value = parse(text);
  if (value === undefined) throw syntaxError(text, at, what);
  if (scan.inexactAt !== null) throw inexactNumber(at(scan.inexactAt));
  const halfAt = findHalfPair(text);
  if (halfAt !== null) throw halfPair(at(halfAt));
  // The parser keeps the last of equal names, so a missing one tells of a repetition.
  if (scan.names !== countNames(value)) throw syntaxError(text, at, what);
  return value;
}

function decodeText(bytes: Uint8Array, what: string): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw notUtf8(cause, what);
  }
}

/** The value of a text; undefined where it is no JSON. */
function parse(text: string): JsonValue | undefined {
  try {
    // JSON.parse is typed `any`; what it returns is a JSON value by its contract.
    return JSON.parse(text) as JsonValue;
  } catch {
    // The engine's message quotes the body, which is the client's: it is not passed on.
    return undefined;
  }
}

function syntaxError(text: string, at: (offset: number) => string, what: string): ScimError {
  const fault = findFault(text);
  return syntaxFault(fault?.problem ?? null, at(fault?.offset ?? 0), what);
}

/** How many member names a value has, in itself and in what it holds. Recursion is safe: the depth is checked. */
export function countNames(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 0;
  let names = 0;
  if (isArray(value)) {
    for (const item of value) names += countNames(item);
    return names;
  }
  // What the parser made has no names but its own.
  for (const name in value) names += 1 + countNames(value[name] ?? null);
  return names;
}

/** `Array.isArray` does not narrow a readonly array. */
function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function place(text: string, offset: number): string {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return `at line ${line}, column ${offset - lineStart + 1}`;
}
