import { DatabaseSync } from "node:sqlite";
import { listSigningKeys, publishedKeys, rotateSigningKey, type SigningKeyPorts } from "@scim/events";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import type { Store } from "../src/store.ts";
import { emptyDatabase, openPostgresAt } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";

/** A store, and what runs a statement beside it. */
type Opened = readonly [store: Store, run: (statement: string) => Promise<unknown>];

const ENGINES: readonly (readonly [string, () => Promise<Opened>])[] = [
  [
    "SQLite",
    async () => {
      const path = newFile();
      const store = await open(path);
      const database = new DatabaseSync(path);
      onTestFinished(() => database.close());
      return [store, async (statement) => database.exec(statement)];
    },
  ],
  [
    "PostgreSQL",
    async () => {
      const url = await emptyDatabase();
      const store = await openPostgresAt(url);
      const client = new pg.Client(url);
      await client.connect();
      onTestFinished(() => client.end());
      return [store, (statement) => client.query(statement)];
    },
  ],
];

test.each(ENGINES)(
  "%s: a key that the previous release gave an end is published as long as it signs",
  async (_name, openStore) => {
    const [{ signingKeys }, run] = await openStore();
    const ports: SigningKeyPorts = {
      signingKeys,
      seal: { seal: (text) => text, open: (text) => text },
      newId: () => "k1",
      now: () => Date.UTC(2026, 4, 1),
    };
    const { id, publicKey } = await rotateSigningKey(ports, 0);
    await run(`UPDATE signing_keys SET retires = '2026-04-01T00:00:00.000Z'`);
    expect(await publishedKeys(ports)).toEqual({ keys: [publicKey] });
    expect(await listSigningKeys(ports)).toMatchObject([{ id, retires: null }]);
  },
);
