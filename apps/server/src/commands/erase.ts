/**
 * `scim erase`: erases what is kept of a person, prints the list of those who were erased, and erases again whom a restored
 * backup brought back.
 * @module
 */
import { existsSync } from "node:fs";
import { eraseSubject, type ErasureReport, type Subject } from "@scim/events";
import { isScimError } from "@scim/schemas";
import { onServerOr, type ServerFlags, toldAtBothEnds } from "../administration/administer.ts";
import type { Call } from "../command-table/command.ts";
import { copiesBeside } from "../erasure/copies-beside.ts";
import { readErasureFile } from "../erasure/erasure-file.ts";
import { deletingIn, erasingFor, replayListed, type ErasingParts } from "../erasure/erasing.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print, printEach, type Reader } from "../output.ts";
import { operatorServices } from "../operator/operator-services.ts";
import { openStore } from "../store/open-store.ts";
import { at, typedOf } from "../remote/admin-requests.ts";
import { grouped } from "../progress/progress.ts";
import type { Settings } from "../settings/table.ts";
import { tenantFlag } from "./tenant-flag.ts";

/** The flags of `scim erase`, as they were given. */
export interface EraseFlags extends ServerFlags {
  readonly tenant?: string;
  readonly json?: boolean;
  readonly list?: boolean;
  readonly replay?: string;
}

const ORIGIN = { command: "scim erase" };
/** Entries of the list that are read at once. */
const PAGE = 500;

/** Runs `scim erase`. */
export async function eraseCommand(call: Call<EraseFlags>): Promise<ExitCode> {
  const { settings, flags } = call;
  const wanted = wantedOf(call.positionals, flags);
  if (wanted.kind === "erase") {
    const { tenant, id } = wanted;
    return onServerOr(
      call,
      async (admin) => {
        const path = at`/tenants/${tenant}/subjects/${id}`;
        const body = await admin.send({ method: "DELETE", path, timeout: ERASURE_MS });
        return tellErased(typedOf<Erased>(body, ERASED), flags);
      },
      () => onDatabase(settings, async (parts) => tellErased(await erase(parts, { tenant, id }), flags)),
    );
  }
  if (flags.url !== undefined)
    throw new CommandFailure(EXIT.usage, "--list and --replay go with the database alone: leave --url out.");
  return onDatabase(settings, (parts) =>
    wanted.kind === "list" ? list(parts, wanted.tenant) : replay(parts, wanted.file, flags),
  );
}

/** Milliseconds that an erasure may take (ten minutes). */
const ERASURE_MS = 600_000;
const ERASED = [
  "tenant",
  "at",
  "resources",
  "events",
  "copies",
  "requests",
  "tokens",
  "secrets",
  "backups",
] as const;

/** What was erased, and the copies of the database that hold the person still. */
interface Erased extends ErasureReport {
  readonly backups: readonly string[];
}

async function onDatabase(
  settings: Settings,
  work: (parts: ErasingParts) => Promise<ExitCode>,
): Promise<ExitCode> {
  const opened = await openStore(settings);
  try {
    const { serviceOf } = operatorServices(settings, opened);
    return await work({ settings, opened, service: deletingIn(serviceOf) });
  } catch (cause) {
    if (isScimError(cause)) throw new CommandFailure(EXIT.failed, cause.message, cause);
    throw cause;
  } finally {
    await opened.store.close();
  }
}

type Wanted =
  | { readonly kind: "erase"; readonly tenant: string; readonly id: string }
  | { readonly kind: "list"; readonly tenant: string }
  | { readonly kind: "replay"; readonly file: string };

function wantedOf([id, ...others]: readonly string[], flags: EraseFlags): Wanted {
  const tenant = tenantFlag(flags);
  const { replay: file } = flags;
  if (id !== undefined && others.length === 0 && flags.list !== true && file === undefined)
    return { kind: "erase", tenant, id };
  if (id === undefined && flags.list === true && file === undefined) return { kind: "list", tenant };
  if (id === undefined && flags.list !== true && file !== undefined) return { kind: "replay", file };
  throw new CommandFailure(
    EXIT.usage,
    "Use 'scim erase SUBJECT', 'scim erase --list' or 'scim erase --replay FILE', with --tenant NAME.",
  );
}

async function erase(parts: ErasingParts, subject: Subject): Promise<Erased> {
  const { tenant, id } = subject;
  const about = { command: ORIGIN.command, about: `${tenant}/${id}` };
  const report = await toldAtBothEnds(parts.opened.store, about, async () => {
    const done = await eraseSubject(erasingFor(parts, ORIGIN), subject);
    if (done !== null) return done;
    throw new CommandFailure(
      EXIT.failed,
      `Nothing is kept of '${id}' in tenant '${tenant}'. A subject is named by the 'id' of its resource.`,
    );
  });
  return { ...report, backups: copiesBeside(parts.settings) };
}

function tellErased(erased: Erased, flags: EraseFlags): ExitCode {
  return print(flags, erased, told(erased));
}

function told(erased: Erased): string {
  const { resources, events, copies: holders, requests, tokens, secrets, backups } = erased;
  return [
    "Erased:",
    `  ${grouped(resources)} resources with all that was beside them`,
    `  ${grouped(events)} events, of which position, kind and version stay`,
    `  ${grouped(holders)} other resources, which keep the id alone`,
    `  ${grouped(requests)} entries of the request log`,
    `  ${grouped(tokens)} tokens`,
    `  ${grouped(secrets)} secrets: hashes in the audit log mean nothing any more`,
    ...(backups.length === 0 ? [] : ["Copies of the database that hold the person still; remove them:"]),
    ...backups.map((copy) => `  ${copy}`),
  ].join("\n");
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
  const listed = await readErasureFile(file);
  const about = { command: `${ORIGIN.command} --replay`, about: file };
  const lacking = await toldAtBothEnds(parts.opened.store, about, () => replayListed(parts, ORIGIN, listed));
  return print(reader, { file, lacking }, `${grouped(lacking)} entries were new to the database.`);
}
