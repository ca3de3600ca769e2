import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

const ROOT = new URL("../../../../", import.meta.url);
const FOLDER = new URL(".changeset/", ROOT);

/** The names that the `package.json` files of some folders give. */
function namesIn(folders: readonly string[]): readonly string[] {
  return folders.map((folder) => {
    const text = readFileSync(new URL(`${folder}/package.json`, ROOT), "utf8");
    return (JSON.parse(text) as { readonly name: string }).name;
  });
}

function foldersIn(folder: string): readonly string[] {
  return readdirSync(new URL(folder, ROOT)).map((name) => `${folder}/${name}`);
}

const RELEASED = namesIn([...foldersIn("packages"), "apps/server"]);

test("all packages are released together, under one version", () => {
  const config: unknown = JSON.parse(readFileSync(new URL("config.json", FOLDER), "utf8"));
  expect(config).toMatchObject({
    fixed: [expect.toSatisfy((names: string[]) => names.toSorted().join() === RELEASED.toSorted().join())],
    // The server is private. Left out, a changeset that names it and a package stops every release.
    privatePackages: { version: true },
    ignore: namesIn(["benchmarks", "examples", "fixtures"]),
  });
});

test("changesets name packages, and say something", () => {
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(".md") && name !== "README.md")) {
    const text = readFileSync(new URL(file, FOLDER), "utf8");
    const [, head = "", said = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
    const packages = head.split("\n").map((line) => /^"(.+)": (?:minor|patch)$/.exec(line)?.[1]);
    expect([file, packages.filter((name) => !RELEASED.includes(name ?? ""))]).toEqual([file, []]);
    expect([file, said.trim()]).not.toEqual([file, ""]);
  }
});

test("what packages need of others is a range, so that a correction of theirs reaches a team without a release of ours", () => {
  const workspace = parse(readFileSync(new URL("pnpm-workspace.yaml", ROOT), "utf8")) as {
    readonly catalog: Readonly<Record<string, string>>;
  };
  for (const folder of foldersIn("packages")) {
    const text = readFileSync(new URL(`${folder}/package.json`, ROOT), "utf8");
    const { dependencies } = JSON.parse(text) as { readonly dependencies: Readonly<Record<string, string>> };
    const others = Object.keys(dependencies).filter((name) => !RELEASED.includes(name));
    expect([folder, others.filter((name) => !/^\^\d/.test(workspace.catalog[name] ?? ""))]).toEqual([
      folder,
      [],
    ]);
  }
});
