import { queryOnce } from "@scim/fixtures/postgres";
import type { ResourceHooks, Statement } from "@scim/core";
import { ScimError } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { migratePostgres } from "../src/postgres/index.ts";
import type { Store } from "../src/store.ts";
import { bareDatabase, openPostgresAt } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";
import { hookedService, type HookedService } from "./support/hooked-service.ts";

async function openPostgres(): Promise<Store> {
  const url = await bareDatabase();
  await migratePostgres({ url });
  await queryOnce(url, "CREATE TABLE seats (tenant text PRIMARY KEY)");
  return openPostgresAt(url);
}

/** What code without types may return. */
const odd = (returned: unknown): readonly Statement[] => returned as readonly Statement[];
const one = (text: unknown, ...params: readonly unknown[]): readonly Statement[] => odd([{ text, params }]);

const NO_LIST = "The hook 'statements' of User returned no list of statements";
const NO_SQL = "The hook 'statements' of User returned a statement without SQL";
const ENDS = "The hook 'statements' of User returned a statement that is for the store alone";
const TWO = "The hook 'statements' of User returned several statements in one";
const COUNT = "The hook 'statements' of User returned a statement whose '?' are";
const PLACE = "The hook 'statements' of User returned a statement with the place of a value that is no '?'";
const VALUE = "The hook 'statements' of User returned a value that no statement binds";

const ODD: readonly (readonly [string, readonly Statement[], string])[] = [
  ["the promise of a list", odd(Promise.resolve([])), NO_LIST],
  ["nothing", odd(undefined), NO_LIST],
  ["text", odd("DELETE FROM resources"), NO_LIST],
  ["a statement that is in no list", odd({ text: "SELECT 1", params: [] }), NO_LIST],
  ["a list of nothing", odd([null]), NO_SQL],
  ["a statement without text", one(undefined), NO_SQL],
  ["an empty statement", one(""), NO_SQL],
  ["a semicolon", one(" ; "), NO_SQL],
  ["a comment", one("-- SELECT 1\n/* SELECT 1 */"), NO_SQL],
  ["a comment within a comment", one("/* /* */ */ COMMIT"), NO_SQL],
  ["COMMIT", one("COMMIT"), ENDS],
  ["the end of the transaction behind a comment", one("/* so */ -- it\n ; end"), ENDS],
  ["ROLLBACK", one("ROLLBACK"), ENDS],
  ["a savepoint", one("savepoint a"), ENDS],
  ["BEGIN", one("BEGIN IMMEDIATE"), ENDS],
  ["COPY", one("COPY resources FROM STDIN"), ENDS],
  ["a setting of the session", one("SET statement_timeout = 1"), ENDS],
  ["the end of a setting", one("RESET statement_timeout"), ENDS],
  ["a channel that is listened to", one("LISTEN seats"), ENDS],
  ["another database", one("ATTACH DATABASE ':memory:' AS seats"), ENDS],
  ["a pragma", one("PRAGMA main.recursive_triggers = 1"), ENDS],
  ["two statements", one("DELETE FROM tokens; DELETE FROM resources"), TWO],
  ["two behind quoted semicolons", one("SELECT ';', \";\" /* ; */ ; SELECT 2"), TWO],
  ["fewer values than places", one("SELECT 1 WHERE 'a' IN (?, ?)", "a"), COUNT],
  ["more values than places", one("SELECT 1 WHERE 'a' IN (?)", "a", "b"), COUNT],
  ["a place in a text", one("SELECT '?' WHERE 'a' = ?", "a"), COUNT],
  ["a place in a text, and no other", one("SELECT 1 WHERE 'a' = '?'", "a"), COUNT],
  ["a place in a comment", one("SELECT 1 -- why?", "a"), COUNT],
  ["a place with a number", one("SELECT 1 WHERE 'a' = ?1", "a"), PLACE],
  ["places of PostgreSQL", one("INSERT INTO seats VALUES ($1)"), PLACE],
  ["places with names", one("INSERT INTO seats VALUES (:tenant)"), PLACE],
  ["places with names behind an @", one("SELECT 1 WHERE 'a' =@tenant"), PLACE],
  ["a statement without its values", odd([{ text: "SELECT 1 WHERE 'a' = ?" }]), COUNT],
  ["an undefined value", one("SELECT 1 WHERE 'a' = ?", undefined), VALUE],
  ["true", one("SELECT 1 WHERE 'a' = ?", true), VALUE],
  ["a date", one("SELECT 1 WHERE 'a' = ?", new Date(0)), VALUE],
  ["an object", one("SELECT 1 WHERE 'a' = ?", {}), VALUE],
];

