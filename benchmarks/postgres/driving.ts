/**
 * The store on PostgreSQL against bare drivers that send the same statements: `pg`, which the store is built on, and
 * `postgres`, which sends the statements of a transaction without waiting for each.
 * @module
 */
import { randomBytes } from "node:crypto";
import type { ResourceStore } from "@scim/core";
import {
  adding,
  createPlan,
  fetchOne,
  filterOf,
  indexPage,
  NOTHING,
  SCOPE,
  updatePlan,
} from "@scim/core/testing";
import { newDatabase, startPostgres } from "@scim/fixtures/postgres";
import { openPostgresStore } from "@scim/store/postgres";
import { Pool } from "pg";
import postgres from "postgres";
import type { Report } from "../report.ts";
import { addMember, type BareStatement, createUser, findByUserName, readById } from "./statements.ts";

const USERS = 5000;
const GROUPS = 32;
const CONNECTIONS = 10;
/** Clients that ask at the same time. */
const CLIENTS = 32;
const ROUNDS = 7;
const ROUND_MS = 400;
const BAR = 0.7;

/** Sends one statement, or several in a transaction. */
interface Driver {
  one(statement: BareStatement): Promise<unknown>;
  transaction(statements: readonly BareStatement[]): Promise<unknown>;
  close(): Promise<void>;
}

/** One operation of a client of a side. */
type Operation = (client: number) => Promise<unknown>;

/** Measures all of it. */
export async function measurePostgres(report: Report): Promise<void> {
  const server = await startPostgres({ durable: true });
  try {
    const url = await newDatabase(server.url);
    const store = await openPostgresStore({ url, pending: "apply", poolSize: CONNECTIONS });
    const drivers = { pg: pgDriver(url), postgres: postgresDriver(url) };
    await fill(store.resources);
    // What the bare driver is sent depends on it.
    await drivers.pg.one({ text: "ANALYZE", values: [] });
    for (const work of operations(store.resources)) {
      const [ours, pg, other] = await rates([work.ours, work.bare(drivers.pg), work.bare(drivers.postgres)]);
      const side = { name: "store", value: ours ?? 0, unit: "/s" } as const;
      report.compare(`PostgreSQL: ${work.name}`, side, { name: "pg", value: pg ?? 0, unit: "/s" }, BAR);
      report.compare(
        `PostgreSQL: ${work.name}`,
        side,
        { name: "postgres", value: other ?? 0, unit: "/s" },
        null,
      );
    }
    await Promise.all([store.close(), drivers.pg.close(), drivers.postgres.close()]);
  } finally {
    await server.stop();
  }
}

async function fill(resources: ResourceStore): Promise<void> {
  await inParallel(USERS, async (index) => resources.write(SCOPE, newUser(`user${String(index)}`)));
  await inParallel(GROUPS, async (index) =>
    resources.write(
      SCOPE,
      createPlan({ type: "Group", id: `g${String(index)}`, body: { displayName: "g" } }),
    ),
  );
}

function newUser(id: string): ReturnType<typeof createPlan> {
  return createPlan({ type: "User", id, body: { userName: id } });
}

interface Work {
  readonly name: string;
  readonly ours: Operation;
  readonly bare: (driver: Driver) => Operation;
}

function operations(resources: ResourceStore): readonly Work[] {
  const fresh = (): string => randomBytes(9).toString("hex");
  const any = (): string => `user${String(Math.floor(Math.random() * USERS))}`;
  return [
    {
      name: "GET by id",
      ours: () => resources.read(SCOPE, { type: "User", id: any() }, NOTHING),
      bare: (driver) => () => driver.one(readById(any())),
    },
    {
      name: "userName eq",
      ours: () =>
        resources.query(SCOPE, {
          type: "User",
          filter: filterOf("User", `userName eq "${any()}"`),
          sort: null,
          page: indexPage(0, 10),
          select: NOTHING,
        }),
      bare: (driver) => () => driver.one(findByUserName(any())),
    },
    {
      name: "create a User",
      ours: () => resources.write(SCOPE, newUser(fresh())),
      bare: (driver) => () => driver.transaction(createUser(fresh())),
    },
    {
      name: "add a member",
      // A client has a Group of its own, so that none waits for another's row. Reading it is part of the work.
      ours: async (client) => {
        const group = { type: "Group", id: `g${String(client % GROUPS)}` } as const;
        const plan = updatePlan(await fetchOne(resources, group), { collections: [adding(fresh())] });
        return resources.write(SCOPE, plan);
      },
      bare: (driver) => async (client) => {
        const group = `g${String(client % GROUPS)}`;
        await driver.one(readById(group));
        return driver.transaction(addMember(group, fresh(), `2-${fresh()}`));
      },
    },
  ];
}

/** Operations a second of each side: the best of rounds that take turns. */
async function rates(sides: readonly Operation[]): Promise<readonly number[]> {
  const best = sides.map(() => 0);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, operation] of sides.entries()) {
      const rate = await rateOf(operation);
      // The first round warms up.
      if (round > 0) best[index] = Math.max(best[index] ?? 0, rate);
    }
  }
  return best;
}

async function rateOf(operation: Operation): Promise<number> {
  const start = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      while (performance.now() - start < ROUND_MS) {
        await operation(client);
        count += 1;
      }
    }),
  );
  return (count * 1000) / (performance.now() - start);
}

async function inParallel(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < count) await work(next++);
    }),
  );
}

function pgDriver(url: string): Driver {
  const pool = new Pool({ connectionString: url, max: CONNECTIONS });
  return {
    one: ({ text, values }) => pool.query(text, [...values]),
    transaction: async (statements) => {
      const client = await pool.connect();
      try {
        await client.query("BEGIN");
        for (const { text, values } of statements) await client.query(text, [...values]);
        await client.query("COMMIT");
      } finally {
        client.release();
      }
    },
    close: () => pool.end(),
  };
}

function postgresDriver(url: string): Driver {
  const sql = postgres(url, { max: CONNECTIONS, prepare: false, onnotice: () => undefined });
  return {
    one: ({ text, values }) => sql.unsafe(text, [...values]),
    transaction: (statements) =>
      sql.begin((transaction) => statements.map(({ text, values }) => transaction.unsafe(text, [...values]))),
    close: () => sql.end(),
  };
}
