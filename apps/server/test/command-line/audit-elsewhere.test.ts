import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { auditHere, type AuditReading } from "../../src/audit/audit-reading.ts";
import { exportedLines } from "../../src/audit/exported-lines.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { openStore } from "../../src/store/open-store.ts";
import { keepUp } from "../../src/upkeep/event-upkeep.ts";
import { eventually } from "../eventually.ts";
import { type Engine, ENGINES, SECRET_KEYS } from "../over-http/engines.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { newFolder } from "./program.ts";
import { printed } from "./printed.ts";

const DAY_MS = 86_400_000;
const page = readFileSync(new URL("../../../../docs/audit.md", import.meta.url), "utf8");
const code = /^```js no-run\n(?<code>.*?)^```$/ms.exec(page)?.groups?.["code"] ?? "";

type Keys = Readonly<Record<string, string>>;
type FaultsOf = (text: string, tenant: string, keys: Keys) => readonly string[];

const KEYS: Keys = Object.fromEntries(SECRET_KEYS.split(",").map((key) => key.split(":", 2)));

async function documented(): Promise<FaultsOf> {
  const file = join(newFolder(), "verifier.mjs");
  writeFileSync(file, code);
  // The page is to hold that function.
  const { faultsOf } = (await import(pathToFileURL(file).href)) as { readonly faultsOf: FaultsOf };
  return faultsOf;
}

test.each(ENGINES)(
  "the code of docs/audit.md verifies what 'scim audit export' writes, on $name",
  async (engine) => {
    const database = await engine.make();
    const server = await startInProcess(database.environment);
    const { path } = await server.user({ userName: "änna \u2028 \ud83d\ude00" });
    for (const nickName of ["a", "b", "c"])
      await server.patch(path, [{ op: "add", path: "nickName", value: nickName }]);
    await eventually(async () => {
      const [row] = await database.query("SELECT count(*) AS n FROM audit_entries");
      expect(Number(row?.["n"])).toBe(4);
    });
    await server.stop();
    const opened = await openStore(resolveSettings({ flags: {}, environment: database.environment }).values);
    onTestFinished(() => opened.store.close());
    const { auditKeys, store } = opened;
    const upkeepIn = async (days: number, audit: number): Promise<void> => {
      const now = (): number => Date.now() + days * DAY_MS;
      const keptFor = async (kind: string): Promise<number> => (kind === "audit" ? audit : 1000) * DAY_MS;
      await keepUp({ ...store, auditKeys, keptFor, now }, () => false);
    };
    const exported = async (): Promise<string> =>
      (await printed(["audit", "export"], database.environment)).stdout;
    const faultsOf = await documented();

    await upkeepIn(1, 400);
    const text = await exported();
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => Object.keys(JSON.parse(line) as object)[0]),
    ).toContain("checkpoint");
    expect(faultsOf(text, "default", KEYS)).toEqual([]);
    const lines = text.trimEnd().split("\n");
    const without = (index: number): string => lines.filter((_, at) => at !== index).join("\n");
    for (const [of, wanted] of [
      [text.replace('"kind":"patched"', '"kind":"deleted"'), ["entry 2: changed"]],
      [without(1), ["entry 3: others are missing before it", "entry 3: changed"]],
      [without(0), ["entry 2: changed"]],
      [
        lines.filter((line) => !line.includes('"position":4,"subject"')).join("\n"),
        ["entries up to 4 are missing"],
      ],
      [
        text.replaceAll('"signature":"', '"signature":"x'),
        [expect.stringMatching(/^checkpoint \d: not signed with key/)],
      ],
    ] as const) {
      expect(faultsOf(of, "default", KEYS)).toEqual(expect.arrayContaining([...wanted]));
    }
    expect(faultsOf(text, "other", KEYS)).not.toEqual([]);
    expect(faultsOf(text, "default", {})).not.toEqual([]);

    // Two of four are too old.
    await database.query("UPDATE audit_entries SET at = '2020-01-01T00:00:00.000Z' WHERE position <= 2");
    await upkeepIn(2, 400);
    const rest = await exported();
    expect(rest).toContain('"position":3,"subject"');
    expect(rest).not.toContain('"position":2,"subject"');
    expect(faultsOf(rest, "default", KEYS)).toEqual([]);
    expect((await printed(["audit", "verify"], database.environment)).stdout).toContain(
      "stands for what was before",
    );
    const cut = rest.split("\n").filter((line) => !line.includes('"checkpoint":{"position":2'));
    expect(faultsOf(cut.join("\n"), "default", KEYS)).toEqual(["entry 3: changed"]);
    await upkeepIn(500, 400);
    const none = await exported();
    expect(none.trimEnd().split("\n")).toHaveLength(1);
    expect(faultsOf(none, "default", KEYS)).toEqual([]);
  },
);

/** What happens while a log is exported, before a reading of its entries, or of its checkpoints, counted from 1. */
interface Meanwhile {
  readonly before: "entries" | "checkpoints";
  readonly reading: number;
  readonly happens: (log: ChangingLog) => Promise<void>;
}

