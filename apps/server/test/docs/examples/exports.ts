/**
 * What the packages export, and from where.
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../blocks/collect.ts";

/** A name that a package exports. */
export interface Exported {
  /** The package's folder. */
  readonly folder: string;
  /** `@scim/client/fetch` */
  readonly from: string;
  /** The file of that entry, from the root. */
  readonly entry: string;
  readonly isType: boolean;
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, { readonly "@scim/source": string }>>;
}

const LIST = /^export (?<all>type )?\{(?<names>[^}]*)\}/gm;
const DECLARATION =
  /^export (?:abstract |async )?(?<kind>function\*?|const|class|interface|type) (?<name>\w+)/gm;

/** Every exported name, with each entry that exports it. */
export const EXPORTS: ReadonlyMap<string, readonly Exported[]> = collected();

function collected(): ReadonlyMap<string, readonly Exported[]> {
  const all = new Map<string, Exported[]>();
  for (const folder of readdirSync(join(ROOT, "packages"))) {
    const text = readFileSync(join(ROOT, "packages", folder, "package.json"), "utf8");
    const { name: packageName, exports: entries } = JSON.parse(text) as Manifest;
    for (const [path, { "@scim/source": source }] of Object.entries(entries)) {
      const entry = join("packages", folder, source);
      const from = join(packageName, path);
      for (const [name, isType] of namesOf(entry))
        all.set(name, [...(all.get(name) ?? []), { folder, from, entry, isType }]);
    }
  }
  return all;
}

/** Names that a file exports, and whether each is a type. */
export function namesOf(file: string): ReadonlyMap<string, boolean> {
  const text = readFileSync(join(ROOT, file), "utf8");
  const names = new Map<string, boolean>();
  for (const [, from = ""] of text.matchAll(/^export \* from "(\.[^"]+)"/gm))
    for (const [name, isType] of namesOf(join(dirname(file), from))) names.set(name, isType);
  for (const { groups: { all, names: list = "" } = {} } of text.matchAll(LIST))
    for (const [, type, name = ""] of list.matchAll(/(type )?(?:\w+ as )?(\w+)\s*(?:,|$)/g))
      names.set(name, all !== undefined || type !== undefined);
  for (const { groups: { kind = "", name = "" } = {} } of text.matchAll(DECLARATION))
    names.set(name, kind === "interface" || kind === "type");
  return names;
}
