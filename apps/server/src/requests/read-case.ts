/**
 * Reads the file of a case, which people may have written or changed.
 * @module
 */
import process from "node:process";
import { text } from "node:stream/consumers";
import { SWITCHES } from "@scim/core";
import { fillPlaceholders, type RequestCase } from "@scim/events";
import { isJsonArray, isJsonObject, type JsonValue } from "@scim/schemas";
import { CommandFailure, EXIT } from "../failure.ts";
import { readNamedFile } from "../text-file.ts";

/**
 * Reads a case.
 * @param file `-` for standard input
 * @throws CommandFailure naming the file, and what in it is not as `scim case export` makes it
 */
export async function readCase(file: string): Promise<RequestCase> {
  const content = await readJson(file);
  const wrong = faultOf(content);
  if (wrong === null) return content as JsonValue & RequestCase;
  throw new CommandFailure(
    EXIT.usage,
    `${shown(file)} is no case of version 1, as 'scim case export' makes them: ${wrong}.`,
  );
}

async function readJson(file: string): Promise<JsonValue> {
  const content = file === "-" ? await text(process.stdin) : readNamedFile("The case", file);
  try {
    // `JSON.parse` gives nothing but JSON values.
    return JSON.parse(content) as JsonValue;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(EXIT.usage, `${shown(file)} cannot be read as JSON: ${reason}`, cause);
  }
}

function shown(file: string): string {
  return file === "-" ? "What came by standard input" : file;
}

const LIMITS: ReadonlySet<string> = new Set<keyof NonNullable<RequestCase["limits"]>>([
  "pageSize",
  "maxResults",
  "bulkOperations",
  "answerReferences",
]);

type Check = (value: JsonValue) => boolean;

const isText: Check = (value) => typeof value === "string";
const isTexts: Check = (value) => isJsonObject(value) && Object.values(value).every(isText);
const isSwitches: Check = (value) =>
  isJsonArray(value) && value.every((name) => typeof name === "string" && Object.hasOwn(SWITCHES, name));
/** Cases of earlier releases have none. */
const isLimits: Check = (value) =>
  value === null ||
  (isJsonObject(value) &&
    Object.entries(value).every(
      ([name, limit]) => LIMITS.has(name) && Number.isInteger(limit) && Number(limit) >= 0,
    ));
const isGiven: Check = (value) =>
  isJsonArray(value) &&
  value.every(
    (each) =>
      [["name"], ["endpoint"]].every((path) => isText(at(each, path))) &&
      isJsonObject(at(each, ["resource"])),
  );

/** What stands where, by the names that lead there. */
const MEMBERS: readonly (readonly [path: readonly string[], check: Check, what: string])[] = [
  [["version"], (value) => value === 1, "1"],
  [["profile", "name"], isText, "a text"],
  [["profile", "switches"], isSwitches, "a list of switches"],
  [["limits"], isLimits, `an object of whole numbers with the names ${[...LIMITS].join(", ")}`],
  [["documents"], isJsonArray, "a list of documents"],
  [["given"], isGiven, "a list of objects with name, endpoint and resource"],
  [["request", "method"], isText, "a text"],
  [["request", "path"], isText, "a text"],
  [["request", "headers"], isTexts, "an object of texts"],
  [
    ["request"],
    (value) => isJsonObject(value) && Object.hasOwn(value, "body"),
    "an object with a body, null for none",
  ],
  [["expect", "status"], Number.isInteger, "a whole number"],
];

/** What is wrong with a case; null for nothing. */
function faultOf(content: JsonValue): string | null {
  for (const [path, check, what] of MEMBERS)
    if (!check(at(content, path))) return `'${path.join(".")}' is not ${what}`;
  return placeholderFault(content as JsonValue & RequestCase);
}

/** Placeholders stand for resources that are given before. */
function placeholderFault({ given, request, expect }: RequestCase): string | null {
  const ids = new Map<string, string>();
  try {
    for (const { name, resource } of given) {
      fillPlaceholders(resource, ids);
      ids.set(name, name);
    }
    fillPlaceholders([request.path, request.body ?? null, expect.body ?? null], ids);
    return null;
  } catch (cause) {
    if (cause instanceof TypeError) return cause.message.replace(/\.$/, "");
    throw cause;
  }
}

function at(value: JsonValue, path: readonly string[]): JsonValue {
  return path.reduce<JsonValue>(
    (within, name) => (isJsonObject(within) && Object.hasOwn(within, name) ? (within[name] ?? null) : null),
    value,
  );
}
