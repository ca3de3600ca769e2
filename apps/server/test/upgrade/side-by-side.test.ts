import { readFileSync } from "node:fs";
import { join } from "node:path";
import { replayEvents } from "@scim/core/testing";
import { previousRelease } from "@scim/fixtures/releases";
import { openSqliteStore } from "@scim/store/sqlite";
import { expect, test } from "vitest";
import { newFolder, serve, type Run, type Served } from "../command-line/program.ts";
import { exchange, resourcesOf, type WireAnswer } from "../over-http/exchange.ts";
import { type KeptUser, startLoad, type Told } from "./load.ts";

const CLIENTS = 6;
/** Rounds that each client makes in each phase. */
const ROUNDS = 5;

const previous = previousRelease();

/** The token that the first program made. */
function tokenIn(folder: string): string {
  return /^SCIM_TOKEN=(.*)$/m.exec(readFileSync(join(folder, "data/credentials"), "utf8"))?.[1] ?? "";
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
  for (const { id, userName } of users) {
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
  }
}

/** Every write is told once, in an order that leads to what is stored. */
async function expectEvents(path: string, told: Told): Promise<void> {
  const store = await openSqliteStore({ path });
  try {
    while ((await store.events.assign(1000)) > 0);
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

test(`${previous.name} and the present program serve one SQLite file side by side: upgraded, downgraded and upgraded again under load, no request fails and no write is lost`, async () => {
  const folder = newFolder();
  const old: Run = { folder, program: previous.program };
  const present: Run = { folder };
  let before = await serve(old);
  const load = startLoad({ clients: CLIENTS, origin: before.origin, token: tokenIn(folder) });
  await load.rounds(ROUNDS);

  // Upgrade: the present program brings the schema up to date while the other one works.
  const after = await serve(present);
  await load.moveTo(before.origin, after.origin);
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
  const last = await serve(present);
  const headers = { authorization: `Bearer ${tokenIn(folder)}` };
  const ask: Ask = (path) => exchange(last.origin, { method: "GET", path: `/scim/v2${path}`, headers });
  await expectAll(ask, told);
  await expectFound(ask, told.users);
  await stop(last);
  await expectEvents(join(folder, "data/scim.db"), told);
});
