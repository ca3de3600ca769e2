/**
 * `scim erase`: erases what is kept of a person, prints the list of those who were erased, and erases again whom a restored
 * backup brought back.
 * @module
 */
import { existsSync } from "node:fs";
import type { Subject } from "@scim/events";
import { administerWith, onServerOr, type ServerFlags } from "../administration/administer.ts";
import {
  type Erased,
  type ErasureAdministration,
  erasuresAtServer,
  erasuresHere,
} from "../administration/erasures.ts";
import type { Call } from "../command-table/command.ts";
import { readErasureFile } from "../erasure/erasure-file.ts";
import { deletingIn } from "../erasure/erasing.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print, printEach, tell } from "../output.ts";
import { operatorServices } from "../operator/operator-services.ts";
import { counted } from "../progress/progress.ts";
import type { Settings } from "../settings/table.ts";
import { tenantFlag } from "./tenant-flag.ts";

/** The flags of `scim erase`, as they were given. */
export interface EraseFlags extends ServerFlags {
  readonly tenant?: string;
  readonly type?: string;
  readonly json?: boolean;
  readonly list?: boolean;
  readonly replay?: string;
}

/** Runs `scim erase`. */
export async function eraseCommand(call: Call<EraseFlags>): Promise<ExitCode> {
  const { settings, flags } = call;
  const wanted = wantedOf(call.positionals, flags);
  return onServerOr(
    call,
    (admin) => carryOut(erasuresAtServer(admin), wanted, flags),
    () => onDatabase(settings, (erasures) => carryOut(erasures, wanted, flags)),
  );
}

async function onDatabase(
  settings: Settings,
  work: (erasures: ErasureAdministration) => Promise<ExitCode>,
): Promise<ExitCode> {
  return administerWith(settings, async (opened) => {
    const { serviceOf } = operatorServices(settings, opened);
    return work(erasuresHere({ settings, opened, service: deletingIn(serviceOf) }));
  });
}

type Wanted =
  | ({ readonly kind: "erase" } & Subject)
  | { readonly kind: "list"; readonly tenant: string }
  | { readonly kind: "replay"; readonly file: string };

function wantedOf([id, ...others]: readonly string[], flags: EraseFlags): Wanted {
  const tenant = tenantFlag(flags);
  const { replay: file, type } = flags;
  if (id !== undefined && others.length === 0 && flags.list !== true && file === undefined)
    return { kind: "erase", tenant, id, type };
  const isOfAll = id === undefined && type === undefined;
  if (isOfAll && flags.list === true && file === undefined) return { kind: "list", tenant };
  const isOfNone = isOfAll && flags.list !== true && flags.tenant === undefined;
  if (isOfNone && file !== undefined) return { kind: "replay", file };
  throw new CommandFailure(
    EXIT.usage,
    "Use 'scim erase SUBJECT [--type NAME]' or 'scim erase --list', with --tenant NAME; or 'scim erase --replay FILE', which is of all tenants.",
  );
}

async function carryOut(
  erasures: ErasureAdministration,
  wanted: Wanted,
  flags: EraseFlags,
): Promise<ExitCode> {
  switch (wanted.kind) {
    case "erase": {
      const erased = await erasures.erase(wanted);
      return print(flags, erased, told(erased));
    }
    case "list":
      for (const erasure of await erasures.list(wanted.tenant)) printEach({ json: true }, erasure, "");
      return EXIT.ok;
    case "replay": {
      const { file } = wanted;
      if (!existsSync(file)) throw new CommandFailure(EXIT.failed, `There is no file ${file}.`);
      const replayed = await erasures.replay(await readErasureFile(file), file);
      const { lacking, missingTenants = [] } = replayed;
      for (const tenant of missingTenants)
        tell(flags, `Nothing was erased of tenant '${tenant}', which the server does not have.`);
      return print(
        flags,
        { file, ...replayed },
        `${counted(lacking, "entry was", "entries were")} new to the database.`,
      );
    }
  }
}

function told(erased: Erased): string {
  const { resources, events, copies: holders, requests, tokens, secrets, backups } = erased;
  return [
    "Erased:",
    `  ${counted(resources, "resource")} with all that was beside`,
    `  ${counted(events, "event")}, of which position, kind and version stay`,
    `  ${counted(holders, "other resource that keeps", "other resources that keep")} the id alone`,
    `  ${counted(requests, "entry", "entries")} of the request log`,
    `  ${counted(tokens, "token")}`,
    `  ${counted(secrets, "secret")}: hashes in the audit log mean nothing any more`,
    ...(backups.length === 0 ? [] : ["Copies of the database that hold the person still; remove them:"]),
    ...backups.map((copy) => `  ${copy}`),
  ].join("\n");
}
