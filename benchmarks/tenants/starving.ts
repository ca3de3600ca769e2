/**
 * Whether one tenant can starve another: how long the requests of a tenant take while another goes through all of its
 * users as hard as it can, and writes, against the same requests alone.
 * @module
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newDatabase, startPostgres } from "@scim/fixtures/postgres";
import { openPostgresStore } from "@scim/store/postgres";
import { openSqliteStore, type Store } from "@scim/store/sqlite";
import { atRest } from "../http/at-rest.ts";
import { startOurs, type Target } from "../http/start.ts";
import { p99, readFor } from "../http/timed-reads.ts";
import type { Report } from "../report.ts";
import { fillTenant, idOf } from "../scan/users.ts";
import { startPressing } from "./pressing.ts";
import type { Pressure } from "./pressure.ts";
import { addTenant } from "./add-tenant.ts";

/** Users of the tenant that scans, where the environment names no other number: `SCIM_BENCH_USERS=1000000` for a long run. */
const DEFAULT_USERS = 20_000;
/** Users of the tenant that is measured. */
const OTHER_USERS = 1000;
const OTHER = "other";
const CONNECTIONS = 4;
const ROUNDS = 2;
const SECONDS = 1.5;
const WARM_UP_SECONDS = 1;
const MOST_TIMES = 3;

/** Measures it on both engines. */
export async function measureTenants(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "scim-tenants-"));
  try {
    const path = join(folder, "scim.db");
    await fill(await openSqliteStore({ path }));
    await measureOn(report, "SQLite", `sqlite:${path}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const server = await startPostgres({ durable: true });
  try {
    const url = await newDatabase(server.url);
    await fill(await openPostgresStore({ url, pending: "apply" }));
    await measureOn(report, "PostgreSQL", url);
  } finally {
    await server.stop();
  }
}

function usersThatAreScanned(): number {
  return Number(process.env["SCIM_BENCH_USERS"] ?? DEFAULT_USERS);
}

async function fill(store: Store): Promise<void> {
  const users = usersThatAreScanned();
  await fillTenant(store, { tenant: "default", users });
  await fillTenant(store, { tenant: OTHER, users: OTHER_USERS });
  await store.close();
}

async function measureOn(report: Report, engine: string, address: string): Promise<void> {
  const admin = `scim_admin_${randomBytes(32).toString("base64url")}`;
  const scanning = await startOurs({
    SCIM_DATABASE_URL: address,
    SCIM_SECRET_KEYS: `1:${randomBytes(32).toString("base64url")}`,
    SCIM_ADMIN_TOKEN: admin,
    SCIM_LOG_LEVEL: "warn",
  });
  try {
    const other = await addTenant(scanning, admin, OTHER);
    await atRest(scanning);
    await measureReads(report, engine, { scanning, other });
  } finally {
    await scanning.stop();
  }
}

/** The same server as two tenants reach it. */
interface Sides {
  readonly scanning: Target;
  readonly other: Target;
}

/** What the tenant asks for that is measured. */
const WORKS: readonly { readonly name: string; readonly path: () => string }[] = [
  { name: "GET by id", path: () => `/Users/${idOf(anyOfThem())}` },
  {
    name: "userName eq",
    path: () => `/Users?filter=${encodeURIComponent(`userName eq "user-${String(anyOfThem())}"`)}`,
  },
];

function anyOfThem(): number {
  return Math.floor(Math.random() * OTHER_USERS);
}

async function measureReads(report: Report, engine: string, { scanning, other }: Sides): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const times = (path: () => string, seconds: number): Promise<readonly number[]> =>
    readFor(
      { target: other, agent, connections: CONNECTIONS },
      { path, until: performance.now() + seconds * 1000 },
    );
  for (const { name, path } of WORKS) {
    await times(path, WARM_UP_SECONDS);
    const [alone, beside, pressures]: [number[], number[], Pressure[]] = [[], [], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(...(await times(path, SECONDS)));
      const pressure = startPressing(scanning);
      await pressure.begun;
      beside.push(...(await times(path, SECONDS)));
      pressures.push(await pressure.stop());
    }
    const figure = (work: string, value: number, unit = "ms", most: number | null = null): void =>
      report.figure({ work: `${engine}: ${work}`, value, unit, most });
    const sum = (of: keyof Pressure): number => pressures.reduce((total, each) => total + each[of], 0);
    figure(`p99 of ${name} of a tenant, alone`, p99(alone));
    figure(`p99 of ${name} while another scans and writes`, p99(beside));
    figure("  against its p99 alone", p99(beside) / p99(alone), "×", MOST_TIMES);
    const shown = usersThatAreScanned().toLocaleString("en");
    figure(`  the other meanwhile: scans of ${shown} users`, sum("scans"), "answers");
    figure("  the other meanwhile: refused scans", sum("refused"), "answers");
    figure("  the other meanwhile: writes", sum("writes"), "answers");
  }
  agent.destroy();
}
