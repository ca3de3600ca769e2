import { DatabaseSync } from "node:sqlite";
import { writeSwitchFlips } from "@scim/tenancy";
import { sampleConnection, sampleTenant } from "@scim/tenancy/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Store } from "../src/store.ts";
import { newFile, open } from "./support/folders.ts";

const FLIPS = [{ name: "group-name-unique", on: false }] as const;

/** A connection whose row is changed as a later release may have left it. */
async function leftWith(column: "profile" | "switches" | "limits", value: string): Promise<Store> {
  const path = newFile();
  const store = await open(path);
  await store.tenants.add(sampleTenant("north"));
  await store.connections.add(sampleConnection("hr", { profile: "strict", switches: FLIPS }));
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  database.prepare(`UPDATE connections SET ${column} = ?`).run(value);
  return store;
}

describe("a program that meets what only a later release knows", () => {
  test.each(["entra@2099-01", "constructor", ""])("takes its own profile for '%s'", async (profile) => {
    const { connections } = await leftWith("profile", profile);
    expect(await connections.find("north", "hr")).toMatchObject({ profile: null, switches: FLIPS });
    expect(await connections.list("north")).toMatchObject([{ profile: null }]);
  });

  test.each([
    ["a switch", JSON.stringify([...writeSwitchFlips(FLIPS), "of-later"]), FLIPS],
    ["a form of switches", '{"of-later":true}', []],
    ["a form of a switch", '[{"name":"of-later"}]', []],
  ])("leaves out %s", async (_what, switches, known) => {
    const { connections } = await leftWith("switches", switches);
    expect(await connections.find("north", "hr")).toMatchObject({ profile: "strict", switches: known });
  });

  const GUARD = { atLeast: 5, percent: 2, window: 30, named: ["boss"] };
  test.each([
    [
      "a mode of its guard: it holds what is too much",
      { ...GUARD, mode: "of-later" },
      { ...GUARD, mode: "hold" },
    ],
    ["a form of the mode: the guard of the service counts", { ...GUARD, mode: { of: "later" } }, null],
    ["a form of a bound: the guard of the service counts", { ...GUARD, mode: "hold", percent: "2" }, null],
  ])("lets pass no more for %s", async (_what, guard, known) => {
    const { connections } = await leftWith("limits", JSON.stringify({ guard }));
    expect(await connections.find("north", "hr")).toMatchObject({ guard: known });
  });
});
