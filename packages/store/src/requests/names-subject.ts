/**
 * Whether an entry of the request log names a subject: by its id as it stands, and not as a part of another text.
 * @module
 */
import { rowEnds } from "@scim/core";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";

/** Members of an entry that the log makes, and that hold ids of no resource. */
const OF_THE_LOG: ReadonlySet<string> = new Set(
  "id at tenant connection method route status errorCode".split(" "),
);

/** Members whose number may be an id that a client sent without quotes. */
const OF_IDS: ReadonlySet<string> = new Set(["id", "value"]);

/** A status of HTTP in a body, which is a text (RFC 7644 §3.7.3, §3.12). */
const STATUS = /^[1-5]\d\d$/;

/** Parameters of pages (RFC 7644 §3.4.2.4): `count=100` is not about the resource 100. */
const PAGES = /([?&](?:startIndex|count)=)\d+/gi;

/** Minutes are no ids either. */
const DATE_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?/g;

/** Characters that stand encoded in an address. */
const ENCODED = /(?:%[0-9a-f]{2})+/gi;

/**
 * Tells it of an entry: by the resource that it is about, or a row of a collection that the subject is an end of, by a
 * whole text, a segment of a path, or a literal of a filter. At both ends of the id stands what no id may hold: a longer one
 * that it is a part of is another's.
 */
export function namesSubject(entry: JsonObject, id: string): boolean {
  return Object.entries(entry).some(([name, value]) => {
    if (OF_THE_LOG.has(name)) return false;
    // Words of the protocol and names of programs: "text/html; q=1".
    if (name === "headers") return isJsonObject(value) && Object.values(value).includes(id);
    if (name === "target" && typeof value === "string") return stands(addressText(value), id);
    return (
      isNamed({ name, value }, id) || (name === "resource" && typeof value === "string" && isEnd(value, id))
    );
  });
}

/** Whether the id of a row names a resource, such as a membership its group and its member. */
function isEnd(row: string, id: string): boolean {
  const ends = rowEnds(row);
  return ends !== null && (ends.owner === id || ends.value === id);
}

interface Member {
  readonly name: string;
  readonly value: JsonValue;
}

function isNamed({ name, value }: Member, id: string): boolean {
  if (typeof value === "string") return !(name === "status" && STATUS.test(value)) && stands(value, id);
  if (typeof value === "number") return OF_IDS.has(name) && String(value) === id;
  if (isJsonArray(value)) return value.some((each) => isNamed({ name, value: each }, id));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    // The name of a member may be a path with a filter.
    ([key, each]) => stands(key, id) || isNamed({ name: key, value: each }, id),
  );
}

/** Whether an id stands in a text, between characters that are none of an id, or at its ends. */
function stands(text: string, id: string): boolean {
  if (!text.includes(id)) return false;
  const undated = text.replaceAll(DATE_TIME, " ");
  for (let at = undated.indexOf(id); at !== -1; at = undated.indexOf(id, at + 1)) {
    const isBegun = /[\w.~-]$/.test(undated.slice(Math.max(0, at - 1), at));
    // A full stop is the end of a sentence where nothing of an id follows.
    if (!isBegun && !/^\.*[\w~-]/.test(undated.slice(at + id.length))) return true;
  }
  return false;
}

/** An address as it is meant. What is no UTF-8 is of no id. */
function addressText(target: string): string {
  return target.replaceAll(PAGES, "$1").replaceAll(ENCODED, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return " ";
    }
  });
}
