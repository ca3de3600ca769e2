/**
 * Filters and sorts that lists are asked for.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject } from "@scim/schemas";
import type { ResourceModel } from "../../model/resource-model.ts";
import { AWKWARD_TEXT, textsOf, type PlainText } from "./population.ts";

/** What a list is asked for. */
export interface Question {
  readonly filter?: string;
  readonly sortBy?: string;
  readonly sortOrder?: string;
  readonly startIndex?: number;
  readonly count?: number;
  readonly cursor?: string;
}

const quoted = (text: string): string => JSON.stringify(text);

/** Operators that compare in an order, beside `eq` and `ne`. */
const ORDERED = ["gt", "ge", "lt", "le"];

/** Filters over the attributes of samples, and over the dates of resources that are listed. */
export function filtersOf(
  model: ResourceModel,
  sample: JsonObject,
  listed: readonly JsonObject[],
): readonly string[] {
  const all = textsOf(model, sample);
  const texts = all.filter(isPlain);
  const [first = { path: "id", value: "x" }, second = first] = texts;
  const [literal = 'id eq "x"'] = literalsOf(sample).map(({ path, value }) => `${path} eq ${value}`);
  return [
    ...texts.flatMap(filtersOfText),
    ...all.filter((each) => !isPlain(each)).flatMap(filtersOfForm),
    ...literalsOf(sample).flatMap(({ path, value }) => [
      ...filtersOfValue(path, value),
      ...numbersAmong(listed, path).flatMap((each) =>
        ORDERED.map((operator) => `${path} ${operator} ${each}`),
      ),
    ]),
    ...valuePathsOf(sample),
    `${first.path} eq "' OR '1'='1"`,
    `${first.path} eq ${quoted(first.value)} and ${second.path} eq ${quoted(second.value)}`,
    `${first.path} eq ${quoted(first.value)} or ${second.path} eq "nobody"`,
    `${second.path} eq "nobody" or ${first.path} pr`,
    `${second.path} eq "nobody" or ${first.path} ne ${quoted(first.value)}`,
    `(${first.path} eq ${quoted(first.value)} or ${second.path} pr) and ${literal}`,
    `not (${first.path} eq ${quoted(first.value)} or ${second.path} pr)`,
    `not (${first.path} pr and ${literal})`,
    `${first.path} eq ${quoted(first.value)} or meta.resourceType eq "none"`,
    `id pr and ${first.path} ne ${quoted(first.value)}`,
    `meta.lastModified gt "2000-01-01T00:00:00Z"`,
    ...datesOf(listed).flatMap(({ path, value }) =>
      ["eq", "ne", ...ORDERED].map((operator) => `${path} ${operator} ${quoted(value)}`),
    ),
  ];
}

/** Whether any text is a value of an attribute: dates have a form, bytes too. */
function isPlain({ type }: PlainText): boolean {
  return type === "string" || type === "reference";
}

/** What can be asked of each attribute. */
function filtersOfValue(path: string, value: string): readonly string[] {
  return [
    `${path} eq ${value}`,
    `${path} ne ${value}`,
    `not (${path} eq ${value})`,
    `${path} pr`,
    `not (${path} pr)`,
  ];
}

function filtersOfForm({ path, type, value }: PlainText): readonly string[] {
  const ordered = type === "dateTime" ? ORDERED : [];
  return [
    ...filtersOfValue(path, quoted(value)),
    ...ordered.map((operator) => `${path} ${operator} ${quoted(value)}`),
  ];
}

/** Dates of a resource in the middle, as clients read them: some are before, some after, and one is the same. */
function datesOf(
  listed: readonly JsonObject[],
): readonly { readonly path: string; readonly value: string }[] {
  const { meta = null } = listed[Math.floor(listed.length / 2)] ?? {};
  if (!isJsonObject(meta)) return [];
  return ["created", "lastModified"].flatMap((name) => {
    const value = meta[name];
    return typeof value === "string" ? [{ path: `meta.${name}`, value }] : [];
  });
}

function filtersOfText({ path, value }: PlainText): readonly string[] {
  return [
    `${path} eq ${quoted(value)}`,
    `${path} eq ${quoted(value.toUpperCase())}`,
    `${path} ne ${quoted(value)}`,
    `${path} sw ${quoted(value.slice(0, 2))}`,
    `${path} co ${quoted(value.slice(1, -1))}`,
    `${path} ew ${quoted(value.slice(-2))}`,
    ...ORDERED.map((operator) => `${path} ${operator} ${quoted(value)}`),
    `${path} pr`,
    `not (${path} eq ${quoted(value)})`,
    `not (${path} pr)`,
    `${path} eq "nobody" or ${path} ne ${quoted(value)}`,
    `not (${path} eq "nobody" or ${path} eq ${quoted(value)})`,
    `${path} sw "%"`,
    `${path} co "_"`,
    `${path} ew "\\\\x"`,
    `${path} eq ${quoted(AWKWARD_TEXT.toUpperCase())}`,
    `${path} ne ${quoted(AWKWARD_TEXT.toUpperCase())}`,
    `${path} sw "ZOË"`,
  ];
}

/** Booleans and numbers at the top of a resource, and what each is compared with. */
function literalsOf(sample: JsonObject): readonly { readonly path: string; readonly value: string }[] {
  return Object.entries(sample).flatMap(([path, value]) => {
    if (typeof value === "number") return [{ path, value: String(value) }];
    return typeof value === "boolean" ? ["true", "false"].map((each) => ({ path, value: each })) : [];
  });
}

/** A number with some below and more above, of more digits: as text they have another order. */
function numbersAmong(listed: readonly JsonObject[], path: string): readonly number[] {
  const numbers = listed.map((each) => each[path]).filter((each) => typeof each === "number");
  const sorted = numbers.toSorted((left, right) => left - right);
  const third = Math.floor(sorted.length / 3);
  return sorted.slice(third, third + 1);
}

/** One value of a list meets the whole filter in brackets (RFC 7644 §3.4.2.2). */
function valuePathsOf(sample: JsonObject): readonly string[] {
  return Object.entries(sample).flatMap(([path, value]) => {
    const held = isJsonArray(value) ? value[0] : undefined;
    if (!isJsonObject(held)) return [];
    const tests = Object.entries(held).flatMap(([part, text]) =>
      typeof text === "string" ? [`${part} eq ${quoted(text)}`] : [],
    );
    const [first] = tests;
    if (first === undefined) return [];
    return [
      `${path}[${tests.join(" and ")}]`,
      `${path}[${first} and not (${first})]`,
      `not (${path}[${tests.join(" and ")}])`,
    ];
  });
}

/** Sorts by the attributes of samples and by dates, in both directions. */
export function sortsOf(model: ResourceModel, sample: JsonObject): readonly Question[] {
  const paths = [...textsOf(model, sample), ...literalsOf(sample)].map(({ path }) => path);
  return [...new Set([...paths, "meta.created", "meta.lastModified"])].flatMap((sortBy) =>
    ["ascending", "descending"].map((sortOrder) => ({ sortBy, sortOrder })),
  );
}
