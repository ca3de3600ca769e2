import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { EXIT } from "../../src/failure.ts";
import { printed } from "../command-line/printed.ts";
import { newFolder } from "../command-line/program.ts";
import { startInProcess } from "../over-http/in-process.ts";

const BUSY_TIMEOUT = 150;

test("a file that another program keeps locked: reads go on, writes are 503 after their wait, then served", async () => {
  const path = join(newFolder(), "scim.db");
  const client = await startInProcess({
    SCIM_DATABASE_URL: `sqlite:${path}`,
    SCIM_SQLITE_BUSY_TIMEOUT: String(BUSY_TIMEOUT),
  });
  const user = await client.user({ userName: "bjensen" });
  const rename = (name: string) =>
    client.patch(user.path, [{ op: "replace", path: "nickName", value: name }]);

  const other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  const began = performance.now();
  const refused = await rename("lost");
  expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
  expect(refused.body["detail"]).toBe("The database is locked by another process. Try again.");
  expect(performance.now() - began).toBeGreaterThanOrEqual(BUSY_TIMEOUT);
  expect((await client.call("GET", user.path)).headers.etag).toBe(user.tag);
  other.exec("ROLLBACK");
  other.close();

  const served = await rename("kept");
  expect(served).toMatchObject({ status: 200, body: { nickName: "kept" } });
});

test("a command that would write to a file that another program keeps locked is refused in a sentence, and a doctor warns", async () => {
  const path = join(newFolder(), "scim.db");
  const environment = { SCIM_DATABASE_URL: `sqlite:${path}`, SCIM_SQLITE_BUSY_TIMEOUT: String(BUSY_TIMEOUT) };
  await printed(["migrate"], environment);
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  other.exec("BEGIN IMMEDIATE");
  for (const args of [
    ["token", "create"],
    ["tenant", "create", "acme"],
    ["index", "add", "--type", "User", "--path", "title"],
  ])
    await expect(printed(args, environment)).rejects.toMatchObject({
      name: "CommandFailure",
      message: "The database is locked by another process. Try again.",
      exitCode: EXIT.failed,
    });
  const doctor = await printed(["doctor", "--json"], environment);
  expect(JSON.parse(doctor.stdout)).toMatchObject({
    sound: true,
    checks: expect.arrayContaining([
      {
        name: "writes",
        outcome: "warning",
        detail: "none was taken now: The database is locked by another process. Try again.",
        remedy: expect.stringContaining("keeps a transaction open"),
      },
    ]),
  });
});
