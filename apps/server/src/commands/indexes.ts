/**
 * `scim index`: which attributes have an index, and how far each is built. Servers build what is declared, within
 * seconds, while they serve.
 * @module
 */
import { type ModelCatalog, indexableAttribute, type ResourceModel } from "@scim/core";
import { type AdminDecision, decisionOf } from "@scim/events";
import { isScimError } from "@scim/schemas";
import type { DeclaredIndex, Store } from "@scim/store/sqlite";
import pino from "pino";
import type { Call } from "../command-table/command.ts";
import { openDatabase } from "../store/database.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print, type Reader } from "../output.ts";
import { grouped } from "../progress/progress.ts";
import { loadRegistries } from "../schemas/schema-registry.ts";
import { serviceCeilings } from "../serve/service-limits.ts";
import { tenantRules } from "../schemas/tenant-rules.ts";
import { columns } from "../settings/show.ts";
import type { Settings } from "../settings/table.ts";
import { tenantFlag } from "./tenant-flag.ts";

/** The flags of `scim index`, as they were given. */
export interface IndexFlags {
  readonly tenant?: string;
  readonly type?: string;
  readonly path?: string;
  readonly json?: boolean;
}

/** The flags of `scim index add` and `drop`. */
export type OneIndexFlags = IndexFlags & Required<Pick<IndexFlags, "type" | "path">>;

/** Runs `scim index list`. */
export async function listIndexes({ settings, flags }: Call<IndexFlags>): Promise<ExitCode> {
  const { json } = flags;
  return withModels(settings, flags, (store, { tenant, models }) => list(store, { tenant, models, json }));
}

/** Runs `scim index add` and `drop`. */
export async function changeIndex({ settings, positionals, flags }: Call<OneIndexFlags>): Promise<ExitCode> {
  const change = positionals[0] === "add" ? add : drop;
  const { path, json } = flags;
  return withModels(settings, flags, (store, { tenant, models: [model] }) =>
    change(store, { tenant, model, path, json }),
  );
}

async function withModels(
  settings: Settings,
  flags: IndexFlags,
  work: (store: Store, asked: Asked) => Promise<ExitCode>,
): Promise<ExitCode> {
  const tenant = tenantFlag(flags);
  const registries = loadRegistries(settings, pino({ level: "silent" }));
  const store = await openDatabase(settings);
  try {
    const rules = tenantRules({ store, registries: () => registries, ceilings: serviceCeilings(settings) });
    const models = modelsOf(await rules.catalogOf(tenant), flags.type);
    return await work(store, { tenant, models });
  } finally {
    await store.close();
  }
}

/** What an action is about. */
interface Asked {
  readonly tenant: string;
  readonly models: Models;
}

/** One model or more: every tenant has resource types. */
type Models = readonly [ResourceModel, ...ResourceModel[]];

/** The models of the type that is named, or of all. */
function modelsOf(catalog: ModelCatalog, type: string | undefined): Models {
  const models = catalog.models().filter(({ rows }) => rows === null);
  const [first, ...others] = models.filter(({ name }) => type === undefined || name === type);
  if (first !== undefined) return [first, ...others];
  const known = models.map(({ name }) => name).join(", ");
  throw new CommandFailure(EXIT.usage, `There is no resource type '${type ?? ""}'; there are ${known}.`);
}

interface Listing extends Reader {
  readonly tenant: string;
  readonly models: readonly ResourceModel[];
}

async function list(store: Store, { tenant, models, json }: Listing): Promise<ExitCode> {
  const names = new Set(models.map(({ name }) => name));
  const declared = (await store.indexes.list(tenant)).filter(({ type }) => names.has(type));
  const known = new Set(declared.map(({ type, path }) => `${type} ${path}`));
  const fixed = models.flatMap((model) =>
    store.indexes
      .of(tenant, model.name)
      .always.filter((path) => model.indexed.some((node) => node.path === path))
      .filter((path) => !known.has(`${model.name} ${path}`))
      .map((path) => [model.name, path, "always", "ready", "-", "-"]),
  );
  const rows = [...fixed, ...declared.map(rowOf)].toSorted((a, b) => compare(a.join("\n"), b.join("\n")));
  const heads = ["type", "path", "by", "state", "since", "gone through"];
  const indexes = [
    ...fixed.map(([type, path]) => ({ type, path, origin: "always", state: "ready" })),
    ...declared,
  ];
  return print({ json }, { tenant, indexes }, columns([heads, ...rows]));
}

function rowOf({ type, path, origin, state, since, built }: DeclaredIndex): readonly string[] {
  return [type, path, origin, state, since, grouped(built)];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/** An attribute of a tenant's resource type, as it was named. */
interface Named extends Reader {
  readonly tenant: string;
  readonly model: ResourceModel;
  readonly path: string;
}

async function add(store: Store, { tenant, model, path: text, json }: Named): Promise<ExitCode> {
  const path = pathOf(model, text);
  const type = model.name;
  const named = { tenant, type, path };
  if (store.indexes.of(tenant, type).always.includes(path))
    return print({ json }, { ...named, state: "ready" }, `${type} ${path} always has an index.`);
  const before = await store.indexes.declare({ tenant, type, path }, decisionBy("add"));
  if (before === "dropping") {
    throw new CommandFailure(
      EXIT.failed,
      `The index of ${type} ${path} is being dropped; declare it again when it is gone ('scim index list').`,
    );
  }
  if (before !== null)
    return print({ json }, { ...named, state: before }, `${type} ${path} has an index already (${before}).`);
  return print(
    { json },
    { ...named, state: "declared" },
    `The index of ${type} ${path} is declared. A server builds it while it serves; 'scim index list' tells how far it is.`,
  );
}

/** What is told with an action. */
function decisionBy(action: "add" | "drop"): AdminDecision {
  return decisionOf({ actor: { command: `scim index ${action}` }, now: Date.now });
}

/** What the documents want would be declared again by the next server. */
async function drop(store: Store, { tenant, model, path: text, json }: Named): Promise<ExitCode> {
  const type = model.name;
  const declared = (await store.indexes.list(tenant)).find(
    (index) => index.type === type && index.path.toLowerCase() === text.toLowerCase(),
  );
  const path = declared?.path ?? pathOf(model, text);
  if (model.indexed.some((node) => node.path === path)) {
    throw new CommandFailure(
      EXIT.failed,
      `The resource type ${type} demands the index of ${path}: it is unique, or annotated 'indexed' in its document.`,
    );
  }
  if (declared === undefined || !(await store.indexes.drop({ tenant, type, path }, decisionBy("drop"))))
    throw new CommandFailure(EXIT.failed, `${type} ${path} has no index.`);
  const told = `The index of ${type} ${path} is not used any more, and a server removes it.`;
  return print({ json }, { tenant, type, path, state: "dropping" }, told);
}

function pathOf(model: ResourceModel, text: string): string {
  try {
    return indexableAttribute(model, text).path;
  } catch (cause) {
    if (isScimError(cause)) throw new CommandFailure(EXIT.usage, cause.message, cause);
    throw cause;
  }
}
