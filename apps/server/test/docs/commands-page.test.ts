import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { COMMANDS } from "../../src/command-table/table.ts";
import { commandsPage } from "../../../../scripts/commands-doc.ts";

test("docs/commands.md is what scripts/commands-doc.ts makes of the table of commands", () => {
  const page = readFileSync(new URL("../../../../docs/commands.md", import.meta.url), "utf8");
  expect(page).toBe(commandsPage());
});

test("the README of the server names every command", () => {
  const page = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const lacking = COMMANDS.filter(({ name }) => !page.includes(`\`scim ${name}\``));
  expect(lacking.map(({ name }) => name)).toEqual([]);
});
