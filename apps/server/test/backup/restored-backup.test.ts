import { describe, expect, test } from "vitest";
import { ENGINES } from "../over-http/engines.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { expectLostEnd, writeHistory, writeLost } from "./lost-end.ts";

describe.each(ENGINES)("$name: a history that ends early", ({ make }) => {
  test.each(["the same writes", "other writes"])(
    "R7644-3.14-09 a restored backup refuses every tag handed out behind its end with 412, after %s too",
    async (writes) => {
      const database = await make();
      const before = await startInProcess(database.environment);
      const known = await writeHistory(before);
      await before.stop();
      const backup = await database.copy();

      const after = await startInProcess(database.environment);
      const lost = await writeLost(after, known);
      await after.stop();

      const restored = await startInProcess(backup.environment);
      const word = writes === "the same writes" ? "after" : "other";
      const made = await expectLostEnd(restored, { known, lost }, (each) => `${word}-${each}`);
      expect(made.filter((tag) => [...lost.values()].flat().includes(tag))).toEqual([]);
    },
  );
});
