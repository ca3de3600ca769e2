import {
  newDatabase,
  type PostgresReplica,
  type PostgresServer,
  startPostgres,
} from "@scim/fixtures/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SECRET_KEYS } from "../over-http/engines.ts";
import { startInProcess, type InProcessServer } from "../over-http/in-process.ts";
import { expectLostEnd, writeHistory, writeLost } from "./lost-end.ts";

let primary: PostgresServer;
let replica: PostgresReplica;

beforeAll(async () => {
  primary = await startPostgres({ connections: 30 });
  replica = await primary.replicate();
});
afterAll(async () => {
  await replica.stop();
  await primary.stop();
});

function serveOn(url: string): Promise<InProcessServer> {
  return startInProcess({
    SCIM_DATABASE_URL: url,
    SCIM_SECRET_KEYS: SECRET_KEYS,
    SCIM_MIGRATIONS: "auto",
    SCIM_POSTGRES_POOL_SIZE: "3",
  });
}

test("R7644-3.14-09 a replica that is promoted without what its primary acknowledged last refuses the tags of that", async () => {
  const database = await newDatabase(primary.url);
  const before = await serveOn(database);
  const known = await writeHistory(before);
  await replica.cutOff();
  const lost = await writeLost(before, known);
  await primary.halt();
  const [path = ""] = known.keys();
  expect((await before.call("GET", path)).status).toBe(503);

  await replica.promote();
  const promoted = new URL(database);
  promoted.port = new URL(replica.url).port;
  const server = await serveOn(promoted.href);
  const made = await expectLostEnd(server, { known, lost }, (each) => `other-${each}`);
  expect(made.filter((tag) => [...lost.values()].flat().includes(tag))).toEqual([]);
});
