import { expect, test } from "vitest";
import { printed, type Printed } from "../command-line/printed.ts";
import { newFolder } from "../command-line/program.ts";

interface ListedKey {
  readonly id: string;
  readonly retires: string | null;
}

/** Runs `scim stream` in this process. */
function scim(environment: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Printed> {
  return printed(["stream", ...args], environment);
}

test("scim stream makes streams and the keys that sign their tokens", async () => {
  const environment = { SCIM_DATABASE_URL: `sqlite:${newFolder()}/scim.db` };
  const polled = await scim(environment, "create", "--audience", "them");
  expect(polled.stdout).toMatch(/^scim_events_[A-Za-z0-9_-]{43}\n$/);
  expect(polled.stderr).toMatch(/polled at \/events\/default\/[-0-9a-f]{36}\/poll\./);
  const pushed = await scim(environment, "create", "--to", "https://them.example/events", "--types", "User");
  expect(pushed).toMatchObject({ code: 0, stdout: "", stderr: expect.stringMatching(/^Stream /) });
  const { stdout } = await scim(environment, "list", "--json");
  // The command under test wrote it.
  const { streams } = JSON.parse(stdout) as { streams: readonly { id: string }[] };
  expect(streams).toMatchObject([
    { kind: "poll", audience: "them", url: "" },
    { kind: "push", types: ["User"], url: "https://them.example/events" },
  ]);
  const rotated = await scim(environment, "rotate", streams[0]?.id ?? "");
  expect(rotated.stdout).toMatch(/^scim_events_/);
  expect(rotated.stdout).not.toBe(polled.stdout);
  await expect(scim(environment, "rotate", streams[1]?.id ?? "")).rejects.toThrow("has no token");

  expect((await scim(environment, "rotate-key")).stderr).toMatch(/signs from/);
  const [, waiting] = await keysOf(environment);
  expect((await scim(environment, "rotate-key", "--now")).stderr).toMatch(/signs from/);
  expect(await keysOf(environment), "the one that waited makes way").toMatchObject([
    { retires: expect.any(String) },
    { id: waiting?.id, retires: expect.any(String) },
    { retires: null },
  ]);
  const keys = await scim(environment, "keys", "--json");
  expect(keys.stdout).not.toContain("sealed");
  await expect(scim(environment, "create")).rejects.toThrow("Use 'scim stream create");
  await expect(scim(environment, "create", "--to", "https://10.0.0.1")).rejects.toThrow("private network");
});

/** The keys that sign, as the command lists them. */
async function keysOf(environment: Readonly<Record<string, string>>): Promise<readonly ListedKey[]> {
  const { stdout } = await scim(environment, "keys", "--json");
  // The command under test wrote it.
  return (JSON.parse(stdout) as { keys: readonly ListedKey[] }).keys;
}
