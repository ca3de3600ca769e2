import { replayEvents } from "@scim/core/testing";
import { previousRelease } from "@scim/fixtures/releases";
import { openPostgresStore } from "@scim/store/postgres";
import { openSqliteStore } from "@scim/store/sqlite";
import { describe, expect, test } from "vitest";
import { runHere } from "../command-line/printed.ts";
import { newFolder, run, serve, type Run, type Served } from "../command-line/program.ts";
import { ENGINES, type TestDatabase } from "../over-http/engines.ts";
import { exchange, resourcesOf, type WireAnswer } from "../over-http/exchange.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";
import { type KeptUser, startLoad, type Told } from "./load.ts";

const CLIENTS = 4;
/** Rounds that each client makes in each phase. */
const ROUNDS = 4;

/** A token made by a program: others take it too. */
async function makeToken(program: Run): Promise<string> {
  const { stdout, stderr } = await run(["token", "create"], program);
  const token = /scim_default_[\w-]{43}/.exec(stdout)?.[0];
  if (token === undefined) throw new Error(`No token was made: ${stdout}${stderr}`);
  return token;
}

async function stop(server: Served): Promise<void> {
  server.child.kill("SIGTERM");
  expect(await server.ended, server.stderr()).toBe(0);
}

/** Asks a server as the clients did. */
type Ask = (path: string) => Promise<WireAnswer>;

/** The version of the write in a tag: what stands behind it tells of groups. */
function writeOf(tag: unknown): string {
  return String(tag).split("~", 1)[0]?.replaceAll('"', "") ?? "";
}

async function expectAll(ask: Ask, told: Told): Promise<void> {
  for (const user of told.users) {
    const { body, headers } = await ask(user.path);
    expect(body).toMatchObject({ id: user.id, userName: user.userName, nickName: user.nickName });
    expect(writeOf(headers.etag)).toBe(writeOf(user.tag));
  }
  for (const group of told.groups) {
    const { body, headers } = await ask(group.path);
    expect(headers.etag).toBe(group.tag);
    const members = resourcesIn(body["members"]).map(({ value }) => String(value));
    expect(members.toSorted()).toEqual([...group.members].toSorted());
  }
  for (const path of told.deleted) expect((await ask(path)).status).toBe(404);
  expect((await ask("/Users?count=0")).body["totalResults"]).toBe(told.users.length);
  expect((await ask("/Groups?count=0")).body["totalResults"]).toBe(told.groups.length);
}

function resourcesIn(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value : [];
}

/** Whoever wrote it, each is found by every attribute that has an index, and by no value that it lost. */
async function expectFound(ask: Ask, users: readonly KeptUser[]): Promise<void> {
  const finding = users.map(async ({ id, userName }) => {
    for (const filter of [
      `userName eq "${userName}"`,
      `externalId eq "external-${userName}"`,
      `emails.value eq "${userName}@example.com"`,
      `displayName eq "${userName} displayed"`,
    ]) {
      const { body } = await ask(`/Users?filter=${encodeURIComponent(filter)}`);
      expect(
        resourcesOf(body).map((found) => found["id"]),
        filter,
      ).toEqual([id]);
    }
  });
  await Promise.all(finding);
}

/** Every write is told once, in an order that leads to what is stored. */
async function expectEvents({ environment }: TestDatabase, told: Told): Promise<void> {
  const address = environment["SCIM_DATABASE_URL"] ?? "";
  const store = address.startsWith("sqlite:")
    ? await openSqliteStore({ path: address.slice("sqlite:".length) })
    : await openPostgresStore({ url: address });
  try {
    while ((await store.events.head("default")) < told.writes) await store.events.assign(1000);
    const events = await store.events.read("default", { after: 0, limit: 100_000 });
    expect(events.map(({ position }) => position)).toEqual(
      Array.from({ length: told.writes }, (_, index) => index + 1),
    );
    const resources = replayEvents(events);
    expect(resources.size).toBe(told.users.length + told.groups.length);
    for (const user of told.users) {
      const replayed = resources.get(`User/${user.id}`);
      expect(replayed?.body["nickName"]).toBe(user.nickName);
      expect(`W/${replayed?.version}`).toBe(writeOf(user.tag));
    }
  } finally {
    await store.close();
  }
}

