import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/failure.ts";
import { ADMIN_TOKEN, startAdministered, type AdministeredServer } from "../admin/admin-client.ts";
import { newFolder } from "../command-line/program.ts";
import { printed } from "../command-line/printed.ts";
import { GROUP, USER } from "../over-http/client.ts";
import { ENGINES, type Engine, type TestDatabase } from "../over-http/engines.ts";
import { MARK } from "./remains.ts";

const SUBJECT = "/tenants/default/subjects/1007";
const TYPES = /several types have, or had, the id '1007': Group, User\. Say the type/;

type Environment = Readonly<Record<string, string>>;

function start(environment: Environment): Promise<AdministeredServer> {
  return startAdministered(environment, pino({ level: "silent" }));
}

/** Settings with a list of erasures of their own. */
function listing(database: TestDatabase): Environment {
  return { ...database.environment, SCIM_ERASURE_LIST: join(newFolder(), "erasures.jsonl") };
}

async function imported(type: string, body: object, environment: Environment): Promise<void> {
  const file = join(newFolder(), "source.jsonl");
  writeFileSync(file, `${JSON.stringify(body)}\n`);
  await printed(["import", file, "--keep-ids", "--type", type], environment);
}

/** A database as earlier releases have left it, whose imports took an id over for each type. */
async function shared({ make }: Engine): Promise<{ database: TestDatabase; environment: Environment }> {
  const database = await make();
  const environment = listing(database);
  await imported("User", { schemas: [USER], id: "1007", userName: MARK }, environment);
  await imported("Group", { schemas: [GROUP], id: "other", displayName: "seven" }, environment);
  for (const table of ["resources", "attribute_index", "unique_values", "events"])
    await database.query(`UPDATE ${table} SET id = '1007' WHERE type = 'Group' AND id = 'other'`);
  return { database, environment };
}

/** The status of the person and of the group. */
async function statuses(server: AdministeredServer): Promise<readonly (number | undefined)[]> {
  return [
    (await server.call("GET", "/Users/1007")).status,
    (await server.call("GET", "/Groups/1007")).status,
  ];
}

describe.each(ENGINES)("an id of a user and of a group on $name", (engine) => {
  test("is erased of neither until the type is said, then of that one alone, also behind a restored backup", async () => {
    const { database, environment } = await shared(engine);
    await expect(printed(["erase", "1007"], environment)).rejects.toMatchObject({
      exitCode: EXIT.usage,
      message: expect.stringMatching(TYPES),
    });
    const server = await start(environment);
    for (const path of [SUBJECT, "/subjects/1007?tenant=default"]) {
      const { status, body } = await server.ask("DELETE", path);
      expect([status, body["types"]]).toEqual([409, ["Group", "User"]]);
      expect(body["detail"]).toMatch(TYPES);
    }
    expect((await server.ask("DELETE", `${SUBJECT}?type=Device`)).status).toBe(404);
    expect(await statuses(server)).toEqual([200, 200]);
    const { etag } = (await server.call("GET", "/Groups/1007")).headers;
    await server.stop();

    const backup = await database.copy();
    const erased = await printed(["erase", "1007", "--type", "User", "--json"], environment);
    expect(JSON.parse(erased.stdout)).toMatchObject({ resources: 1, secrets: 1 });
    for (const each of [database, backup]) {
      const again = await start({ ...environment, ...each.environment });
      expect(await statuses(again)).toEqual([404, 200]);
      const group = await again.call("GET", "/Groups/1007");
      expect([group.body["displayName"], group.headers.etag]).toEqual(["seven", etag]);
      await again.stop();
    }
  });

  test("keeps a server from starting whose list does not tell the type, until one of both is erased", async () => {
    const { environment } = await shared(engine);
    // What nothing but a beginning tells of has no type, as entries that earlier releases made.
    const empty = await engine.make();
    const elsewhere = { ...environment, ...empty.environment };
    await (await start(elsewhere)).stop();
    await empty.query(
      "INSERT INTO erased_lately (tenant, id, at) VALUES ('default', '1007', '9020-01-01T00:00:00.000Z')",
    );
    await printed(["erase", "1007"], elsewhere);

    for (let starts = 0; starts < 2; starts += 1)
      await expect(start(environment)).rejects.toMatchObject({ message: expect.stringMatching(TYPES) });
    await printed(["erase", "1007", "--type", "User"], environment);
    expect(await statuses(await start(environment))).toEqual([404, 200]);
  });
});

test("scim erase --type at a server", async () => {
  const [sqlite] = ENGINES;
  if (sqlite === undefined) throw new TypeError("There is no SQLite");
  const { environment } = await shared(sqlite);
  const server = await start(environment);
  const erase = (...args: string[]) =>
    printed(["erase", ...args, "--url", server.origin], { SCIM_ADMIN_TOKEN: ADMIN_TOKEN });
  await expect(erase("1007")).rejects.toMatchObject({ message: expect.stringMatching(TYPES) });
  for (const args of [
    ["--list", "--type", "User"],
    ["--replay", "list.jsonl", "--type", "User"],
    ["--replay", "list.jsonl", "--tenant", "default"],
  ])
    await expect(erase(...args)).rejects.toMatchObject({ exitCode: EXIT.usage });
  expect((await erase("1007", "--type", "Group")).stdout).toMatch(/^Erased:\n {2}1 resource with/);
  expect(await statuses(server)).toEqual([200, 404]);
});
