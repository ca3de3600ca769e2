import { expect, test } from "vitest";
import { runCommand } from "../../src/command-line.ts";
import { CommandFailure } from "../../src/failure.ts";
import { printed, type Printed } from "../command-line/printed.ts";
import { newFolder } from "../command-line/program.ts";
import { startReceiver } from "./receiver.ts";

/** Runs `scim webhook` in this process. */
function scim(environment: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Printed> {
  return printed(["webhook", ...args], environment);
}

test("scim webhook makes, lists, tries out, stops and deletes webhooks", async () => {
  const receiver = await startReceiver();
  const environment = {
    SCIM_DATABASE_URL: `sqlite:${newFolder()}/scim.db`,
    SCIM_DELIVERY_PRIVATE_ADDRESSES: "allow",
    SCIM_DELIVERY_PLAIN_HTTP: "allow",
  };
  const made = await scim(environment, "create", "--to", receiver.url, "--types", "User,*.deleted");
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=\n$/) });
  const listed = await scim(environment, "list", "--json");
  // The command under test wrote it.
  const { webhooks } = JSON.parse(listed.stdout) as { webhooks: readonly { id: string }[] };
  expect(webhooks).toMatchObject([
    { types: ["User", "*.deleted"], state: "active", url: receiver.url, dead: 0 },
  ]);
  const id = webhooks[0]?.id ?? "";
  expect(await scim(environment, "test", id)).toMatchObject({
    code: 0,
    stderr: "The receiver took the message.\n",
  });
  receiver.behave((_request, response) => void response.writeHead(500).end());
  expect(await scim(environment, "test", id)).toMatchObject({
    code: 1,
    stderr: "The receiver answered 500.\n",
  });
  expect(await scim(environment, "rotate", id, "--overlap", "1")).toMatchObject({
    stdout: expect.stringMatching(/^whsec_/),
  });
  await scim(environment, "pause", id);
  expect((await scim(environment, "list")).stdout).toMatch(
    / webhook +paused +User,\*\.deleted +reference +0 +0 +0 /,
  );
  expect((await scim(environment, "replay", id, "--since", "0")).stderr).toBe(
    `Everything behind position 0 is delivered again. The webhook is paused: it waits for 'scim webhook enable ${id}'.\n`,
  );
  await scim(environment, "enable", id);
  expect((await scim(environment, "replay", id)).stderr).toBe("0 dead letters are delivered again.\n");
  expect((await scim(environment, "replay", id, "--positions", "1, 2")).stderr).toBe(
    "0 dead letters are delivered again.\n",
  );
  expect((await scim(environment, "drop", id)).stderr).toBe("0 dead letters are dropped.\n");
  expect((await scim(environment, "dead", id)).stdout).toMatch(/^position +type/);
  expect(await scim(environment, "delete", id)).toMatchObject({ code: 0 });
  await expect(scim(environment, "delete", id)).rejects.toThrow("has no webhook");
});

test.each([
  [["create"], "--to ADDRESS"],
  [["rotate"], "Use 'scim webhook rotate ID [flags]'"],
  [["explode", "x"], "There is no 'scim webhook explode'"],
  [["list", "x"], "Use 'scim webhook list [flags]'"],
  [["list", "--tenant", "v2"], "is no name of a tenant"],
  [["create", "--to", "https://hooks.example.com", "--payload", "all"], "reference or full"],
  [["replay", "x", "--since", "one"], "a whole number"],
  [["replay", "x", "--since", "1", "--positions", "1"], "--since or --positions, not both"],
  [["drop", "x", "--positions", "1,"], "a whole number"],
  [["create", "--to", "http://hooks.example.com"], "must begin with https:"],
  [["create", "--to", "https://10.0.0.1/"], "private network"],
  [["dead", "x"], "has no webhook 'x'"],
])("scim webhook %j says what is wrong", async (args, reason) => {
  const environment = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_DATA_DIR: newFolder() };
  const failed = runCommand(["webhook", ...args], environment);
  await expect(failed).rejects.toThrow(CommandFailure);
  await expect(failed).rejects.toThrow(reason);
});
