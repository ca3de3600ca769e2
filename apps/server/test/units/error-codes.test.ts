import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ERROR_CODES } from "@scim/schemas";
import { describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const PACKAGES = [
  "packages/core",
  "packages/http",
  "packages/fastify",
  "packages/store",
  "packages/tenancy",
  "apps/server",
];

/** Source files that make errors: those that only list codes make none. */
const SOURCES = PACKAGES.flatMap((name) => {
  const folder = join(ROOT, name, "src");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .filter((text) => /ScimError|ErrorCode\b/u.test(text) && !text.includes("ErrorCode[] ="));
});
const ALL = SOURCES.join("\n");

describe("every code of the error table", () => {
  test.each(Object.keys(ERROR_CODES))("%s is made somewhere in the sources", (code) => {
    expect(SOURCES.some((text) => text.includes(`"${code}"`))).toBe(true);
  });
});

describe("the words of errors", () => {
  /** Each detail that the sources hold as it stands, without what is filled in. */
  const DETAILS = [
    ...ALL.matchAll(
      /new ScimError\(\s*"(?<code>\w+)",\s*(?<quote>["`])(?<detail>(?:(?!\k<quote>).)*)\k<quote>\s*[,)]/gsu,
    ),
  ].map(({ groups }) => ({ code: groups?.["code"] ?? "", detail: groups?.["detail"] ?? "" }));

  test("are found", () => {
    expect(DETAILS.length).toBeGreaterThan(30);
  });

  test.each(DETAILS)("$code: $detail", ({ code, detail }) => {
    expect(Object.keys(ERROR_CODES)).toContain(code);
    expect(detail).toMatch(/^[A-Z'`$/].{8,}\.$/su);
    // Paths and limits may stand in a detail, values of clients never.
    expect(detail).not.toMatch(/\$\{(?:String\()?(?:value|raw|literal|body|secret|given|sent)\)?\}/u);
  });
});