async function noSeat(): Promise<never> {
  throw new ScimError("invalidValue", "No seat is left.");
}

describe.each([
  ["SQLite", () => open(newFile())],
  ["PostgreSQL", openPostgres],
])("what the hook 'statements' must not return, on %s", (_, openStore) => {
  test("is a fault of the application before anything is written, and no error of the database", async () => {
    let returned: readonly Statement[] = [];
    const refused: unknown[] = [];
    const client = await users(await openStore(), {
      statements: () => returned,
      refusal: (error) => {
        refused.push(error);
        return new ScimError("invalidValue", "No seat is left.");
      },
    });
    for (const [what, statements, words] of ODD) {
      returned = statements;
      const error: unknown = await client.create({ userName: what }).catch((thrown: unknown) => thrown);
      expect([what, error]).toEqual([what, expect.any(TypeError)]);
      expect(String(error)).toContain(words);
      await expect(client.dryCreate({ userName: what })).rejects.toThrow(words);
    }
    returned = [];
    await client.create({ userName: "after all" });
    expect([await client.names(), refused]).toEqual([["after all"], []]);
  });

  test("is a promise that rejects: it is told as such, and ends no process", async () => {
    const client = await users(await openStore(), { statements: noSeat as never });
    await expect(client.create({ userName: "a" })).rejects.toThrow(NO_LIST);
    expect(await client.names()).toEqual([]);
  });

  test.each<[string, (error: unknown) => unknown]>([
    ["another error", () => new RangeError("No seat is left.")],
    ["text", () => "No seat is left."],
    ["the promise of an error", async () => new ScimError("invalidValue", "No seat is left.")],
    ["a promise that rejects", noSeat],
  ])(
    "is answered by the hook 'refusal' with %s: the error of the database is not lost",
    async (_what, refusal) => {
      const statements = (): readonly Statement[] => one("INSERT INTO nowhere VALUES (1)");
      const client = await users(await openStore(), { statements, refusal: refusal as never });
      const error: unknown = await client.create({ userName: "a" }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toContain("The hook 'refusal' of User returned neither a ScimError nor null");
      expect(String((error as Error).cause)).toContain("nowhere");
      expect(await client.names()).toEqual([]);
    },
  );

  test.each([
    ["ends in a semicolon", one("DELETE FROM tokens WHERE tenant = ? ;\n", "nobody")],
    ["quotes one", one("DELETE FROM tokens WHERE tenant IN (?, ';', '''; x') -- ; it's", "nobody")],
    ["begins with a comment", one("/* for ; */ -- all\nSELECT 1")],
    ["is in brackets or a query", one("WITH x AS (SELECT 1 AS end) SELECT 'COMMIT' AS \"set\" FROM x")],
    ["quotes places of values", one("SELECT ':tenant', '@x' AS \"$1\" -- @y")],
    ["has no values", odd([{ text: "SELECT 1" }])],
    ["binds each kind of value", one("SELECT ?, ?, ?, ?, ?", "a", 1, 2n, null, new Uint8Array([1]))],
  ])("is not a statement that %s", async (_what, statements) => {
    const client = await users(await openStore(), { statements: () => statements });
    await client.create({ userName: "a" });
    expect(await client.names()).toEqual(["a"]);
  });
});

async function users({ resources }: Store, hooks: ResourceHooks): Promise<HookedService> {
  return hookedService(resources, { User: hooks });
}
