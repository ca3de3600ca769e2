/**
 * `scim index`: which attributes have an index, and how far each is built. Servers build what is declared, within
 * seconds, while they serve.
 * @module
 */
import { createModelCatalog, indexableAttribute, type ResourceModel } from "@scim/core";
import { isTenantName } from "@scim/tenancy";
import { isScimError } from "@scim/schemas";
import type { DeclaredIndex, Store } from "@scim/store/sqlite";
import pino from "pino";
import { tellCommand } from "../administration/administer.ts";
import { openDatabase } from "../database.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { grouped } from "../progress/progress.ts";
import { loadRegistry } from "../schema-registry.ts";
import { columns } from "../settings/show.ts";
import { DEFAULT_TENANT, type Settings } from "../settings/table.ts";

/** The flags of `scim index`, as they were given. */
export interface IndexFlags {
  readonly tenant?: string;
  readonly type?: string;
  readonly path?: string;
}

/** Runs `scim index <action>`. */
export async function indexCommand(
  settings: Settings,
  [action, ...others]: readonly string[],
  flags: IndexFlags,
): Promise<ExitCode> {
  const run = others.length > 0 ? null : actionOf(action, settings, flags);
  if (run === null) {
    throw new CommandFailure(
      EXIT.usage,
      "Use 'scim index list', or 'scim index add' or 'scim index drop' with --type NAME --path PATH.",
    );
  }
  const store = await openDatabase(settings);
  try {
    const code = await run(store);
    const { tenant = DEFAULT_TENANT, type = "", path = "" } = flags;
    if (action !== "list") await tellCommand(store, `scim index ${action}`, `${tenant}/${type}/${path}`);
    return code;
  } finally {
    await store.close();
  }
}

type Action = (store: Store) => Promise<ExitCode>;

function actionOf(action: string | undefined, settings: Settings, flags: IndexFlags): Action | null {
  const tenant = flags.tenant ?? DEFAULT_TENANT;
  if (!isTenantName(tenant)) throw new CommandFailure(EXIT.usage, `'${tenant}' is no name of a tenant.`);
  const models = modelsOf(settings, flags.type);
  const { path } = flags;
  const [model] = models;
  if (action === "list" && path === undefined) return (store) => list(store, tenant, models);
  if (model === undefined || flags.type === undefined || path === undefined) return null;
  if (action === "add") return (store) => add(store, { tenant, model, path });
  return action === "drop" ? (store) => drop(store, { tenant, model, path }) : null;
}

/** The models of the type that is named, or of all. */
function modelsOf(settings: Settings, type: string | undefined): readonly ResourceModel[] {
  const catalog = createModelCatalog(loadRegistry(settings, pino({ level: "silent" })));
  const models = catalog.models().filter(({ rows }) => rows === null);
  if (type === undefined) return models;
  const named = models.filter(({ name }) => name === type);
  if (named.length > 0) return named;
  const known = models.map(({ name }) => name).join(", ");
  throw new CommandFailure(EXIT.usage, `There is no resource type '${type}'; there are ${known}.`);
}

async function list(store: Store, tenant: string, models: readonly ResourceModel[]): Promise<ExitCode> {
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
  process.stdout.write(`${columns([["type", "path", "by", "state", "since", "gone through"], ...rows])}\n`);
  return EXIT.ok;
}

function rowOf({ type, path, origin, state, since, built }: DeclaredIndex): readonly string[] {
  return [type, path, origin, state, since, grouped(built)];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/** An attribute of a tenant's resource type, as it was named. */
interface Named {
  readonly tenant: string;
  readonly model: ResourceModel;
  readonly path: string;
}

async function add(store: Store, { tenant, model, path: text }: Named): Promise<ExitCode> {
  const path = pathOf(model, text);
  const type = model.name;
  if (store.indexes.of(tenant, type).always.includes(path))
    return tell(`${type} ${path} always has an index.`);
  const before = await store.indexes.declare({ tenant, type, path });
  if (before === "dropping") {
    throw new CommandFailure(
      EXIT.failed,
      `The index of ${type} ${path} is being dropped; declare it again when it is gone ('scim index list').`,
    );
  }
  if (before !== null) return tell(`${type} ${path} has an index already (${before}).`);
  return tell(
    `The index of ${type} ${path} is declared. A server builds it while it serves; 'scim index list' tells how far it is.`,
  );
}

/** What the documents want would be declared again by the next server. */
async function drop(store: Store, { tenant, model, path: text }: Named): Promise<ExitCode> {
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
  if (declared === undefined || !(await store.indexes.drop({ tenant, type, path })))
    throw new CommandFailure(EXIT.failed, `${type} ${path} has no index.`);
  return tell(`The index of ${type} ${path} is not used any more, and a server removes it.`);
}

function tell(line: string): ExitCode {
  process.stdout.write(`${line}\n`);
  return EXIT.ok;
}

function pathOf(model: ResourceModel, text: string): string {
  try {
    return indexableAttribute(model, text).path;
  } catch (cause) {
    if (isScimError(cause)) throw new CommandFailure(EXIT.usage, cause.message, cause);
    throw cause;
  }
}
