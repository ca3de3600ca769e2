/**
 * Puts placeholders in the place of the ids of given resources, which another service gives others. An id that was taken over
 * may be as short as `2`: it is found where ids stand, and nowhere else.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonValue } from "@scim/schemas";

/** A given resource: its name, and its id as the log shows it. */
export interface NamedResource {
  readonly name: string;
  readonly shown: string;
}

/** Members whose texts are words of the protocol, also where one reads like an id, such as a status. */
const OF_THE_PROTOCOL: ReadonlySet<string> = new Set("schemas type status method op".split(" "));

/** JSON with placeholders in the place of ids: as whole texts, at the end of an address, and as literals of filters and paths. */
export function withPlaceholders<Value extends JsonValue>(
  value: Value,
  named: readonly NamedResource[],
): Value {
  // Ids stand in texts alone: the shape stays.
  return placed(value, named) as Value;
}

function placed(value: JsonValue, named: readonly NamedResource[]): JsonValue {
  if (typeof value === "string") return named.reduce(inText, value);
  if (isJsonArray(value)) return value.map((each) => placed(each, named));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, each]): [string, JsonValue] => [
    // The name of a member may be a path with a filter.
    named.reduce(inLiterals, name),
    OF_THE_PROTOCOL.has(name.toLowerCase()) ? each : placed(each, named),
  ]);
  return Object.fromEntries(members);
}

/** A path and query, percent-encoded, with placeholders in the place of ids. */
export function targetWithPlaceholders(target: string, named: readonly NamedResource[]): string {
  const [path = "", ...query] = target.split("?");
  const pairs = query
    .join("?")
    .split("&")
    .map((pair) => inPair(pair, named));
  return [named.reduce(atEnd, path), ...(query.length === 0 ? [] : [pairs.join("&")])].join("?");
}

const FILTER = /^filter=/i;
const ENCODED_PLACEHOLDER = /%24%7B(\w+\.id)%7D/g;

function inPair(pair: string, named: readonly NamedResource[]): string {
  const [name = ""] = FILTER.exec(pair) ?? [];
  if (name === "") return pair;
  const filter = named.reduce(inLiterals, decodeURIComponent(pair.slice(name.length)));
  return `${name}${encodeURIComponent(filter).replaceAll(ENCODED_PLACEHOLDER, "${$1}")}`;
}

function inText(text: string, resource: NamedResource): string {
  return text === resource.shown ? placeholderOf(resource) : inLiterals(atEnd(text, resource), resource);
}

/** An address names a resource by its last segment, behind that of its endpoint. */
function atEnd(text: string, resource: NamedResource): string {
  const end = text.lastIndexOf("/");
  return end > 0 && text.slice(end + 1) === resource.shown
    ? `${text.slice(0, end + 1)}${placeholderOf(resource)}`
    : text;
}

/** Texts in quotes, and words behind an operator, which some clients leave without quotes. */
const LITERALS =
  /(?<quote>["'])(?<text>[^"']*)\k<quote>|(?<=\s(?:eq|ne|co|sw|ew)\s+)(?<word>[\w.~@-]*[A-Za-z~][\w.~@-]*)/gi;

function inLiterals(text: string, resource: NamedResource): string {
  return text.replaceAll(LITERALS, (literal: string) => {
    const [quote = ""] = /^["']/.exec(literal) ?? [];
    return literal === `${quote}${resource.shown}${quote}`
      ? `${quote}${placeholderOf(resource)}${quote}`
      : literal;
  });
}

function placeholderOf({ name }: NamedResource): string {
  return `\${${name}.id}`;
}
