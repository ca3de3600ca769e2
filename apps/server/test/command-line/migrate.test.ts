import { existsSync } from "node:fs";
import { join } from "node:path";
import { readMigrations } from "@scim/store/sqlite";
import { describe, expect, test } from "vitest";
import { ENGINES } from "../over-http/engines.ts";
import { runHere } from "./printed.ts";
import { newFolder } from "./program.ts";

const NAMES = readMigrations().map(({ name }) => name);

describe.each(ENGINES)("scim migrate on $name", ({ name, makeBare }) => {
  test("plans, applies, says that there is nothing to do; a start that must not migrate says what lacks", async () => {
    const database = await makeBare();
    const where = {
      folder: newFolder(),
      environment: { ...database.environment, SCIM_MIGRATIONS: "manual" },
    };
    const refused = await runHere(["token", "create"], where);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("lacks 0001-resources");
    expect(refused.stderr).toContain("scim migrate");
    expect(refused.stderr).not.toMatch(/\n\s+at /);

    const planned = await runHere(["migrate", "--plan"], where);
    expect(planned.stdout).toContain("0001-resources\n  makes tenants, connections, tokens, resources");
    expect(planned.stdout).toContain(`${NAMES.length} pending, in one transaction; apply with: scim migrate`);

    const applied = await runHere(["migrate"], where);
    expect(applied.stdout).toBe(`${NAMES.map((each) => `applied ${each}`).join("\n")}\n`);
    for (const args of [["migrate"], ["migrate", "--plan"]])
      expect((await runHere(args, where)).stdout).toBe("There is nothing to do: the schema is up to date.\n");
    expect((await runHere(["token", "list"], where)).code).toBe(0);
    expect(name === "SQLite" || !existsSync(join(where.folder, "data"))).toBe(true);
  });
});

describe("scim migrate --plan of a layout", () => {
  test("names the command that applies it, and refuses what that would refuse", async () => {
    const postgres = ENGINES.find(({ name }) => name === "PostgreSQL");
    const database = await postgres?.makeBare();
    const where = { folder: newFolder(), environment: database?.environment ?? {} };
    const layout = ["--partitions", "4"];
    const planned = await runHere(["migrate", "--plan", ...layout], where);
    expect(planned.stdout).toContain("resources_p3 PARTITION OF resources");
    expect(planned.stdout).toMatch(/apply with: scim migrate --partitions 4\n$/);
    const other = await runHere(["migrate", "--plan", "--distribute", "citus"], where);
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("CREATE EXTENSION citus")]);

    expect((await runHere(["migrate"], where)).code).toBe(0);
    for (const args of [layout, ["--plan", ...layout]]) {
      const refused = await runHere(["migrate", ...args], where);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("as whole tables already")]);
    }
  });
});

describe("scim migrate refuses", () => {
  test.each([
    [["--partitions", "1"], {}, "--partitions must be a whole number from 2 to 1024"],
    [["--partitions", "4", "--distribute", "citus"], {}, "exclude each other"],
    [["--distribute", "shards"], {}, "--distribute must be citus"],
    [["--partitions", "4"], { SCIM_DATABASE_URL: "sqlite:x.db" }, "are for PostgreSQL"],
    [[], { SCIM_DATABASE_URL: "sqlite::memory:" }, "in memory has nothing to migrate"],
    [["--to", "sqlite:new.db", "--plan"], {}, "--plan tells of a schema, and --to moves everything"],
    [
      ["--to", "postgres://u@h/e", "--partitions", "4"],
      {},
      "lay it out first by 'scim migrate --partitions N'",
    ],
    [["--to", "postgres://u@h/e", "--distribute", "citus"], {}, "or '--distribute citus' with its address"],
    [["--to", "sqlite::memory:"], {}, "--to must be a database that stays"],
    [["--to", "postgres://other:secret@h:5432/d?sslmode=require"], {}, "name another"],
    [["--to", "sqlite:below/../x.db"], { SCIM_DATABASE_URL: "sqlite:x.db" }, "name another"],
  ])("%j with %j", async (args, settings, message) => {
    const environment = { SCIM_DATABASE_URL: "postgres://u@h/d", ...settings };
    const ended = await runHere(["migrate", ...args], { folder: newFolder(), environment });
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain(message);
  });
});
