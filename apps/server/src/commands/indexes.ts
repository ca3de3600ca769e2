/**
 * `scim index`: which attributes have an index, and how far each is built. Servers build what is declared, within
 * seconds, while they serve.
 * @module
 */
import pino from "pino";
import { requireKnownTenant, requireServedTenant } from "../administration/known-tenant.ts";
import { onServerOr, type ServerFlags } from "../administration/administer.ts";
import { type IndexAdministration, indexesAtServer, indexesHere } from "../administration/indexes.ts";
import type { Call } from "../command-table/command.ts";
import type { ExitCode } from "../failure.ts";
import { cell, print } from "../output.ts";
import { grouped } from "../progress/progress.ts";
import { loadRegistries } from "../schemas/schema-registry.ts";
import { requireDefinitions } from "../schemas/served-definitions.ts";
import { tenantRules } from "../schemas/tenant-rules.ts";
import { serviceCeilings } from "../serve/service-limits.ts";
import { columns } from "../columns.ts";
import { openDatabase } from "../store/database.ts";
import { DEFAULT_TENANT } from "../settings/table.ts";
import { tenantFlag } from "./tenant-flag.ts";

/** The flags of `scim index`, as they were given. */
export interface IndexFlags extends ServerFlags {
  readonly tenant?: string;
  readonly type?: string;
  readonly path?: string;
  readonly json?: boolean;
}

/** The flags of `scim index add` and `drop`. */
export type OneIndexFlags = IndexFlags & Required<Pick<IndexFlags, "type" | "path">>;

const HEADS = ["type", "path", "by", "state", "since", "gone through"];

/** Runs `scim index list`. */
export async function listIndexes(call: Call<IndexFlags>): Promise<ExitCode> {
  const { flags } = call;
  return withIndexes(call, "list", async (indexes) => {
    const found = await indexes.list(flags.type);
    const rows = found.map(({ type, path, origin, state, since, built }) => [
      ...[type, path, origin, state, since].map((each) => cell(each)),
      typeof built === "number" ? grouped(built) : "-",
    ]);
    return print(flags, { tenant: tenantFlag(flags), indexes: found }, columns([HEADS, ...rows]));
  });
}

/** Runs `scim index add`. */
export async function addIndex(call: Call<OneIndexFlags>): Promise<ExitCode> {
  const { flags } = call;
  return withIndexes(call, "add", async (indexes) => {
    const made = await indexes.add(flags.type, flags.path);
    const name = `${cell(made["type"])} ${cell(made["path"])}`;
    const told =
      made["added"] === true
        ? `The index of ${name} is declared. A server builds it while it serves; 'scim index list' tells how far it is.`
        : `${name} has an index already (${cell(made["state"])}).`;
    return print(flags, made, told);
  });
}

/** Runs `scim index drop`. */
export async function dropIndex(call: Call<OneIndexFlags>): Promise<ExitCode> {
  const { flags } = call;
  return withIndexes(call, "drop", async (indexes) => {
    const dropped = await indexes.drop(flags.type, flags.path);
    const name = `${cell(dropped["type"])} ${cell(dropped["path"])}`;
    return print(flags, dropped, `The index of ${name} is not used any more, and a server removes it.`);
  });
}

async function withIndexes(
  call: Call<IndexFlags>,
  action: string,
  work: (indexes: IndexAdministration) => Promise<ExitCode>,
): Promise<ExitCode> {
  const tenant = tenantFlag(call.flags);
  return onServerOr(
    call,
    (admin) => work(indexesAtServer(admin, tenant)),
    () => onDatabase(call, action, work),
  );
}

async function onDatabase(
  { settings, flags }: Call<IndexFlags>,
  action: string,
  work: (indexes: IndexAdministration) => Promise<ExitCode>,
): Promise<ExitCode> {
  const tenant = tenantFlag(flags);
  const registries = loadRegistries(settings, pino({ level: "silent" }));
  const store = await openDatabase(settings);
  try {
    const requireThere = action === "add" ? requireServedTenant : requireKnownTenant;
    await requireThere(store, tenant);
    const rules = tenantRules({ store, registries: () => registries, ceilings: serviceCeilings(settings) });
    if (tenant === DEFAULT_TENANT) await requireDefinitions({ store, rules });
    const catalog = await rules.catalogOf(tenant);
    const { indexes } = store;
    return await work(indexesHere({ indexes, tenant, catalog, actor: { command: `scim index ${action}` } }));
  } finally {
    await store.close();
  }
}
