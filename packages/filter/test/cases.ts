/**
 * The tables of filters and paths, and the resources that they are tried on.
 *
 * `filters.jsonl`: `expect` is whether the filter matches, or the kind of error. `paths.jsonl`: `expect`
 * names the parts of the path; `filter` is the text between the brackets. One row a line; ids are those of
 * the test names.
 * @module
 */
import { readFileSync } from "node:fs";

export interface FilterCase {
  readonly id: string;
  /** Ids of the rules that the row proves. */
  readonly rules?: readonly string[];
  readonly filter: string;
  readonly expect: boolean | "syntax" | "semantic";
  /** Resource type; only where the syntax is right. */
  readonly type?: string;
  /** A query over all resource types. */
  readonly root?: boolean;
  /** Name of a row of `resources.jsonl`. */
  readonly resource?: string;
  readonly note?: string;
}

export interface PathParts {
  readonly urn: string | null;
  readonly attribute: string;
  readonly filter: string | null;
  readonly subAttribute: string | null;
}

export interface PathCase {
  readonly id: string;
  readonly path: string;
  readonly expect: PathParts | "syntax";
  readonly note?: string;
}

export interface SchemaCase {
  /** null: the common attributes, which every resource type has. */
  readonly resourceType: string | null;
  readonly schema: string | null;
  readonly extension: boolean;
  /** Types by path; `!` case exact, `*` multi-valued, `hidden` never returned. */
  readonly attributes: Readonly<Record<string, string>>;
}

interface NamedResource {
  readonly name: string;
  readonly resource: unknown;
}

function rows(file: string): readonly unknown[] {
  return read(file)
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}

function read(file: string): string {
  return readFileSync(new URL(`cases/${file}`, import.meta.url), "utf8");
}

// The files are our own: their shape is as typed here.
export const filterCases = rows("filters.jsonl") as readonly FilterCase[];

/** A row with the name of its test: its id and the rules that it proves. */
export interface NamedFilterCase extends FilterCase {
  readonly name: string;
}

/** The rows that fit a condition, each with its name. */
export function filterCasesWith(fits: (row: FilterCase) => boolean): readonly NamedFilterCase[] {
  return filterCases.filter(fits).map((row) => ({ ...row, name: [row.id, ...(row.rules ?? [])].join(" ") }));
}

export const pathCases = rows("paths.jsonl") as readonly PathCase[];
export const schemaCases = JSON.parse(read("schemas.json")) as readonly SchemaCase[];

const namedResources = rows("resources.jsonl") as readonly NamedResource[];
const resources = new Map(namedResources.map(({ name, resource }) => [name, resource]));

/** A resource of the table by its name. */
export function resourceOf(name: string | undefined): unknown {
  if (name === undefined || !resources.has(name)) throw new RangeError(`no resource ${String(name)}`);
  return resources.get(name);
}
