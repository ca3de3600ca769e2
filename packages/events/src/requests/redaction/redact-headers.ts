/**
 * Redacts the headers that say how a request is meant. They hold words of the protocol, versions, and the name of a program;
 * a client may write anything in their place.
 * @module
 */
import type { Redaction } from "./redaction.ts";

/** Characters of a header that are shown. */
const LONGEST = 200;

/** Media types and preferences with their parameters: `application/json; charset=utf-8`, `return=minimal`. */
const WORDS = /^(?:\*|[\w.+*-]+[/=][\w.+*-]+)(?:\s*[;,]\s*[\w.+*-]+(?:[/=]"?[\w.+*-]+"?)?)*$/;

/** Redacts headers by lower-case name. Long ones are cut. */
export function redactHeaders(
  redaction: Redaction,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      shownHeader(redaction, name, value).slice(0, LONGEST),
    ]),
  );
}

function shownHeader(redaction: Redaction, name: string, value: string): string {
  switch (name) {
    case "if-match":
    case "if-none-match":
      // Each tag shows a character at least, with the comma before it.
      return value
        .split(",", LONGEST)
        .map((tag) => shownTag(redaction, tag.trim()))
        .join(", ");
    // People who are asked about a program stand beside its name by their addresses.
    case "user-agent":
      return withoutAddresses(redaction, value);
    default:
      return WORDS.test(value) ? redaction.plain(value) : redaction.name(value);
  }
}

function withoutAddresses(redaction: Redaction, value: string): string {
  let words = 0;
  return value.replaceAll(/[^\s()<>;,]+/g, (word) => {
    words += 1;
    // Each shows a character at least.
    if (words > LONGEST) return "";
    return word.includes("@") ? redaction.personal(word) : word;
  });
}

/** An entity tag (RFC 9110 §8.8.3) keeps its form, which decides how it is read. */
function shownTag(redaction: Redaction, tag: string): string {
  if (tag === "*") return tag;
  const [, weak = "", opaque] = /^(W\/)?"(.*)"$/.exec(tag) ?? [];
  return opaque === undefined ? redaction.version(tag) : `${weak}"${redaction.version(opaque)}"`;
}
