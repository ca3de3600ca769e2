import { expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import { ENGINES } from "../over-http/engines.ts";
import { exchange } from "../over-http/exchange.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { samplesOf, totalOf } from "./metric-text.ts";

test("what is removed in time is counted by kind", async () => {
  const [sqlite] = ENGINES;
  if (sqlite === undefined) throw new TypeError("There is no SQLite");
  const database = await sqlite.make();
  const before = await startInProcess(database.environment);
  const { path } = await before.user({ userName: "anna" });
  await before.call("DELETE", path);
  const rows = async (table: string): Promise<number> =>
    (await database.query(`SELECT 1 FROM ${table} WHERE tenant = 'default'`)).length;
  // Entries of the audit log come with the positions of events, some moments behind them.
  for (const table of ["audit_entries", "request_log"])
    await eventually(async () => expect(await rows(table)).toBe(2));
  await before.stop();
  const token = (id: string, revoked: string): string => `INSERT INTO tokens
      (tenant, id, connection, hash, key_id, scopes, created, created_by, revoked)
    VALUES ('default', '${id}', 'default', 'revoked ${id}', 'k', '[]', '2020-01-0${id}T00:00:00.000Z', 'ada', '${revoked}')`;
  for (const id of ["1", "2"]) await database.query(token(id, "2020-02-01T00:00:00.000Z"));
  await database.query(token("3", new Date().toISOString()));
  const secret = (id: string, expires: string): string => `INSERT INTO client_secrets
      (tenant, client, id, hash, key_id, created, created_by, expires)
    VALUES ('default', 'c', '${id}', 'h', 'k', '2020-01-01T00:00:00.000Z', 'ada', '${expires}')`;
  await database.query(secret("1", "2020-02-01T00:00:00.000Z"));
  await database.query(secret("2", new Date().toISOString()));
  for (const table of ["events", "audit_entries", "request_log"])
    await database.query(`UPDATE ${table} SET at = '2020-01-01T00:00:00.000Z' WHERE tenant = 'default'`);
  await database.query("UPDATE request_runs SET begun = '2020-01-01T00:00:00.000Z' WHERE tenant = 'default'");

  const { origin } = await startInProcess({
    ...database.environment,
    SCIM_METRICS: "open",
    SCIM_RETENTION_DELETED: "0",
  });
  const purged = async (kind: string): Promise<number | null> => {
    const { text } = await exchange(origin, { method: "GET", path: "/metrics" });
    return totalOf(samplesOf(text), "scim_purged_rows_total", { kind });
  };
  await eventually(async () => expect(await purged("deleted")).toBe(1));
  await eventually(async () => expect(await purged("tokens")).toBe(3));
  expect(await rows("client_secrets")).toBe(1);
  for (const kind of ["events", "audit", "requests"])
    await eventually(async () => expect(await purged(kind), kind).toBe(2));
  for (const table of ["events", "audit_entries", "request_log"]) expect(await rows(table)).toBe(0);
});
