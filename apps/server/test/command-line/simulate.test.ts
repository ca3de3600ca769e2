import { expect, test } from "vitest";
import { EXIT } from "../../src/failure.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";
import { captured, interruptible, interruption, printed } from "./printed.ts";
import { runCommand } from "../../src/command-line.ts";

test("scim simulate acts as an identity provider over HTTP, prints a table, and leaves nothing behind", async () => {
  const token = newToken();
  const server = await startInProcess({ SCIM_DATABASE_URL: "sqlite::memory:", SCIM_TOKEN: token });
  const args = ["--target", `${server.origin}/scim/v2`];
  const jumpcloud = await printed(["simulate", "jumpcloud", ...args], { SCIM_TOKEN: token });
  expect(jumpcloud).toMatchObject({ code: EXIT.ok, stderr: "" });
  expect(jumpcloud.stdout).toMatch(/^disable +deactivates a user +PATCH +200 +ok +observed$/m);
  expect(jumpcloud.stdout).toContain(
    `JumpCloud could work with ${server.origin}/scim/v2: 17 of 17 steps passed`,
  );

  const refused = await printed(["simulate", "google", ...args, "--json"], { SCIM_TOKEN: "wrong" });
  expect(refused.code).toBe(EXIT.failed);
  expect(JSON.parse(refused.stdout)).toMatchObject({ outcome: "failed", leftBehind: [] });
  expect(refused.stdout).not.toContain("wrong");

  const interrupt = interruption();
  const stopped = await captured(async () => {
    const listening = interruptible();
    const running = runCommand(["simulate", "entra", ...args], { SCIM_TOKEN: token });
    await listening;
    interrupt();
    return running;
  });
  expect(stopped.result).toBe(EXIT.failed);
  expect(stopped.stdout).toContain("The run was stopped");
  for (const path of ["/Users", "/Groups"]) {
    expect(await server.call("GET", path)).toMatchObject({ body: { totalResults: 0 } });
  }
});

test.each([
  [["simulate", "nobody", "--target", "https://id.example"], /There is no life cycle of 'nobody'/],
  [["simulate", "okta", "--target", "id.example"], /base address/],
  [["simulate", "okta", "--target", "https://id.example", "--timeout", "0"], /--timeout/],
  [["simulate", "okta"], /--target is missing/],
])("%j is refused", async (args, message) => {
  await expect(printed(args, {})).rejects.toMatchObject({
    exitCode: EXIT.usage,
    message: expect.stringMatching(message),
  });
});
