/**
 * Attribute paths within a text: where one ends, and what it names (RFC 7644 §3.10).
 * @module
 */
import type { AttributePath } from "../ast/nodes.ts";
import { ALPHA, BOUNDARY, Code, isClass, NAME, URI } from "./characters.ts";
import { fault } from "./fault.ts";

const NAME_EXPECTED = ["name"];
const NAME_RULE = 'a name is a letter followed by letters, digits, "-", "_" or "$"';

/** Where the characters end that a path with a URI may hold. */
export function pathEnd(text: string, start: number): number {
  let end = start;
  while (isClass(text.charCodeAt(end), URI)) end += 1;
  return end;
}

/** Where the name that begins at `start` ends; throws where none begins. */
export function nameEnd(text: string, start: number): number {
  let end = start + 1;
  if (!isClass(text.charCodeAt(start), ALPHA) && !isDollarRef(text, start)) {
    throw fault(text, start, { message: `Expected a name: ${NAME_RULE}`, expected: NAME_EXPECTED });
  }
  while (isClass(text.charCodeAt(end), NAME)) end += 1;
  return end;
}

// attrPath = [URI ":"] name ["." name]
/** Reads the path between two offsets; throws where it breaks the grammar. */
export function readPath(text: string, start: number, end: number): AttributePath {
  const colon = text.lastIndexOf(":", end - 1);
  const nameStart = colon < start ? start : colon + 1;
  const urn = colon < start ? null : readUri(text, start, colon);
  if (urn !== null && isVersion(text.slice(nameStart, end))) {
    return { kind: "attributePath", urn, attribute: text.slice(nameStart, end), subAttribute: null };
  }
  const attributeEnd = nameEnd(text, nameStart);
  if (attributeEnd === end) {
    return { kind: "attributePath", urn, attribute: text.slice(nameStart, end), subAttribute: null };
  }
  const subAttribute = readSubAttribute(text, attributeEnd, end);
  return { kind: "attributePath", urn, attribute: text.slice(nameStart, attributeEnd), subAttribute };
}

/** Throws unless the text ends at `end`, or white space, a parenthesis or a bracket follows. */
export function expectPathBoundary(text: string, end: number): void {
  if (end < text.length && !isClass(text.charCodeAt(end), BOUNDARY)) {
    throw fault(text, end, {
      message: `This character is not allowed in an attribute path: ${NAME_RULE}`,
      expected: ["white space"],
    });
  }
}

function readSubAttribute(text: string, dot: number, end: number): string {
  if (text.charCodeAt(dot) !== Code.dot) {
    throw fault(text, dot, {
      message: `This character is not allowed in an attribute path: ${NAME_RULE}`,
      expected: NAME_EXPECTED,
    });
  }
  const subEnd = nameEnd(text, dot + 1);
  if (subEnd !== end) {
    throw fault(text, subEnd, {
      message: "An attribute path ends after one sub-attribute",
      expected: ["white space", "end"],
    });
  }
  return text.slice(dot + 1, end);
}

// A URI has a scheme and something behind it, so that `userName:eq` is no path.
const ABSOLUTE_URI = /^[a-z][a-z0-9+.-]*:[^:]/i;

function readUri(text: string, start: number, colon: number): string {
  const uri = text.slice(start, colon);
  if (!ABSOLUTE_URI.test(uri)) {
    throw fault(text, start, {
      message: 'What stands before the last ":" of an attribute path must be the URI of a schema',
      expected: ["schema URI", ...NAME_EXPECTED],
    });
  }
  return uri;
}

// The URN of an extension can end in its version: `urn:example:extension:2.0` alone names the extension.
function isVersion(text: string): boolean {
  return /^\d+(?:\.\d+)*$/.test(text);
}

// $ref is the one name that RFC 7643 uses against its own rule.
function isDollarRef(text: string, start: number): boolean {
  if (text.charCodeAt(start) !== Code.dollar || text.slice(start + 1, start + 4).toLowerCase() !== "ref") {
    return false;
  }
  return !isClass(text.charCodeAt(start + 4), NAME);
}
