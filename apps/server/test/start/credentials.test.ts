import { randomBytes } from "node:crypto";
import { issueToken, verifyToken } from "@scim/tenancy";
import { describe, expect, test } from "vitest";
import pino from "pino";
import { idOfGiven } from "../../src/credentials/start-tokens.ts";
import { runCommand } from "../../src/command-line.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { startStore } from "../../src/store/start-store.ts";
import { printed } from "../command-line/printed.ts";
import { administer } from "../oauth/clients.ts";
import { ENGINES } from "../over-http/engines.ts";
import { newToken } from "../over-http/server.ts";

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

/** A token that ended long ago, as it is stored. */
const ENDED = { scopes: ["scim"], subject: null, expires: "2026-01-01T00:00:00.000Z", name: null } as const;

test("a token that is not good any more is none that anybody could use", async () => {
  const database = await ENGINES.find(({ name }) => name === "PostgreSQL")?.make();
  const environment = { ...database?.environment, ...PUBLIC };
  const refusal = "Nobody could use this server";
  await start({ ...environment, SCIM_HOST: "127.0.0.1" });
  const { tokens: store, hasher } = await administer(environment);
  const issuing = { store, hasher, randomBytes, now: () => "2025-01-01T00:00:00.000Z" };
  const of = { tenant: "default", connection: "default", createdBy: "test" };
  await issueToken({ ...ENDED, ...of, id: "ended" }, issuing);
  await issueToken({ ...ENDED, ...of, id: "one", expires: null }, issuing);
  await start(environment);
  await printed(["token", "revoke", "one"], environment);
  await expect(start(environment)).rejects.toThrow(refusal);
});

test("administrators by a group are somebody who can use a server", async () => {
  const database = await ENGINES.find(({ name }) => name === "PostgreSQL")?.make();
  const environment = { ...database?.environment, ...PUBLIC };
  const refusal = "Nobody could use this server";
  await start({ ...environment, SCIM_HOST: "127.0.0.1" });
  const issuer = [
    "--issuer",
    "https://id.example",
    "--audience",
    "scim",
    "--jwks",
    "https://id.example/keys",
  ];
  const { stdout } = await printed(["admin", "issuer", "add", ...issuer, "--json"], environment);
  const { id = "" } = JSON.parse(stdout) as { readonly id?: string };
  await expect(start(environment)).rejects.toThrow(refusal);
  await printed(["admin", "issuer", "groups", id, "--grant", "scim-owners=owner"], environment);
  await start(environment);
  await printed(["admin", "issuer", "suspend", id], environment);
  await expect(start(environment)).rejects.toThrow(refusal);
});

describe.each(ENGINES)("SCIM_TOKEN on $name", (engine) => {
  test("that was revoked stays revoked, also behind another and behind none", async () => {
    const { environment } = await engine.make();
    const told: string[] = [];
    const log = pino({}, { write: (line) => void told.push(line) });
    const [revoked, other] = [newToken(), newToken()];
    const startedWith = async (token: string | null): Promise<readonly unknown[]> => {
      const given = token === null ? {} : { SCIM_TOKEN: token };
      const { values } = resolveSettings({ flags: {}, environment: { ...environment, ...given } });
      told.length = 0;
      const { opened, token: origin } = await startStore(values, log);
      const { store, hasher } = opened;
      const verification = { store: store.tokens, hasher, now: Date.now };
      const found = await Promise.all([revoked, other].map((text) => verifyToken(text, verification)));
      await store.close();
      return [origin.kind, ...found.map((each) => each !== null), told.join("").includes("SCIM_TOKEN")];
    };
    const without = engine.name === "SQLite" ? "made" : "none";
    expect(await startedWith(revoked)).toEqual(["given", true, false, false]);
    expect(await startedWith(revoked)).toEqual(["given", true, false, false]);
    await printed(["token", "revoke", idOfGiven(revoked)], environment);
    expect(await startedWith(revoked)).toEqual(["refused", false, false, true]);
    expect(await startedWith(other)).toEqual(["given", false, true, false]);
    expect(await startedWith(null)).toEqual([without, false, false, false]);
    expect(await startedWith(revoked)).toEqual(["refused", false, false, true]);
  });

  test("that was made to end, and has ended, keeps no server from its start", async () => {
    const { environment } = await engine.make();
    await start({ ...environment, SCIM_TOKEN: newToken() });
    const { tokens: store, hasher } = await administer(environment);
    const issuing = { store, hasher, randomBytes, now: () => "2025-01-01T00:00:00.000Z" };
    const of = { tenant: "default", connection: "default", createdBy: "test", id: "ended" };
    const text = await issueToken({ ...ENDED, ...of }, issuing);
    const { values } = resolveSettings({ flags: {}, environment: { ...environment, SCIM_TOKEN: text } });
    const { opened, token } = await startStore(values, pino({ level: "silent" }));
    await opened.store.close();
    expect(token).toEqual({ kind: "refused" });
  });

  test("is good with other secret keys too, unless it was revoked", async () => {
    const { environment } = await engine.make();
    const text = newToken();
    const startedWith = async (key: number): Promise<readonly unknown[]> => {
      const keys = { SCIM_SECRET_KEYS: `${key}:${Buffer.alloc(32, key).toString("base64url")}` };
      const { values } = resolveSettings({
        flags: {},
        environment: { ...environment, ...keys, SCIM_TOKEN: text },
      });
      const { opened, token: origin } = await startStore(values, pino({ level: "silent" }));
      const { store, hasher } = opened;
      const found = await verifyToken(text, { store: store.tokens, hasher, now: Date.now });
      const stored = await store.tokens.listTokens("default");
      await store.close();
      return [origin.kind, found?.id ?? null, stored.length];
    };
    const good = ["given", idOfGiven(text), 1];
    expect(await startedWith(7)).toEqual(good);
    expect(await startedWith(8)).toEqual(good);
    expect(await startedWith(7)).toEqual(good);
    await printed(["token", "revoke", idOfGiven(text)], environment);
    expect(await startedWith(8)).toEqual(["refused", null, 1]);
  });
});
