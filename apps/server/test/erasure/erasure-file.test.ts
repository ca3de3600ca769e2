import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import timers from "node:timers/promises";
import type { Erasure } from "@scim/events";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { noteErasure, readErasureFile, readNotedErasures } from "../../src/erasure/erasure-file.ts";
import { newFolder } from "../command-line/program.ts";

const entry = (letter: string): Erasure => ({
  tenant: "north",
  subject: letter.repeat(43),
  key: "1",
  at: "2026-03-01T08:00:00.000Z",
});
const [ANNA, BO] = [entry("a"), entry("b")];
const LINE = JSON.stringify(ANNA);

const bySubject = (one: Erasure, other: Erasure): number => (one.subject < other.subject ? -1 : 1);

describe("a list of erasures", () => {
  test.each([
    ["ends within an entry", `${LINE}\n${JSON.stringify(BO).slice(0, 70)}`, [ANNA]],
    ["ends within its first entry", LINE.slice(0, 5), []],
    ["lacks the end of its last line", LINE, [ANNA]],
    ["is empty", "", []],
  ])("that %s is read and added to", async (_what, text, read) => {
    const path = join(newFolder(), "erasures.jsonl");
    writeFileSync(path, text);
    expect(await readNotedErasures(path)).toEqual(read);
    await noteErasure(path, BO);
    expect(await readNotedErasures(path)).toEqual([...read, BO]);
    expect(readFileSync(path, "utf8").endsWith(`${JSON.stringify(BO)}\n`)).toBe(true);
  });

  test.each([
    ["something else", "a line\n"],
    ["something else without its end", "a line"],
    ["a line that is cut off before others", `${LINE.slice(0, 70)}\n${LINE}\n`],
    ["an entry with another member", `${LINE.slice(0, -1)},"x":1}`],
  ])("that holds %s is refused", async (_what, text) => {
    const path = join(newFolder(), "erasures.jsonl");
    writeFileSync(path, text);
    await expect(readNotedErasures(path)).rejects.toThrow("line 1: no entry of a list of erasures");
  });

  // Which of them looks, and which writes, between those of another differs from round to round.
  test("that ends within an entry keeps all that are added at once", async () => {
    const added = ["b", "c", "d", "e", "f", "g", "h", "i"].map(entry);
    for (let round = 0; round < 25; round += 1) {
      const path = join(newFolder(), "erasures.jsonl");
      writeFileSync(path, `${LINE}\n${JSON.stringify(BO).slice(0, 70 + round)}`);
      await Promise.all(added.map((each) => noteErasure(path, each)));
      const read = await readNotedErasures(path);
      expect(read.toSorted(bySubject)).toEqual([ANNA, ...added]);
    }
  });

  test("that ends within an entry which its writer is still adding keeps that entry", async () => {
    const path = join(newFolder(), "erasures.jsonl");
    const text = `${JSON.stringify(BO)}\n`;
    writeFileSync(path, `${LINE}\n${text.slice(0, 70)}`);
    // The writer comes to its end while the next one waits.
    const waiting = vi.spyOn(timers, "setTimeout").mockImplementationOnce((_milliseconds, value) => {
      appendFileSync(path, text.slice(70));
      return Promise.resolve(value);
    });
    syncBuiltinESMExports();
    onTestFinished(() => {
      waiting.mockRestore();
      syncBuiltinESMExports();
    });
    await noteErasure(path, entry("c"));
    expect(await readNotedErasures(path)).toEqual([ANNA, BO, entry("c")]);
  });

  test("that somebody kept is refused where it is cut off", async () => {
    const path = join(newFolder(), "kept.jsonl");
    writeFileSync(path, `${LINE}\n${LINE.slice(0, 70)}`);
    await expect(readErasureFile(path)).rejects.toThrow("line 2: no entry of a list of erasures");
  });
});
