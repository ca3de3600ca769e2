import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { eraseSubject, tidyErasures } from "@scim/events";
import { SAMPLE_KEYS } from "@scim/events/testing";
import { expect, onTestFinished, test } from "vitest";
import { newFile, open } from "./support/folders.ts";

const MARK = "zqperson";
const HOUR = 3_600_000;

test("what a long read keeps in the write-ahead log behind an erasure goes as soon as it can", async () => {
  const path = newFile();
  const store = await open(path);
  const beside = new DatabaseSync(path);
  onTestFinished(() => beside.close());
  const subject = { tenant: "default", id: "anna" };
  beside.exec(`INSERT INTO tokens (tenant, id, connection, hash, key_id, scopes, subject, created)
    VALUES ('default', '${MARK}', 'default', 'h', '1', '[]', 'anna', '')`);
  const reader = new DatabaseSync(path);
  reader.exec("BEGIN; SELECT * FROM tokens");
  const now = Date.now();
  await eraseSubject(
    {
      ...SAMPLE_KEYS,
      origin: { command: "test" },
      erasures: { ...store.erasures, isKnown: async () => true },
      remove: async () => undefined,
      note: async () => undefined,
      now: () => new Date(now).toISOString(),
      newNonce: () => "n",
    },
    subject,
  );
  const files = () => `${path} ${path}-wal`.split(" ").map((file) => readFileSync(file, "latin1"));
  const isLeft = () => files().some((text) => text.includes(MARK));
  const noted = () => beside.prepare("SELECT id FROM erased_lately").all().length;
  const tidy = (at: number) =>
    tidyErasures({
      erasures: store.erasures,
      tenants: (async function* () {
        yield* ["acme", "default"];
      })(),
      now: () => at,
      isStopped: () => false,
    });
  expect([isLeft(), noted()]).toEqual([true, 1]);
  reader.close();
  await tidy(now);
  expect([isLeft(), noted()]).toEqual([false, 1]);
  await tidy(now + 2 * HOUR);
  expect(noted()).toBe(0);
});
