import { queryOnce } from "@scim/fixtures/postgres";
import { DatabaseSync } from "node:sqlite";
import { type HookedEvent, type ResourceHooks, type Statement } from "@scim/core";
import { createMemoryStore } from "@scim/core/testing";
import { ScimError } from "@scim/schemas";
import { describe, expect, onTestFinished, test } from "vitest";
import { migratePostgres } from "../src/postgres/index.ts";
import type { Store } from "../src/store.ts";
import { bareDatabase, openPostgresAt } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";
import { hookedService, type HookedService } from "./support/hooked-service.ts";

/** A table of the application's own, in the database of the store. */
const SEATS = `CREATE TABLE seats (
  tenant text NOT NULL,
  user_id text NOT NULL,
  place text NOT NULL CHECK (place <> 'broken'),
  PRIMARY KEY (tenant, user_id),
  UNIQUE (tenant, place)
)`;

/** An open store with that table, and its rows. */
interface Database {
  readonly store: Store;
  /** `tenant user place` of each row. */
  readonly seats: () => Promise<readonly string[]>;
}

function openSqlite(): Promise<Database> {
  return openSqliteAt(newFile());
}

async function openSqliteAt(path: string): Promise<Database> {
  const store = await open(path);
  const beside = new DatabaseSync(path);
  onTestFinished(() => beside.close());
  beside.exec(SEATS);
  return { store, seats: async () => beside.prepare(LISTED).all().map(seatOf) };
}

async function openPostgres(): Promise<Database> {
  const url = await bareDatabase();
  await migratePostgres({ url });
  await queryOnce(url, SEATS);
  const store = await openPostgresAt(url);
  return { store, seats: async () => (await queryOnce(url, LISTED)).map(seatOf) };
}

const LISTED = "SELECT tenant, user_id, place FROM seats ORDER BY tenant, place";

function seatOf(row: Readonly<Record<string, unknown>>): string {
  return [row["tenant"], row["user_id"], row["place"]].map(String).join(" ");
}

/** A seat for each user, whose place is the nickName; it moves and goes with the user. */
function seatOfUser({ kind, tenant, id, after }: HookedEvent): readonly Statement[] {
  const place = String(after?.["nickName"] ?? "");
  if (kind === "deleted") {
    return [{ text: "DELETE FROM seats WHERE tenant = ? AND user_id = ?", params: [tenant, id] }];
  }
  if (kind === "created") {
    return [
      { text: "INSERT INTO seats (tenant, user_id, place) VALUES (?, ?, ?)", params: [tenant, id, place] },
    ];
  }
  const params = [place, tenant, id];
  return [{ text: "UPDATE seats SET place = ? WHERE tenant = ? AND user_id = ?", params }];
}

const HOOKS: ResourceHooks = { statements: seatOfUser };

async function users({ store }: Database, hooks = HOOKS): Promise<HookedService> {
  return hookedService(store.resources, { User: hooks });
}

describe.each([
  ["SQLite", openSqlite],
  ["PostgreSQL", openPostgres],
])("statements of an application on %s", (_, openDatabase) => {
  test("are written with the resource: created, changed and deleted together", async () => {
    const database = await openDatabase();
    const client = await users(database);
    const id = await client.create({ userName: "a", nickName: "1A" });
    expect(await database.seats()).toEqual([`acme ${id} 1A`]);
    await client.patch(id, [{ op: "replace", path: "nickName", value: "2B" }]);
    expect(await database.seats()).toEqual([`acme ${id} 2B`]);
    await client.remove(id);
    expect(await database.seats()).toEqual([]);
  });

  test("that fail leave nothing behind, and take nothing from writes that are sent with them", async () => {
    const database = await openDatabase();
    const client = await users(database);
    const results = await Promise.allSettled(
      ["1A", "broken", "2B"].map((nickName) => client.create({ userName: nickName, nickName })),
    );
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await client.names()).toEqual(["1A", "2B"]);
    expect(await database.seats()).toHaveLength(2);
    await client.create({ userName: "broken", nickName: "3C" });
  });

  test("that fail in a change leave the resource, its version and its seat as they were", async () => {
    const database = await openDatabase();
    const client = await users(database);
    const id = await client.create({ userName: "a", nickName: "1A" });
    const before = await client.read(id);
    await expect(client.patch(id, [{ op: "replace", path: "nickName", value: "broken" }])).rejects.toThrow(
      "constraint",
    );
    expect(await client.read(id)).toEqual(before);
    expect(await database.seats()).toEqual([`acme ${id} 1A`]);
  });

  test("fail with an error that the application may answer in its own words", async () => {
    const database = await openDatabase();
    const seen: unknown[] = [];
    const client = await users(database, {
      ...HOOKS,
      refusal: (error, { kind, id }) => {
        seen.push([error instanceof Error, kind, typeof id]);
        return new ScimError("invalidValue", "The place is taken.", { cause: error });
      },
    });
    await client.create({ userName: "a", nickName: "1A" });
    const taken = client.create({ userName: "b", nickName: "1A" });
    await expect(taken).rejects.toMatchObject({ code: "invalidValue", detail: "The place is taken." });
    expect(seen).toEqual([[true, "created", "string"]]);
    expect(await client.names()).toEqual(["a"]);
  });

  test("without such words it is a fault of the service, not of the client", async () => {
    const database = await openDatabase();
    const client = await users(database);
    const error: unknown = await client
      .create({ userName: "a", nickName: "broken" })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(ScimError);
  });

  test("run behind what the plan demands: a value that is taken and a stale version are told as such", async () => {
    const database = await openDatabase();
    const client = await users(database);
    const id = await client.create({ userName: "a", nickName: "1A" });
    const twin = client.create({ userName: "A", nickName: "broken" });
    await expect(twin).rejects.toMatchObject({ code: "uniqueness" });
    const stale = client.patch(id, [{ op: "replace", path: "nickName", value: "broken" }], "stale");
    await expect(stale).rejects.toMatchObject({ code: "versionMismatch" });
    expect(await database.seats()).toEqual([`acme ${id} 1A`]);
  });

  test("are taken back in a dry run, and tell of their failure", async () => {
    const database = await openDatabase();
    const client = await users(database, {
      ...HOOKS,
      refusal: () => new ScimError("invalidValue", "The place is taken."),
    });
    expect(await client.dryCreate({ userName: "a", nickName: "1A" })).toMatchObject({
      valid: true,
      status: 201,
    });
    expect(await database.seats()).toEqual([]);
    await client.create({ userName: "a", nickName: "1A" });
    expect(await client.dryCreate({ userName: "b", nickName: "1A" })).toMatchObject({
      valid: false,
      status: 400,
    });
  });

  test("belong to each operation of a bulk job", async () => {
    const database = await openDatabase();
    const client = await users(database);
    const statuses = await client.bulk([
      { userName: "a", nickName: "1A" },
      { userName: "b", nickName: "broken" },
      { userName: "c", nickName: "2B" },
    ]);
    expect(statuses).toEqual([201, 500, 201]);
    expect((await database.seats()).map((seat) => seat.split(" ")[2])).toEqual(["1A", "2B"]);
  });

  test("bind every value: text is never a part of the statement", async () => {
    const database = await openDatabase();
    const client = await users(database);
    const place = "'); DROP TABLE seats; --";
    const id = await client.create({ userName: "a", nickName: place });
    expect(await database.seats()).toEqual([`acme ${id} ${place}`]);
  });
});

