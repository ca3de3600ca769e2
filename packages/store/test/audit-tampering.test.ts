import { DatabaseSync } from "node:sqlite";
import { SCOPE, seed } from "@scim/core/testing";
import {
  signCheckpoint,
  verifyAudit,
  type AuditFault,
  type AuditReport,
  type AuditVerification,
  type ChainEnd,
} from "@scim/events";
import { SAMPLE_AUDIT, SAMPLE_KEYS, sampleKey } from "@scim/events/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Store } from "../src/store.ts";
import { newFile, open } from "./support/folders.ts";

const ENTRIES = 6;
const TENANT = SCOPE.tenant;

/** A log of six entries with a checkpoint at the fourth. */
async function newLog(): Promise<{
  readonly database: DatabaseSync;
  readonly report: (of?: Partial<AuditVerification>) => Promise<AuditReport>;
  readonly faults: (of?: Partial<AuditVerification>) => Promise<readonly AuditFault[]>;
}> {
  const path = newFile();
  const store = await open(path, { audit: SAMPLE_AUDIT });
  for (let n = 1; n <= ENTRIES; n += 1)
    await seed(store.resources, [{ type: "User", id: `u${n}`, body: { userName: `u${n}` } }]);
  await store.events.assign(4);
  const end = await store.audit.end(TENANT);
  if (end === null) throw new TypeError("There is no chain");
  await sign(store, end);
  await store.events.assign(ENTRIES);
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  const report = (of: Partial<AuditVerification> = {}): Promise<AuditReport> =>
    verifyAudit(TENANT, { ...SAMPLE_KEYS, ...store, ...of });
  return { database, report, faults: async (of) => (await report(of)).faults };
}

/** Signs that a chain came to a place. */
async function sign({ audit }: Pick<Store, "audit">, { position, hash }: ChainEnd): Promise<void> {
  const place = { position, hash, at: "2026-03-01T09:00:00.000Z" };
  await audit.addCheckpoint(TENANT, signCheckpoint(SAMPLE_KEYS, TENANT, place));
}

/** Makes the chain anew from a position on, as who can write to the database may. */
function relink(database: DatabaseSync, from: number): void {
  const rows = database.prepare("SELECT position, entry FROM audit_entries ORDER BY position").all();
  let previous: string | null = null;
  for (const { position, entry } of rows) {
    const text = `{"entry":${String(entry)},"previous":${JSON.stringify(previous)},"tenant":"${TENANT}"}`;
    const made = SAMPLE_KEYS.digest(text);
    if (Number(position) >= from)
      database.prepare("UPDATE audit_entries SET hash = ? WHERE position = ?").run(made, position ?? null);
    previous = made;
  }
}

