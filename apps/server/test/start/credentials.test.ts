import { expect, test } from "vitest";
import pino from "pino";
import { runCommand } from "../../src/command-line.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { startStore } from "../../src/store/start-store.ts";
import { printed } from "../command-line/printed.ts";
import { ENGINES } from "../over-http/engines.ts";

const PUBLIC = { SCIM_HOST: "0.0.0.0", SCIM_EXPOSED: "behind-tls", SCIM_MIGRATIONS: "auto", SCIM_PORT: "0" };

/** What a start does before it listens. */
async function start(environment: Readonly<Record<string, string>>): Promise<void> {
  const { values } = resolveSettings({ flags: {}, environment });
  const { opened } = await startStore(values, pino({ level: "silent" }));
  await opened.store.close();
}

test("a server that others can reach does not start before anybody can use it", async () => {
  const database = await ENGINES.find(({ name }) => name === "PostgreSQL")?.make();
  const environment = { ...database?.environment, ...PUBLIC };
  const refusal = "Nobody could use this server, which would listen on 0.0.0.0";
  await expect(runCommand(["serve"], environment)).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringContaining(refusal),
  });
  await expect(runCommand(["serve", "--workers", "2"], environment)).rejects.toThrow(refusal);
  await start({ ...environment, SCIM_HOST: "127.0.0.1" });

  // A client gets tokens for itself; its tenant is any.
  await printed(["tenant", "create", "acme"], environment);
  await expect(start(environment)).rejects.toThrow(refusal);
  await printed(["client", "create", "--tenant", "acme"], environment);
  await start(environment);
});

test.each(ENGINES)(
  "the first start of a public server on $name takes a token from its settings",
  async (engine) => {
    const { environment } = await engine.make();
    const token = `scim_admin_${"a".repeat(43)}`;
    await expect(start({ ...environment, ...PUBLIC, SCIM_ADMIN_TOKEN: token })).resolves.toBeUndefined();
  },
);
