/**
 * `scim erase`: erases what is kept of a person, prints the list of those who were erased, and erases again whom a restored
 * backup brought back.
 * @module
 */
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { eraseSubject, type ErasureReport } from "@scim/events";
import { isScimError } from "@scim/schemas";
import { tellCommand } from "../administration/administer.ts";
import { readErasureFile } from "../erasure/erasure-file.ts";
import { deletingIn, erasingFor, replayListed, type ErasingParts } from "../erasure/erasing.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print, printEach, type Reader } from "../output.ts";
import { operatorServices } from "../operator/operator-services.ts";
import { openStore } from "../open-store.ts";
import { grouped } from "../progress/progress.ts";
import type { Settings } from "../settings/table.ts";
import { tenantFlag } from "./tenant-flag.ts";

/** The flags of `scim erase`, as they were given. */
export interface EraseFlags {
  readonly tenant?: string;
  readonly json?: boolean;
  readonly list?: boolean;
  readonly replay?: string;
}

const ORIGIN = { command: "scim erase" };
/** Entries of the list that are read at once. */
const PAGE = 500;

/** Runs `scim erase`. */
export async function eraseCommand(
  settings: Settings,
  positionals: readonly string[],
  flags: EraseFlags,
): Promise<ExitCode> {
  const run = actionOf(positionals, flags);
  const opened = await openStore(settings);
  try {
    const { serviceOf } = operatorServices(settings, opened);
    return await run({ settings, opened, service: deletingIn(serviceOf) });
  } catch (cause) {
    if (isScimError(cause)) throw new CommandFailure(EXIT.failed, cause.message, cause);
    throw cause;
  } finally {
    await opened.store.close();
  }
}

type Action = (parts: ErasingParts) => Promise<ExitCode>;

function actionOf([id, ...others]: readonly string[], flags: EraseFlags): Action {
  const tenant = tenantFlag(flags);
  const { replay: file } = flags;
  if (id !== undefined && others.length === 0 && flags.list !== true && file === undefined)
    return (parts) => erase(parts, { tenant, id, json: flags.json === true });
  if (id === undefined && flags.list === true && file === undefined) return (parts) => list(parts, tenant);
  if (id === undefined && flags.list !== true && file !== undefined)
    return (parts) => replay(parts, file, flags);
  throw new CommandFailure(
    EXIT.usage,
    "Use 'scim erase SUBJECT', 'scim erase --list' or 'scim erase --replay FILE', with --tenant NAME.",
  );
}

interface Asked {
  readonly tenant: string;
  readonly id: string;
  readonly json: boolean;
}

async function erase(parts: ErasingParts, { tenant, id, json }: Asked): Promise<ExitCode> {
  const report = await eraseSubject(erasingFor(parts, ORIGIN), { tenant, id });
  if (report === null) {
    throw new CommandFailure(
      EXIT.failed,
      `Nothing is kept of '${id}' in tenant '${tenant}'. A subject is named by the 'id' of its resource.`,
    );
  }
  await tellCommand(parts.opened.store, ORIGIN.command, `${tenant}/${id}`);
  const copies = copiesBeside(parts.settings);
  return print({ json }, { ...report, backups: copies }, told(report, copies));
}

function told(report: ErasureReport, copies: readonly string[]): string {
  const { resources, events, copies: holders, requests, tokens, secrets } = report;
  return [
    "Erased:",
    `  ${grouped(resources)} resources with all that was beside them`,
    `  ${grouped(events)} events, of which position, kind and version stay`,
    `  ${grouped(holders)} other resources, which keep the id alone`,
    `  ${grouped(requests)} entries of the request log`,
    `  ${grouped(tokens)} tokens`,
    `  ${grouped(secrets)} secrets: hashes in the audit log mean nothing any more`,
    ...(copies.length === 0 ? [] : ["Copies of the database that hold the person still; remove them:"]),
    ...copies.map((copy) => `  ${copy}`),
  ].join("\n");
}

/** Copies that an upgrade made of the database. Other backups are where nobody here knows of them. */
function copiesBeside({ databaseUrl }: Settings): readonly string[] {
  if (databaseUrl.kind !== "sqlite" || !existsSync(databaseUrl.path)) return [];
  const folder = dirname(databaseUrl.path);
  const beginning = `${basename(databaseUrl.path)}.before-`;
  return readdirSync(folder)
    .filter((name) => name.startsWith(beginning))
    .map((name) => join(folder, name));
}

async function list({ opened: { store } }: ErasingParts, tenant: string): Promise<ExitCode> {
  let after: string | undefined = "";
  while (after !== undefined) {
    const page = await store.erasures.list(tenant, after, PAGE);
    for (const erasure of page) printEach({ json: true }, erasure, "");
    after = page.at(-1)?.subject;
  }
  return EXIT.ok;
}

async function replay(parts: ErasingParts, file: string, reader: Reader): Promise<ExitCode> {
  if (!existsSync(file)) throw new CommandFailure(EXIT.failed, `There is no file ${file}.`);
  const lacking = await replayListed(parts, ORIGIN, await readErasureFile(file));
  return print(reader, { file, lacking }, `${grouped(lacking)} entries were new to the database.`);
}