/** Each program takes the tag that the other answered for what administrators change, and refuses one that is stale. */
async function expectOneTag(programs: readonly Served[], token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const ask = (at: number, method: string, path: string, body: object | null, tag?: unknown) =>
    exchange(programs[at]?.origin ?? "", {
      method,
      path: `/admin/v1/tenants${path}`,
      headers: { ...headers, ...(tag === undefined ? {} : { "if-match": String(tag) }) },
      body: body === null ? null : JSON.stringify(body),
    });
  const made = [];
  for (const [at, tenant] of ["of-old", "of-new"].entries()) made.push(await ask(at, "POST", "", { tenant }));
  for (const { body, headers: answered } of made) {
    const path = `/${String(body["tenant"])}`;
    let tag = answered.etag;
    for (const [turn, at] of [0, 1, 1, 0, 0, 1].entries()) {
      expect((await ask(1 - at, "GET", path, null)).headers.etag).toBe(tag);
      const changed = await ask(at, "PATCH", path, { displayName: `Change ${turn}` }, tag);
      expect([changed.status, changed.text]).toEqual([200, changed.text]);
      expect((await ask(1 - at, "PATCH", path, { displayName: "Stale" }, tag)).status).toBe(412);
      tag = changed.headers.etag;
    }
  }
}

const previous = previousRelease();

describe.each(ENGINES)(`$name: ${previous.name} and the present program side by side`, (engine) => {
  test("R7644-3.14-09 upgraded, downgraded and upgraded again under load, no request fails, no write is lost, and what administrators change has one tag at both", async () => {
    const database = await engine.makeBare();
    // On a file, the programs share the keys that the first one makes beside it.
    const { SCIM_SECRET_KEYS: keys = "", ...settings } = database.environment;
    const adminToken = newToken("admin");
    const environment = {
      ...settings,
      ...(engine.name === "SQLite" ? {} : { SCIM_SECRET_KEYS: keys }),
      SCIM_ADMIN_TOKEN: adminToken,
    };
    const folder = newFolder();
    const old: Run = { folder, environment, program: previous.program };
    const present: Run = { folder, environment };
    const token = await makeToken(old);
    let before = await serve(old);
    const load = startLoad({ clients: CLIENTS, origin: before.origin, token });
    await load.rounds(ROUNDS);

    // Upgrade: the present program brings the schema up to date while the other one works.
    await runHere(["migrate"], present);
    const after = await serve(present);
    await load.moveTo(before.origin, after.origin);
    await expectOneTag([before, after], adminToken);
    await load.rounds(ROUNDS);
    await load.moveTo(after.origin);
    await stop(before);
    await load.rounds(ROUNDS);

    // Downgrade: the schema stays.
    before = await serve(old);
    await load.moveTo(before.origin, after.origin);
    await load.rounds(ROUNDS);
    await load.moveTo(before.origin);
    await stop(after);
    await load.rounds(ROUNDS);
    const told = await load.stop();
    await stop(before);

    expect(told.failures).toEqual([]);
    expect(told.retried).toBe(0);
    expect(told.users.length).toBeGreaterThan(CLIENTS * ROUNDS);
    const last = await startInProcess(environment);
    const headers = { authorization: `Bearer ${token}` };
    const ask: Ask = (path) => exchange(last.origin, { method: "GET", path: `/scim/v2${path}`, headers });
    await expectAll(ask, told);
    await expectFound(ask, told.users);
    await last.stop();
    await expectEvents(database, told);
  });
});
