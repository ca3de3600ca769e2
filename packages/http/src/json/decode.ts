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
 * Decodes a body.
 * @throws ScimError `invalidSyntax` for anything that is not JSON in UTF-8 or nests deeper than `maxDepth`;
 *   `invalidValue` for a number that a double cannot hold, and for half of a surrogate pair (RFC 7643 §2.3.1)
 */
export function decodeJson(bytes: Uint8Array, maxDepth: number): JsonValue {
  if (bytes.length === 0) throw new ScimError("invalidSyntax", "The body is empty; send a JSON object.");
  const text = decodeText(bytes);
  const scan = scanJson(text, maxDepth);
  if (scan.tooDeepAt !== null) throw nestsTooDeep(maxDepth, place(text, scan.tooDeepAt));
  const value = parse(text);
  if (scan.inexactAt !== null) throw inexactNumber(place(text, scan.inexactAt));
  const halfAt = findHalfPair(text);
  if (halfAt !== null) throw halfPair(place(text, halfAt));
  // The parser keeps the last of equal names, so a missing one tells of a repetition.
  if (scan.names !== countNames(value)) throw syntaxError(text);
  return value;
}

function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw notUtf8(cause);
  }
}

function parse(text: string): JsonValue {
  try {
    // JSON.parse is typed `any`; what it returns is a JSON value by its contract.
    return JSON.parse(text) as JsonValue;
  } catch {
    // The engine's message quotes the body, which is the client's: it is not passed on.
    throw syntaxError(text);
  }
}

function syntaxError(text: string): ScimError {
  const fault = findFault(text);
  return syntaxFault(fault?.problem ?? null, place(text, fault?.offset ?? 0));
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
