/**
 * Attribute paths within a text: where one ends, and what it names (RFC 7644 §3.10).
 * @module
 */
import type { AttributePath } from "../ast/nodes.ts";
import { ALPHA, BRACKET, Code, endsOrIs, isClass, NAME, runEnd, WHITE_SPACE } from "./characters.ts";
import { fault } from "./fault.ts";
import { faults } from "./faults.ts";

const VERSION = /^\d+(?:\.\d+)*$/;

// A URI has a scheme and something behind it, so that `userName:eq` is no path.
const ABSOLUTE_URI = /^[a-z][a-z0-9+.-]*:[^:]/i;

/** Where the name that begins at `start` ends; throws where none begins. */
export function nameEnd(text: string, start: number): number {
  if (!isClass(text.charCodeAt(start), ALPHA) && !isDollarRef(text, start)) {
    throw fault(text, start, faults.nameExpected);
  }
  return runEnd(text, start + 1, NAME);
}

/** Reads a path that is one name alone. */
export function readName(text: string, start: number, end: number): AttributePath {
  nameEnd(text, start);
  return { kind: "attributePath", urn: null, attribute: text.slice(start, end), subAttribute: null };
}

// attrPath = [URI ":"] name ["." name]
/** Reads the path between two offsets; throws where it breaks the grammar. */
export function readPath(text: string, start: number, end: number): AttributePath {
  const colon = text.slice(start, end).lastIndexOf(":");
  return colon < 0 ? readNames(text, start, { end, urn: null }) : readQualified(text, start, { end, colon });
}

function readQualified(
  text: string,
  start: number,
  { end, colon }: { readonly end: number; readonly colon: number },
): AttributePath {
  const nameStart = start + colon + 1;
  const urn = readUri(text, start, start + colon);
  const name = text.slice(nameStart, end);
  // An extension's URN can end in its version: `urn:example:extension:2.0` alone names the extension.
  if (VERSION.test(name)) return { kind: "attributePath", urn, attribute: name, subAttribute: null };
  return readNames(text, nameStart, { end, urn });
}

// name ["." name]
function readNames(
  text: string,
  start: number,
  { end, urn }: { readonly end: number; readonly urn: string | null },
): AttributePath {
  const attributeEnd = nameEnd(text, start);
  const subAttribute = attributeEnd === end ? null : readSubAttribute(text, attributeEnd, end);
  return { kind: "attributePath", urn, attribute: text.slice(start, attributeEnd), subAttribute };
}

/** Throws unless the text ends at `end`, or white space, a parenthesis or a bracket follows. */
export function expectPathBoundary(text: string, end: number): void {
  if (!endsOrIs(text, end, WHITE_SPACE | BRACKET)) {
    throw fault(text, end, faults.characterInPath);
  }
}

function readSubAttribute(text: string, dot: number, end: number): string {
  if (text.charCodeAt(dot) !== Code.dot) {
    throw fault(text, dot, faults.characterInPath);
  }
  const subEnd = nameEnd(text, dot + 1);
  if (subEnd !== end) {
    throw fault(text, subEnd, faults.secondSubAttribute);
  }
  return text.slice(dot + 1, end);
}

function readUri(text: string, start: number, colon: number): string {
  const uri = text.slice(start, colon);
  if (!ABSOLUTE_URI.test(uri)) {
    throw fault(text, start, faults.schemaUriExpected);
  }
  return uri;
}

// $ref is the one name that RFC 7643 uses against its own rule.
function isDollarRef(text: string, start: number): boolean {
  if (text.charCodeAt(start) !== Code.dollar || text.slice(start + 1, start + 4).toLowerCase() !== "ref") {
    return false;
  }
  return !isClass(text.charCodeAt(start + 4), NAME);
}
