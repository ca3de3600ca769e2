/**
 * What resources cost in rows and bytes on each engine, and how many writes one process makes: the figures of
 * docs/scaling.md. `node benchmarks/storage/figures.ts [users]` prints them as a table.
 * @module
 */
import { createHmac, randomBytes } from "node:crypto";
import { createModelCatalog, type ScimService } from "@scim/core";
import { type AuditChain, createAuditChain } from "@scim/events";
import { createDefaultRegistry, GROUP_URN, type JsonObject, PATCH_OP_URN } from "@scim/schemas";
import { CONTEXT, serviceOver, SOURCES } from "../in-process.ts";
import { POSTGRES, SQLITE, type BenchDatabase, type Engine } from "../queries/database.ts";
import { SAMPLE_USER } from "../sample-user.ts";

const USERS = Number(process.argv[2] ?? "20000");
/** Members of each group. */
const MEMBERS = 100;
/** Requests at once. */
const CLIENTS = 64;

const PLAIN = {
  attributes: null,
  excludedAttributes: null,
  precondition: { ifMatch: null, ifNoneMatch: null },
  prefer: null,
} as const;

/** Events that are given positions at once. */
const EVENTS = 1000;

/** A step of the filling. */
interface Step {
  readonly name: string;
  /** How many of the thing there are. */
  readonly count: number;
  /** Writes that made them. */
  readonly writes: number;
  readonly run: (at: number) => Promise<unknown>;
}

/** Rows and bytes by table. */
type Sizes = ReadonlyMap<string, { readonly rows: number; readonly bytes: number }>;

for (const engine of [SQLITE, POSTGRES]) await measure(engine);

async function measure(engine: Engine): Promise<void> {
  const database = await engine.open(auditChain());
  try {
    const service = serviceOver(database.store.resources);
    let before = await sizesOf(engine, database);
    for (const step of stepsOf(service)) {
      const began = performance.now();
      await runAll(step);
      const seconds = (performance.now() - began) / 1000;
      // A server does so a moment later, beside the requests.
      while ((await database.store.events.assign(EVENTS)) > 0);
      const after = await sizesOf(engine, database);
      show(engine.name, step, { before, after, seconds });
      before = after;
    }
  } finally {
    await database.close();
  }
}

/** What makes the audit log of a server. */
function auditChain(): AuditChain {
  return createAuditChain({
    keys: [{ id: "1", secret: randomBytes(32) }],
    hmac: (secret, text) => createHmac("sha256", secret).update(text).digest("base64url"),
    digest: SOURCES.digest,
    newSecret: () => randomBytes(16).toString("base64url"),
    catalog: createModelCatalog(createDefaultRegistry()),
  });
}

function stepsOf(service: ScimService): readonly Step[] {
  const ids: string[] = [];
  const groupIds: string[] = [];
  const groups = USERS / MEMBERS;
  const change = (at: number): JsonObject => ({ op: "replace", path: "title", value: `Guide ${at}` });
  return [
    {
      name: "user",
      count: USERS,
      writes: USERS,
      run: async (at) => {
        const body = userOf(at);
        const { resource } = await service.create(CONTEXT, { ...PLAIN, type: "User", body });
        ids[at] = String(resource["id"]);
      },
    },
    {
      name: "member (in groups of 100)",
      count: groups * MEMBERS,
      writes: groups,
      run: async (at) => {
        const members = ids.slice(at * MEMBERS, (at + 1) * MEMBERS).map((value) => ({ value, type: "User" }));
        const body = { schemas: [GROUP_URN], displayName: `Group ${at}`, members };
        const { resource } = await service.create(CONTEXT, { ...PLAIN, type: "Group", body });
        groupIds[at] = String(resource["id"]);
      },
    },
    {
      name: "change of one member",
      count: USERS / 4,
      writes: USERS / 4,
      run: (at) => {
        const member = { op: "add", path: "members", value: [{ value: `new-${at}` }] };
        return patch(service, { type: "Group", id: groupIds[at % groups] ?? "" }, member);
      },
    },
    {
      name: "change of one attribute",
      count: USERS / 4,
      writes: USERS / 4,
      run: (at) => patch(service, { type: "User", id: ids[at] ?? "" }, change(at)),
    },
  ];
}

function patch(
  service: ScimService,
  target: { readonly type: string; readonly id: string },
  operation: JsonObject,
): Promise<unknown> {
  const body = { schemas: [PATCH_OP_URN], Operations: [operation] };
  return service.patch(CONTEXT, { ...PLAIN, ...target, body });
}

function userOf(at: number): JsonObject {
  const name = `user${String(at).padStart(7, "0")}`;
  return {
    ...SAMPLE_USER,
    externalId: `ext-${at}`,
    userName: `${name}@example.com`,
    displayName: `Person ${at}`,
    emails: [
      { value: `${name}@example.com`, type: "work", primary: true },
      { value: `${name}@home.example`, type: "home" },
    ],
  };
}

async function runAll({ writes, run }: Step): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < writes) await run(next++);
    }),
  );
}

async function sizesOf({ name }: Engine, { raw }: BenchDatabase): Promise<Sizes> {
  if (name === "PostgreSQL") {
    await raw.run("VACUUM ANALYZE");
    // Rows that are given a position are written anew. What stood in their place is free, and filled by what comes next: here nothing does.
    await raw.run("VACUUM FULL events");
  }
  const rows = await raw.query(
    name === "PostgreSQL"
      ? `SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
         WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`
      : `SELECT s.tbl_name AS name, sum(d.pgsize) AS bytes FROM dbstat d JOIN sqlite_schema s ON s.name = d.name
         GROUP BY s.tbl_name`,
  );
  const sizes = new Map<string, { readonly rows: number; readonly bytes: number }>();
  for (const { name: table, bytes } of rows) {
    const [counted] = await raw.query(`SELECT count(*) AS n FROM ${String(table)}`);
    sizes.set(String(table), { rows: Number(counted?.["n"]), bytes: Number(bytes) });
  }
  return sizes;
}

interface Measured {
  readonly before: Sizes;
  readonly after: Sizes;
  readonly seconds: number;
}

function show(engine: string, { name, count, writes }: Step, { before, after, seconds }: Measured): void {
  const rate = Math.round(writes / seconds);
  console.log(`\n${engine}: per ${name} (${count}), ${rate} writes/s`);
  let total = 0;
  for (const [table, { rows, bytes }] of after) {
    const was = before.get(table) ?? { rows: 0, bytes: 0 };
    const [newRows, newBytes] = [(rows - was.rows) / count, (bytes - was.bytes) / count];
    total += newBytes;
    if (newRows > 0.001 || newBytes > 1)
      console.log(
        `  ${table.padEnd(20)} ${newRows.toFixed(2).padStart(7)} rows ${newBytes.toFixed(0).padStart(7)} bytes`,
      );
  }
  console.log(`  ${"all".padEnd(20)} ${"".padStart(12)} ${total.toFixed(0).padStart(7)} bytes`);
}
