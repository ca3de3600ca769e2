import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PAGES, ROOT } from "./blocks/collect.ts";

/** The text of a page without its blocks of code. */
function proseOf(page: string): string {
  return readFileSync(join(ROOT, page), "utf8").replaceAll(/^```.*?^```$/gms, "");
}

/** What links to the headings of a page end with, as hosts of repositories make them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of proseOf(page).matchAll(/^#+ (.*)$/gm)) {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").trim();
    const anchor = plain
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-");
    let own = anchor;
    for (let count = 1; anchors.has(own); count += 1) own = `${anchor}-${count}`;
    anchors.add(own);
  }
  return anchors;
}

test.each(PAGES)("links of %s lead to files and headings that are there", (page) => {
  const links = [...proseOf(page).matchAll(/\]\((?![a-z]+:)(?<path>[^)#\s]*)#?(?<anchor>[^)\s]*)\)/g)];
  const lost = links.filter(({ groups: { path = "", anchor = "" } = {} }) => {
    const to = path === "" ? page : join(page, "..", path);
    if (!existsSync(join(ROOT, to))) return true;
    return anchor !== "" && !anchorsOf(to).has(anchor);
  });
  expect(lost.map(([link]) => link)).toEqual([]);
});

test("the README leads to every page", () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const pages = PAGES.filter((page) => page.startsWith("docs/"));
  expect(pages.filter((page) => !readme.includes(`](${page}`))).toEqual([]);
});
