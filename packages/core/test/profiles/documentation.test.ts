import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { profilesPage } from "../../../../scripts/profiles-doc.ts";

test("docs/profiles.md is what scripts/profiles-doc.ts makes of the code", () => {
  const page = new URL("../../../../docs/profiles.md", import.meta.url);
  expect(readFileSync(page, "utf8")).toBe(profilesPage());
});
