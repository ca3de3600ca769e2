import { readFileSync } from "node:fs";
import { GROUP, USER } from "@scim/client";
import { expect, test } from "vitest";
import { readMapping } from "@scim/sync";
import { FUNCTIONS } from "../../src/expression/functions.ts";
import { bindMapping } from "../../src/mapping/bind.ts";

const page = readFileSync(new URL("../../../../docs/sync.md", import.meta.url), "utf8");

test("the mapping of the page fits users and groups", () => {
  const [, text = ""] = /```yaml\n([^]*?)```/.exec(page) ?? [];
  expect(bindMapping(readMapping(text, "sync.md"), [USER, GROUP])).toHaveLength(2);
});

test("the page tells every function of expressions", () => {
  for (const name of FUNCTIONS.keys()) expect(page).toMatch(new RegExp(`\`${name}[\`(]`));
});
