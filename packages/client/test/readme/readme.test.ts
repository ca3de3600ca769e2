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
