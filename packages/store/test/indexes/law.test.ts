/**
 * Whatever processes know of the indexes that are declared, and whenever they write, no index answers wrongly.
 */
import { DatabaseSync } from "node:sqlite";
import type { JsonObject } from "@scim/schemas";
import fc from "fast-check";
import { expect, test } from "vitest";
import { newFile, open } from "../support/folders.ts";
import { type Knowledge, PATHS, Processes, type Step } from "./processes.ts";

const texts = fc.constantFrom("a", "A", "b", "");
const bodies: fc.Arbitrary<JsonObject> = fc.record(
  {
    label: texts,
    level: fc.integer({ min: 0, max: 2 }),
    owner: fc.record({ name: texts }),
    tags: fc.uniqueArray(texts, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const ids = fc.constantFrom("i1", "i2", "i3");
const paths = fc.constantFrom(...PATHS);
const knowledge = fc.constantFrom<Knowledge>("present", "past", "schema", "nothing");

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("write" as const), id: ids, body: bodies, knows: knowledge }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), id: ids }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("declare" as const), path: paths }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("drop" as const), path: paths }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("advance" as const), path: paths }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("settle" as const, "look" as const) }) },
);

test("an index that answers, answers rightly, whatever writers know while it is declared, built and dropped", async () => {
  const path = newFile();
  const store = await open(path);
  const database = new DatabaseSync(path);
  let [answers, tenants] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 10, maxLength: 40 }), async (sequence) => {
      const processes = new Processes(store, database, `tenant-${String((tenants += 1))}`);
      for (const step of sequence) {
        await processes.step(step);
        const given = processes.answers();
        answers += given.length;
        expect(given.map(({ question, found }) => [question, found])).toEqual(
          given.map(({ question, right }) => [question, right]),
        );
      }
    }),
    { numRuns: 60 },
  );
  database.close();
  expect(answers).toBeGreaterThan(500);
});
