import { describe, expect, test } from "vitest";
import type { Check } from "../../src/doctor/check.ts";
import type { DerivedReport } from "../../src/doctor/check-derived.ts";
import { EXIT, type ExitCode } from "../../src/failure.ts";
import { printed } from "../command-line/printed.ts";
import { ENGINES, type TestDatabase } from "../over-http/engines.ts";
import { startInProcess } from "../over-http/in-process.ts";

interface Examined {
  readonly code: ExitCode;
  readonly text: string;
  readonly check: Check | undefined;
  readonly derived: DerivedReport | null;
  readonly others: readonly { readonly tenant: string; readonly derived: DerivedReport | null }[];
}

async function examined({ environment }: TestDatabase, ...flags: readonly string[]): Promise<Examined> {
  const { code, stdout } = await printed(["doctor", "--json", ...flags], environment);
  // The command under test wrote it.
  const whole = JSON.parse(stdout) as Pick<Examined, "derived" | "others"> & { checks: readonly Check[] };
  return { ...whole, code, text: stdout, check: whole.checks.find(({ name }) => name === "derived rows") };
}

/** Users `anna` and `ben`, and no server. */
async function served(database: TestDatabase): Promise<readonly [anna: string, ben: string]> {
  const server = await startInProcess(database.environment);
  const anna = await server.user({ userName: "anna" });
  const ben = await server.user({ userName: "ben" });
  await server.stop();
  return [anna.id, ben.id];
}

describe.each(ENGINES)("scim doctor --derived on $name", (engine) => {
  test("finds what --repair makes right, tells ids and no values, and leaves a trail", async () => {
    const database = await engine.make();
    const [anna] = await served(database);
    expect(await examined(database)).toMatchObject({ check: undefined, derived: null });
    expect(await examined(database, "--derived")).toMatchObject({
      check: { outcome: "ok", detail: "those of 2 resources are right" },
      derived: { compared: 2, first: [], repaired: null },
    });
    await database.query(`DELETE FROM attribute_index WHERE id = '${anna}'`);
    await database.query(`DELETE FROM unique_values WHERE id = '${anna}'`);
    await database.query("UPDATE resource_counters SET n = n + 5 WHERE n > 0");
    const broken = await examined(database, "--derived");
    expect([broken.code, broken.check?.outcome]).toEqual([EXIT.failed, "wrong"]);
    expect(broken.check?.detail).toBe(
      "1 resource with wrong index entries, 1 resource with wrong unique values, 1 wrong counter; 2 compared",
    );
    expect(broken.check?.remedy).toContain("scim doctor --repair");
    expect(broken.derived?.first).toMatchObject([
      { kind: "index", id: anna, missing: ["userName", "externalId", "displayName"], stray: [] },
      { kind: "unique", id: anna, missing: ["userName"] },
      { kind: "count", type: "User", live: 2 },
    ]);
    expect(JSON.stringify(broken.derived)).not.toContain("anna");
    const repaired = await examined(database, "--repair", "--tenant", "default");
    expect(repaired).toMatchObject({
      check: { outcome: "ok" },
      derived: { repaired: { index: 1, unique: 1, count: 1 }, first: [] },
    });
    const told = await database.query("SELECT after FROM events WHERE type = 'Command' AND id = 'default'");
    expect(told.map(({ after }) => JSON.parse(String(after)))).toEqual([
      { command: "scim doctor --repair" },
      { command: "scim doctor --repair", outcome: "done" },
    ]);
  });

  test("names who has the same value, of each tenant, as a table too", async () => {
    const database = await engine.make();
    const [anna, ben] = await served(database);
    await printed(["tenant", "create", "acme"], database.environment);
    await database.query(
      `UPDATE resources SET body = (SELECT o.body FROM resources o WHERE o.id = '${anna}') WHERE id = '${ben}'`,
    );
    const { code, stdout } = await printed(["doctor", "--repair"], database.environment);
    expect(code).toBe(EXIT.failed);
    expect(stdout).toMatch(
      /wrong +derived rows +made right: 1 resource with wrong index entries, 1 resource with wrong unique values; 1 value that two resources have; 2 compared/,
    );
    expect(stdout).toContain("derived rows (1)");
    expect(stdout).toMatch(new RegExp(`  User +${ben} +has the same userName as ${anna}`));
    const { others } = await examined(database, "--derived");
    expect(others).toMatchObject([{ tenant: "acme", derived: { compared: 0, first: [] } }]);
  });
});

test.each(["--derived", "--repair"])("scim doctor %s is not for a service that runs", async (flag) => {
  await expect(printed(["doctor", flag, "--url", "http://localhost:1/scim/v2"], {})).rejects.toMatchObject({
    exitCode: EXIT.usage,
    message: expect.stringContaining("--derived and --repair read the tables of a database"),
  });
});
