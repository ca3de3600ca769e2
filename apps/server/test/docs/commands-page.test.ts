import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandsPage } from "../../../../scripts/commands-doc.ts";

test("docs/commands.md is what scripts/commands-doc.ts makes of the table of commands", () => {
  const page = readFileSync(new URL("../../../../docs/commands.md", import.meta.url), "utf8");
  expect(page).toBe(commandsPage());
});
