import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { aService, serve, TOKEN } from "../support/service.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

test("the program is the one that is compiled, and it runs", async () => {
  const program = readFileSync(new URL("first-program.ts", import.meta.url), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${program}\`\`\``);
  vi.stubEnv("SCIM_BASE_URL", await serve(aService()));
  vi.stubEnv("SCIM_TOKEN", TOKEN);
  const log = vi.spyOn(console, "log").mockReturnValue(undefined);
  try {
    await import("./first-program.ts");
    expect(log.mock.calls).toEqual([["bjensen", "Dr"], ["versionMismatch"]]);
  } finally {
    log.mockRestore();
    vi.unstubAllEnvs();
  }
});

test("every other block is part of a program that is compiled, and runs", async () => {
  const [types, changes, bulk] = await Promise.all([
    import("./types.ts"),
    import("./changes.ts"),
    import("./bulk.ts"),
  ]);
  expect(types.found).toEqual(["4711", 3, "blue"]);
  expect(changes.found).toMatchObject([[{ op: "add", path: "title", value: "Countess" }], "b@example.com"]);
  expect(bulk.found).toEqual([4, "done", "Admiral"]);
  const programs = ["first-program", "types", "changes", "bulk"].map((name) =>
    readFileSync(new URL(`${name}.ts`, import.meta.url), "utf8"),
  );
  const blocks = [...readme.matchAll(/```ts[^\n]*\n(.*?)```/gs)].map(([, block = ""]) => block);
  expect(blocks).toHaveLength(programs.length);
  expect(blocks.filter((block) => !programs.some((program) => program.includes(block)))).toEqual([]);
});
