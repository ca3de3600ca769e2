import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ScimError } from "@scim/schemas";
import { expect, test } from "vitest";
import { dataFolder } from "../../src/credentials/data-folder.ts";
import { noteErasure } from "../../src/erasure/erasure-file.ts";
import { writeTarget } from "../../src/export/write-target.ts";
import { type EarlierPart, openReport } from "../../src/import/report.ts";
import { newFolder } from "../command-line/program.ts";
import { watchFlushes } from "./flushed-files.ts";

const FILES: readonly (readonly [string, string, (folder: string) => unknown])[] = [
  [
    "the keys of a folder that is made for them",
    "data/deep/keys.json",
    (folder) => dataFolder(folder, "").keys(),
  ],
  [
    "credentials",
    "data/credentials",
    (folder) => dataFolder(folder, "").keepCredentials(new Map([["SCIM_TOKEN", "a"]])),
  ],
  [
    "an entry of the list of erasures",
    "data/erasures.jsonl",
    (folder) =>
      noteErasure(join(folder, "erasures.jsonl"), {
        tenant: "north",
        subject: "a".repeat(43),
        key: "1",
        at: "2026-03-01T08:00:00.000Z",
      }),
  ],
  ["the report of an import", "report.jsonl", (folder) => report(folder, { position: 0, rejected: 0 })],
  [
    "the report of an import that goes on",
    "report.jsonl",
    (folder) => {
      const lines = [1, 2].map((record) => JSON.stringify({ record, line: record, status: 400 }));
      writeFileSync(join(folder, "report.jsonl"), `${lines.join("\n")}\n`);
      openReport(join(folder, "report.jsonl"), { position: 1, rejected: 1 }).close();
    },
  ],
  [
    "an export",
    "users.jsonl",
    (folder) =>
      writeTarget(
        join(folder, "users.jsonl"),
        (async function* pieces() {
          yield "{}\n";
        })(),
      ),
  ],
];

function report(folder: string, earlier: EarlierPart): void {
  const opened = openReport(join(folder, "report.jsonl"), earlier);
  const error = new ScimError("invalidValue", "It is none.");
  opened.add({ record: 1, kind: "rejected", id: null, error }, 1);
  opened.flush();
  opened.close();
}

test.each(FILES)(
  "a loss of power takes nothing of %s that was said to be written",
  async (_what, name, write) => {
    const root = newFolder();
    const kept = await watchFlushes(root);
    const path = join(root, name);
    await write(join(path, ".."));
    const written = readFileSync(path, "utf8");
    expect(written.length).toBeGreaterThan(0);
    expect(kept(path)).toBe(written);
  },
);