describe("a statement of an application that ends the transaction on SQLite", () => {
  /** Beside writes that fail and leave the transaction open, behind which a batch has savepoints. */
  const places = ["1A", "over", "2B", "broken", "over", "3C"];

  test.each([
    [
      "by a trigger",
      "seats FOR EACH ROW WHEN NEW.place = 'over' BEGIN SELECT RAISE(ROLLBACK, 'over and out'); END",
    ],
    ["by a conflict", null],
  ])("%s fails alone, with its own error, batch after batch", async (_how, trigger) => {
    const path = newFile();
    const database = await openSqliteAt(path);
    const beside = new DatabaseSync(path);
    onTestFinished(() => beside.close());
    if (trigger === null) beside.exec("INSERT INTO seats VALUES ('acme', 'nobody', 'over')");
    else beside.exec(`CREATE TRIGGER ends BEFORE INSERT ON ${trigger}`);
    const client = await users(database, { statements: (event) => seatOfUser(event).map(orRollBack) });
    for (const batch of ["a", "b", "c"]) {
      const results = await Promise.allSettled(
        places.map((place, index) =>
          client.create({
            userName: `${batch}${index}`,
            nickName: place.length > 2 ? place : `${batch}${place}`,
          }),
        ),
      );
      const told = results.map((result) =>
        result.status === "fulfilled" ? "created" : String(result.reason).replace(/: [^:]*$/, ""),
      );
      const over = trigger === null ? "Error: UNIQUE constraint failed" : "Error";
      expect(told).toEqual(["created", over, "created", "Error: CHECK constraint failed", over, "created"]);
    }
    expect(await client.names()).toEqual(["a0", "a2", "a5", "b0", "b2", "b5", "c0", "c2", "c5"]);
    const seats = (await database.seats())
      .map((seat) => seat.split(" ")[2])
      .filter((place) => place !== "over");
    expect(seats).toEqual(["a1A", "a2B", "a3C", "b1A", "b2B", "b3C", "c1A", "c2B", "c3C"]);
  });

  test("may be answered by the application in its own words", async () => {
    const database = await openSqlite();
    const client = await users(database, {
      statements: (event) => seatOfUser(event).map(orRollBack),
      refusal: (error) => new ScimError("invalidValue", "The place is taken.", { cause: error }),
    });
    await client.create({ userName: "a", nickName: "1A" });
    const taken = client.create({ userName: "b", nickName: "1A" });
    await expect(taken).rejects.toMatchObject({ code: "invalidValue", detail: "The place is taken." });
    expect(await client.names()).toEqual(["a"]);
  });
});

function orRollBack({ text, params }: Statement): Statement {
  return { text: text.replace("INSERT INTO", "INSERT OR ROLLBACK INTO"), params };
}

test("a store that has no transaction for them refuses the hook when the service is made", () => {
  expect(() => hookedService(createMemoryStore(), { User: HOOKS })).toThrow("runs no statements");
});