describe("the verification of an audit log", () => {
  test("finds nothing wrong with a log that nobody touched", async () => {
    const { faults } = await newLog();
    expect(await faults()).toEqual([]);
  });

  test.each([
    [
      "a value that was changed",
      "UPDATE audit_entries SET entry = replace(entry, 'created', 'deleted') WHERE position = 3",
      [["changed", 3]],
    ],
    [
      "a hash that was changed",
      "UPDATE audit_entries SET hash = 'x' WHERE position = 2",
      [
        ["changed", 2],
        ["changed", 3],
      ],
    ],
    ["an entry that is no JSON", "UPDATE audit_entries SET entry = '{' WHERE position = 5", [["changed", 5]]],
    [
      "an entry that is filed under another resource",
      "UPDATE audit_entries SET id = 'u9' WHERE position = 3",
      [["changed", 3]],
    ],
    [
      "an entry that is filed under another type",
      "UPDATE audit_entries SET type = 'Group' WHERE position = 3",
      [["changed", 3]],
    ],
    [
      "an entry that is filed under another time",
      "UPDATE audit_entries SET at = '2020-01-01T00:00:00.000Z' WHERE position = 3",
      [["changed", 3]],
    ],
    ["an entry that was removed", "DELETE FROM audit_entries WHERE position = 3", [["removed", 3]]],
    [
      "an entry that was removed with a checkpoint",
      "DELETE FROM audit_entries WHERE position = 4",
      [["removed", 4]],
    ],
    ["several that were removed", "DELETE FROM audit_entries WHERE position IN (2, 3)", [["removed", 2]]],
    ["the beginning that was removed", "DELETE FROM audit_entries WHERE position <= 2", [["removed", 3]]],
    ["the end that was removed", "DELETE FROM audit_entries WHERE position >= 3", [["removed", 3]]],
    ["an end that no checkpoint signs", "DELETE FROM audit_entries WHERE position >= 5", [["removed", 5]]],
    [
      "a beginning that was removed up to a checkpoint",
      "DELETE FROM audit_entries WHERE position <= 4",
      [["removed", 1]],
    ],
    [
      "a beginning that was removed beyond a checkpoint",
      "DELETE FROM audit_entries WHERE position <= 5",
      [["removed", 6]],
    ],
    [
      "a log of which the checkpoint alone is left",
      "DELETE FROM audit_entries",
      [
        ["removed", 1],
        ["removed", 5],
      ],
    ],
    [
      "a log of which nothing is left",
      "DELETE FROM audit_entries; DELETE FROM audit_checkpoints",
      [["removed", 1]],
    ],
    [
      "entries that changed places",
      `UPDATE audit_entries SET position = -2 WHERE position = 2;
       UPDATE audit_entries SET position = 2 WHERE position = 3;
       UPDATE audit_entries SET position = 3 WHERE position = -2`,
      [
        ["moved", 2],
        ["moved", 3],
        ["changed", 4],
      ],
    ],
    [
      "a checkpoint that was made without the key",
      "UPDATE audit_checkpoints SET hash = 'x'",
      [["checkpoint", 4]],
    ],
    [
      "a checkpoint of another time",
      "UPDATE audit_checkpoints SET at = '2026-03-02T09:00:00.000Z'",
      [["checkpoint", 4]],
    ],
    ["a checkpoint of another position", "UPDATE audit_checkpoints SET position = 5", [["checkpoint", 5]]],
  ] as const)("finds %s, and says where", async (_what, tampering, expected) => {
    const { database, faults } = await newLog();
    database.exec(tampering);
    expect((await faults()).map(({ kind, position }) => [kind, position])).toEqual(expected);
  });

  test("takes no checkpoint on the way for one that stands for what went", async () => {
    const { database, report } = await newLog();
    database.exec("DELETE FROM audit_entries WHERE position <= 4");
    expect(await report()).toMatchObject({ behind: null, signed: { position: 4 }, entries: 2, valid: false });
  });

  test("tells from where on nothing signs the log, also where checkpoints alone were removed", async () => {
    const { database, report } = await newLog();
    const at = "2026-03-01T08:00:00.000Z";
    expect(await report()).toMatchObject({ unsigned: { entries: 2, position: 5, at } });
    expect(await report({ since: 4 })).toMatchObject({ unsigned: { entries: 2, position: 5, at } });
    database.exec("DELETE FROM audit_entries WHERE position > 4; DELETE FROM events");
    expect(await report()).toMatchObject({ unsigned: null });
    database.exec("DELETE FROM audit_checkpoints");
    expect(await report()).toMatchObject({ signed: null, unsigned: { entries: 4, position: 1, at } });
  });

  test("holds a log to each of its checkpoints, of which a few hundred are read at once", async () => {
    const store = await open(":memory:", { audit: SAMPLE_AUDIT });
    const ids = Array.from({ length: 502 }, (_, at) => `u${at}`);
    await seed(
      store.resources,
      ids.map((id) => ({ type: "User", id, body: { userName: id } })),
    );
    await store.events.assign(ids.length);
    for (const entry of await store.audit.read(TENANT, { after: 0, limit: ids.length }))
      await sign(store, entry);
    expect(await verifyAudit(TENANT, { ...SAMPLE_KEYS, ...store })).toMatchObject({
      checkpoints: 502,
      signed: { position: 502 },
      unsigned: null,
      faults: [],
    });
  });

  test("finds an entry that was changed with every hash behind it, by the next checkpoint", async () => {
    const { database, faults } = await newLog();
    database.exec("UPDATE audit_entries SET entry = replace(entry, 'created', 'deleted') WHERE position = 2");
    relink(database, 2);
    expect((await faults()).map(({ kind, position }) => [kind, position])).toEqual([["changed", 4]]);
  });

  test("finds a beginning that was made anew where entries are missing", async () => {
    const { database, faults } = await newLog();
    database.exec("DELETE FROM audit_entries WHERE position <= 2");
    relink(database, 1);
    expect((await faults()).map(({ kind, position }) => [kind, position])).toEqual([["changed", 4]]);
  });

  test("of a log that was copied from another tenant every entry is wrong", async () => {
    const { database, faults } = await newLog();
    database.exec("UPDATE audit_entries SET tenant = 'other'; UPDATE audit_checkpoints SET tenant = 'other'");
    expect((await faults()).map(({ kind, position }) => [kind, position])).toEqual([["removed", 1]]);
    const path = database.location() ?? "";
    const store = await open(path);
    const report = await verifyAudit("other", { ...SAMPLE_KEYS, audit: store.audit, events: store.events });
    expect(report.faults.map(({ kind }) => kind)).toContain("checkpoint");
    expect(report.faults.filter(({ kind }) => kind === "changed")).toHaveLength(ENTRIES);
  });

  test("goes on with keys that were changed, and says where a key is missing", async () => {
    const { faults } = await newLog();
    const [signed, older] = SAMPLE_KEYS.keys;
    const added = { id: "k3", secret: sampleKey("k3").secret };
    expect(await faults({ keys: [added, ...(signed === undefined ? [] : [signed])] })).toEqual([]);
    const [fault] = await faults({ keys: older === undefined ? [] : [older] });
    expect(fault).toMatchObject({ kind: "checkpoint", position: 4 });
    expect(fault?.detail).toContain("key k2, which is not among the keys");
  });
});
