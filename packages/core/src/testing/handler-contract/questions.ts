/**
 * Filters and sorts that lists are asked for.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject } from "@scim/schemas";
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

/** Filters over the attributes of samples. */
export function filtersOf(sample: JsonObject): readonly string[] {
  const texts = textsOf(sample);
  const [first = { path: "id", value: "x" }, second = first] = texts;
  const [literal = 'id eq "x"'] = literalsOf(sample).map(({ path, value }) => `${path} eq ${value}`);
  return [
    ...texts.flatMap(filtersOfText),
    ...literalsOf(sample).flatMap(({ path, value }) => [
      `${path} eq ${value}`,
      `${path} ne ${value}`,
      `not (${path} eq ${value})`,
      `${path} pr`,
      `not (${path} pr)`,
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
  ];
}

function filtersOfText({ path, value }: PlainText): readonly string[] {
  return [
    `${path} eq ${quoted(value)}`,
    `${path} eq ${quoted(value.toUpperCase())}`,
    `${path} ne ${quoted(value)}`,
    `${path} sw ${quoted(value.slice(0, 2))}`,
    `${path} co ${quoted(value.slice(1, -1))}`,
    `${path} ew ${quoted(value.slice(-2))}`,
    `${path} gt ${quoted(value)}`,
    `${path} le ${quoted(value)}`,
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
export function sortsOf(sample: JsonObject): readonly Question[] {
  const paths = [...textsOf(sample), ...literalsOf(sample)].map(({ path }) => path);
  return [...new Set([...paths, "meta.created", "meta.lastModified"])].flatMap((sortBy) =>
    ["ascending", "descending"].map((sortOrder) => ({ sortBy, sortOrder })),
  );
}
