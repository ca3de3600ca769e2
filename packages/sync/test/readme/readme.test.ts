import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { TOKEN } from "../../../client/test/support/service.ts";
import { aFolder, aTarget } from "../support/target.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

test("the program is the one that is compiled, and it runs", async () => {
  const program = readFileSync(new URL("first-program.ts", import.meta.url), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${program}\`\`\``);
  const folder = aFolder();
  const [, people = ""] = /```csv\n([^]*?)```/.exec(readme) ?? [];
  writeFileSync(join(folder, "people.csv"), people);
  vi.stubEnv("SCIM_BASE_URL", (await aTarget()).baseUrl);
  vi.stubEnv("SCIM_TOKEN", TOKEN);
  vi.stubEnv("FOLDER", folder);
  const log = vi.spyOn(console, "log").mockReturnValue(undefined);
  try {
    await import("./first-program.ts");
    const done = { create: 2, update: 0, references: 0, deactivate: 0, delete: 0 };
    expect(log.mock.calls).toEqual([[2, []], [done]]);
  } finally {
    log.mockRestore();
    vi.unstubAllEnvs();
  }
});
