/**
 * What the audit log costs those who write: Users created with it and without it, on databases of their own, while both
 * give events their positions as a server does. What is left to be given a position at the end of a round counts.
 * @module
 */
import { createHmac, hash, randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createModelCatalog, type ScimService } from "@scim/core";
import { createAuditChain, type AuditChain } from "@scim/events";
import { newDatabase, startPostgres } from "@scim/fixtures/postgres";
import { createDefaultRegistry } from "@scim/schemas";
import { openPostgresStore } from "@scim/store/postgres";
import { openSqliteStore, type Store } from "@scim/store/sqlite";
import { CONTEXT, serviceOver } from "../in-process.ts";
import type { Report } from "../report.ts";
import { SAMPLE_USER } from "../sample-user.ts";

/** Clients that write at the same time. */
const CLIENTS = 32;
const ROUNDS = 15;
const ROUND_MS = 500;
/** Between two looks for events without position, and how many are given one at once: as the server does. */
const LOOK_MS = 200;
const BATCH = 250;
const BAR = 0.9;

type OpenStore = (audit: AuditChain | undefined) => Promise<Store>;

/** Measures it on both engines. */
export async function measureAudit(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "scim-audit-"));
  try {
    await compare(report, "SQLite", (audit) =>
      openSqliteStore({ path: join(folder, `${audit === undefined ? "without" : "with"}.db`), audit }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
  const server = await startPostgres({ durable: true });
  try {
    await compare(report, "PostgreSQL", async (audit) =>
      openPostgresStore({ url: await newDatabase(server.url), pending: "apply", audit }),
    );
  } finally {
    await server.stop();
  }
}

/** The sides take turns, so that whatever else the machine does hits both; the middle of the rounds' ratios counts. */
async function compare(report: Report, engine: string, open: OpenStore): Promise<void> {
  const [audited, plain] = [await open(sampleChain()), await open(undefined)];
  const [withAudit, without] = [sideOf(audited), sideOf(plain)];
  const rounds: (readonly [ours: number, theirs: number])[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const pair = [await rateOf(withAudit), await rateOf(without)] as const;
    // The first round warms up.
    if (round > 0) rounds.push(pair);
  }
  await Promise.all([audited.close(), plain.close()]);
  const [ours, theirs] = middle(rounds);
  report.compare(
    `${engine}: create a User`,
    { name: "with the audit log", value: ours, unit: "/s" },
    { name: "without", value: theirs, unit: "/s" },
    BAR,
  );
}

function middle(rounds: readonly (readonly [number, number])[]): readonly [number, number] {
  const sorted = rounds.toSorted(([a, b], [c, d]) => a / b - c / d);
  return sorted[Math.floor(sorted.length / 2)] ?? [Number.NaN, Number.NaN];
}

interface WritingSide {
  readonly store: Store;
  readonly service: ScimService;
}

function sideOf(store: Store): WritingSide {
  return { store, service: serviceOver(store.resources) };
}

function sampleChain(): AuditChain {
  return createAuditChain({
    keys: [{ id: "1", secret: randomBytes(32) }],
    hmac: (secret, text) => createHmac("sha256", secret).update(text).digest("base64url"),
    digest: (text) => hash("sha256", text, "base64url"),
    newSecret: () => randomUUID(),
    catalog: createModelCatalog(createDefaultRegistry()),
  });
}

let made = 0;

/** Users a second, until the last event has its position. */
async function rateOf({ store: { events }, service }: WritingSide): Promise<number> {
  const start = performance.now();
  const isOver = (): boolean => performance.now() - start >= ROUND_MS;
  let count = 0;
  const create = async (): Promise<void> => {
    while (!isOver()) {
      made += 1;
      const name = `audit-${String(made)}`;
      await service.create(CONTEXT, {
        type: "User",
        body: { ...SAMPLE_USER, userName: name, externalId: name },
        attributes: null,
        excludedAttributes: null,
      });
      count += 1;
    }
  };
  const givePositions = async (): Promise<void> => {
    while (!isOver()) {
      while ((await events.assign(BATCH)) > 0);
      await delay(LOOK_MS);
    }
  };
  await Promise.all([givePositions(), ...Array.from({ length: CLIENTS }, create)]);
  while ((await events.assign(BATCH)) > 0);
  return (count * 1000) / (performance.now() - start);
}
