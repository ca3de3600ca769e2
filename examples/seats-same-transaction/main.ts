/**
 * Gives each user a seat in a table of the application's own, in the transaction that writes the user: both are there,
 * or neither is, also when the process is killed.
 * @module
 */
import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { spawn } from "node:child_process";
import { hash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import {
  createScimService,
  PROFILES,
  type HookedEvent,
  type RequestContext,
  type ResourceHooks,
  type ScimService,
  type Statement,
} from "@scim/core";
import { createDefaultRegistry, ScimError, USER_URN } from "@scim/schemas";
import { openSqliteStore, type Store } from "@scim/store/sqlite";

const TENANT = "acme";

/** The seats that there are, and who has them: tables of the application in the database of the store. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS seats (tenant TEXT NOT NULL, seat INTEGER NOT NULL, PRIMARY KEY (tenant, seat));
  CREATE TABLE IF NOT EXISTS seat_holders (
    tenant TEXT NOT NULL,
    user_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    PRIMARY KEY (tenant, user_id),
    UNIQUE (tenant, seat)
  );
`;

/** Takes the first free seat. Where there is none it is NULL, which the table refuses. */
function takeSeat({ tenant, id }: HookedEvent): Statement {
  return {
    text: `INSERT INTO seat_holders (tenant, user_id, seat) VALUES (?, ?, (
      SELECT seat FROM seats AS free WHERE tenant = ? AND NOT EXISTS (
        SELECT 1 FROM seat_holders AS held WHERE held.tenant = free.tenant AND held.seat = free.seat)
      ORDER BY seat LIMIT 1))`,
    params: [tenant, id, tenant],
  };
}

function leaveSeat({ tenant, id }: HookedEvent): Statement {
  return { text: "DELETE FROM seat_holders WHERE tenant = ? AND user_id = ?", params: [tenant, id] };
}

const seatHooks: ResourceHooks = {
  statements: (event) => {
    if (event.kind === "created") return [takeSeat(event)];
    return event.kind === "deleted" ? [leaveSeat(event)] : [];
  },
  refusal: (error) =>
    error instanceof Error && error.message.includes("seat_holders.seat")
      ? new ScimError("invalidValue", "No seat is left: delete a user, or buy more seats.", { cause: error })
      : null,
};

function serviceOver(store: Store): ScimService {
  return createScimService({
    registry: createDefaultRegistry(),
    store: store.resources,
    hooks: { User: seatHooks },
    sources: {
      now: () => Date.now(),
      newId: () => randomUUID(),
      newNonce: () => randomBytes(5).toString("base64url"),
      digest: (text) => hash("sha256", text, "base64url"),
    },
  });
}

const CONTEXT: RequestContext = {
  tenant: TENANT,
  connection: "okta",
  subject: null,
  profile: PROFILES.okta,
  baseUrl: "https://acme.example/scim/v2",
  signal: undefined,
  onSwitch: () => undefined,
};
const PLAIN = { type: "User", attributes: null, excludedAttributes: null } as const;

async function create(service: ScimService, userName: string): Promise<string> {
  const { resource } = await service.create(CONTEXT, { ...PLAIN, body: { schemas: [USER_URN], userName } });
  return String(resource["id"]);
}

async function usersOf(service: ScimService): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let startIndex = 1; ; startIndex += 1000) {
    const { resources } = await service.list(CONTEXT, {
      ...PLAIN,
      filter: null,
      sortBy: null,
      sortOrder: null,
      startIndex,
      count: 1000,
      cursor: null,
      source: "body",
    });
    ids.push(...resources.map(({ id }) => String(id)));
    if (resources.length < 1000) return ids;
  }
}

/** The application's view of its database. */
function openSeats(path: string, count: number): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 5000 });
  database.exec(TABLES);
  database
    .prepare(
      `INSERT INTO seats (tenant, seat)
       WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       SELECT ?, n FROM numbers`,
    )
    .run(count, TENANT);
  return database;
}

function holders(database: DatabaseSync): readonly string[] {
  const rows = database
    .prepare("SELECT user_id FROM seat_holders WHERE tenant = ? ORDER BY user_id")
    .all(TENANT);
  return rows.map(({ user_id: id }) => String(id));
}

/** Two seats: the third user gets none, and is not there. */
async function twoSeats(path: string): Promise<void> {
  const store = await openSqliteStore({ path });
  const database = openSeats(path, 2);
  const service = serviceOver(store);
  try {
    const amy = await create(service, "amy");
    const bob = await create(service, "bob");
    await rejects(create(service, "cat"), (error: unknown) => {
      ok(error instanceof ScimError);
      match(error.detail, /^No seat is left/);
      return true;
    });
    deepEqual(new Set(await usersOf(service)), new Set([amy, bob]));
    deepEqual(new Set(holders(database)), new Set([amy, bob]));

    // All at once: as many are made as there are seats.
    await service.delete(CONTEXT, {
      type: "User",
      id: amy,
      precondition: { ifMatch: null, ifNoneMatch: null },
    });
    const tries = await Promise.allSettled(["dan", "eve", "fay"].map((name) => create(service, name)));
    equal(tries.filter(({ status }) => status === "fulfilled").length, 1);
    deepEqual(new Set(holders(database)), new Set(await usersOf(service)));

    const trial = await service.dryRun(CONTEXT, {
      operation: "create",
      request: { ...PLAIN, body: { schemas: [USER_URN], userName: "gus" } },
    });
    deepEqual([trial.valid, trial.status, holders(database).length], [false, 400, 2]);
  } finally {
    database.close();
    await store.close();
  }
}

/** Writes users until it is killed. */
async function writeForEver(path: string): Promise<void> {
  const service = serviceOver(await openSqliteStore({ path }));
  for (let n = 0; ; n += 8) {
    await Promise.all(Array.from({ length: 8 }, (_, index) => create(service, `user${n + index}`)));
    console.log(n);
  }
}

/** A process that is killed while it writes leaves no user without a seat, and no seat without its user. */
async function killed(path: string): Promise<void> {
  const store = await openSqliteStore({ path });
  const database = openSeats(path, 10_000);
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  let lines = 0;
  for await (const text of child.stdout.setEncoding("utf8")) {
    lines += String(text).split("\n").length - 1;
    if (lines >= 10) break;
  }
  child.kill("SIGKILL");
  await ended;
  try {
    const users = await usersOf(serviceOver(store));
    ok(users.length >= 80, `${users.length} users are written`);
    deepEqual(users.toSorted(compareText), holders(database).toSorted(compareText));
    console.log(`seats-same-transaction: ${users.length} users and as many seats, also after a crash`);
  } finally {
    database.close();
    await store.close();
  }
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

const [path] = process.argv.slice(2);
if (path !== undefined) await writeForEver(path);
const folder = mkdtempSync(join(tmpdir(), "scim-seats-"));
try {
  await twoSeats(join(folder, "two.db"));
  await killed(join(folder, "killed.db"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
