/**
 * Redacts errors (RFC 7644 §3.12).
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { Redaction } from "./redaction.ts";
import { redactPlain, shownMembers } from "./redact-value.ts";

/** Redacts an error. The service writes it; what was sent stands in it where its detail quotes a path, and nowhere else. */
export function redactError(redaction: Redaction, body: JsonObject): JsonObject {
  return shownMembers(redaction, { object: body, path: "" }, (name, value) => {
    if (typeof value !== "string") return redactPlain(redaction, value);
    return name.endsWith("Version") ? redaction.version(value) : shownDetail(redaction, value);
  });
}

/** Where a quoted text may begin, and where one may end. */
const OPENING = /(?<=^|[\s([])'/;
const CLOSINGS = /'(?=$|[\s.,:;)\]])/g;
/** Quoted texts that hold no quotation mark, with words between them that hold none. */
const APART = /^'[^']*'(?:[\s.,:;)\]](?:[^']*[\s([])?'[^']*')*$/;

/**
 * What a detail quotes is a path, or a mark; a client may have written anything in its place. Where that holds quotation marks itself, nobody
 * can tell what stands between them from the words of the service.
 */
function shownDetail(redaction: Redaction, detail: string): string {
  const first = detail.search(OPENING);
  const last = [...detail.matchAll(CLOSINGS)].at(-1)?.index ?? -1;
  if (first === -1 || last <= first) return redaction.plain(detail);
  const quoted = detail.slice(first, last + 1);
  const shown = APART.test(quoted)
    ? quoted.replaceAll(/'([^']*)'/g, (all, text: string) =>
        isPath(text) || MARK.test(text) ? all : hidden(redaction, text),
      )
    : hidden(redaction, quoted.slice(1, -1));
  return redaction.plain(`${detail.slice(0, first)}${shown}${detail.slice(last + 1)}`);
}

/** One mark, such as the brace that JSON lacks, tells of nobody. */
const MARK = /^[\p{P}\p{S}]$/u;

function isPath(text: string): boolean {
  return /^[\w:.$[\]…/-]{0,300}$/.test(text);
}

function hidden(redaction: Redaction, text: string): string {
  return `'${redaction.personal(text)}'`;
}