/** A log that grows, is signed and whose entries go. */
interface ChangingLog {
  readonly grow: (entries: number) => Promise<void>;
  readonly sign: () => Promise<void>;
  /** Entries up to a position go by retention. */
  readonly purge: (position: number) => Promise<void>;
}

/** An audit log, read in pages of two. */
function disturbed(
  audit: AuditReading,
  { before, reading, happens }: Meanwhile,
  log: ChangingLog,
): AuditReading {
  let readings = 0;
  const read = async (what: Meanwhile["before"]): Promise<void> => {
    if (what === before && (readings += 1) === reading) await happens(log);
  };
  return {
    ...audit,
    entries: async (after, limit) => {
      await read("entries");
      return audit.entries(after, Math.min(limit, 2));
    },
    checkpoints: async (from, limit) => {
      await read("checkpoints");
      return audit.checkpoints(from, limit);
    },
  };
}

/** A log of the entries 3 to 8, in the place of whose first two a checkpoint stands. */
async function changingLog(engine: Engine): Promise<ChangingLog & { readonly audit: AuditReading }> {
  const database = await engine.make();
  const server = await startInProcess(database.environment);
  const { path } = await server.user({ userName: "anna" });
  const opened = await openStore(resolveSettings({ flags: {}, environment: database.environment }).values);
  onTestFinished(() => opened.store.close());
  const { auditKeys, store } = opened;
  let [changes, days] = [1, 0];
  const upkeep = async (): Promise<void> => {
    days += 1;
    const now = (): number => Date.now() + days * DAY_MS;
    await keepUp({ ...store, auditKeys, keptFor: async () => 1000 * DAY_MS, now }, () => false);
  };
  const log: ChangingLog = {
    grow: async (entries) => {
      for (const end = changes + entries; changes < end; changes += 1)
        await server.patch(path, [{ op: "add", path: "nickName", value: `n${changes}` }]);
      await eventually(async () => expect((await store.audit.end("default"))?.position).toBe(changes));
    },
    sign: upkeep,
    purge: async (position) => {
      const old = `UPDATE audit_entries SET at = '2020-01-01T00:00:00.000Z' WHERE position <= ${position}`;
      await database.query(`${old} AND tenant = 'default'`);
      await upkeep();
    },
  };
  await log.grow(7);
  await log.purge(2);
  return { ...log, audit: auditHere(opened, "default") };
}

const GONE = /The entries behind position \d went by retention before they were read/;

const MEANWHILE: readonly (readonly [string, Meanwhile, readonly number[] | RegExp])[] = [
  [
    "an entry behind the last that is read is signed",
    { before: "checkpoints", reading: 2, happens: async ({ grow, sign }) => (await grow(1), sign()) },
    [3, 4, 5, 6, 7, 8],
  ],
  [
    "entries come",
    { before: "entries", reading: 4, happens: async ({ grow, sign }) => (await grow(1), sign()) },
    [3, 4, 5, 6, 7, 8, 9],
  ],
  [
    "entries go that are written already",
    { before: "entries", reading: 3, happens: ({ purge }) => purge(4) },
    [3, 4, 5, 6, 7, 8],
  ],
  [
    "the first entries go before they are written",
    { before: "checkpoints", reading: 1, happens: ({ purge }) => purge(4) },
    [5, 6, 7, 8],
  ],
  [
    "all entries go before they are written",
    { before: "entries", reading: 2, happens: ({ purge }) => purge(8) },
    [],
  ],
  [
    "all entries go behind the last that is read",
    { before: "entries", reading: 5, happens: ({ purge }) => purge(8) },
    [3, 4, 5, 6, 7, 8],
  ],
  ["entries go on the way", { before: "entries", reading: 3, happens: ({ purge }) => purge(6) }, GONE],
  ["the rest goes", { before: "entries", reading: 3, happens: ({ purge }) => purge(8) }, GONE],
  [
    "the rest goes and an entry comes",
    { before: "entries", reading: 3, happens: async ({ grow, purge }) => (await purge(8), grow(1)) },
    GONE,
  ],
];

describe.each(ENGINES)("while a log is exported on $name", (engine) => {
  test.each(MEANWHILE)("%s", async (_what, meanwhile, expected) => {
    const { audit, ...log } = await changingLog(engine);
    const reading = disturbed(audit, meanwhile, log);
    const exported = textOf(
      Readable.from(exportedLines({ audit: reading, since: 0, onEntries: () => undefined })),
    );
    if (expected instanceof RegExp) return expect(exported).rejects.toThrow(expected);
    const lines = await exported;
    const positions = [...lines.matchAll(/"position":(\d+),"subject"/g)].map(([, position]) =>
      Number(position),
    );
    expect(positions).toEqual(expected);
    expect(lines).toContain('{"checkpoint":');
    expect((await documented())(lines, "default", KEYS)).toEqual([]);
  });
});
