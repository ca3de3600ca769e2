/**
 * Runs a command of administration on the database of the settings, or on a running server.
 * @module
 */
import { ADMIN_TENANT, DEFAULT_NAME, type TenancyPorts } from "@scim/tenancy";
import type { Environment } from "../command-table/arguments.ts";
import { findLost } from "../credentials/lost-tokens.ts";
import type { ExitCode } from "../failure.ts";
import { type Reader, tell } from "../output.ts";
import { counted } from "../progress/progress.ts";
import { openStore, type OpenedStore } from "../store/open-store.ts";
import type { AdminClient } from "../remote/admin-requests.ts";
import type { RemoteFlags } from "../remote/remote-flags.ts";
import type { Settings } from "../settings/table.ts";
import { settleDefaultTenant, tenancyPorts } from "./ports.ts";

/** What a command of administration was given. */
export interface AdministeringCall {
  readonly settings: Settings;
  readonly flags: ServerFlags & Reader;
  readonly environment: Environment;
  /** What changes are told with, such as `scim tenant create`. */
  readonly command: string;
}

/** The flags that name a running server. */
export interface ServerFlags extends RemoteFlags {
  readonly url?: string | undefined;
}

/** Something that is administered: on the database of the settings, or on a running server, with the same results. */
export interface Administered<Administration> {
  readonly database: (ports: TenancyPorts) => Administration;
  readonly server: (admin: AdminClient) => Administration;
}

/**
 * Administers something on the server that `--url` names, else on the database.
 * @throws TenancyError for what administration refuses
 */
export async function administer<Administration>(
  call: AdministeringCall,
  { database, server }: Administered<Administration>,
  work: (administration: Administration) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { settings, command } = call;
  return onServerOr(
    call,
    (admin) => work(server(admin)),
    () =>
      administerWith(settings, async (opened) => {
        await tellOfOtherKeys(opened, call.flags);
        return work(database(portsOfCommand(opened, command)));
      }),
  );
}

/**
 * A command that is not given the keys of the server makes what the server cannot use. It goes on: they may be lost for good.
 */
export async function tellOfOtherKeys({ store, auditKeys }: OpenedStore, reader: Reader): Promise<void> {
  for (const tenant of [DEFAULT_NAME, ADMIN_TENANT]) {
    const lost = await findLost(tenant, { tokens: store.tokens, keys: auditKeys.keys });
    if (lost === null) continue;
    const made = `${counted(lost.tokens, "token")} of tenant '${tenant}' made with keys that are not given here (${lost.keys.join(", ")})`;
    tell(
      reader,
      `notice  secret keys: ${made}. Give this command the secretKeys of the server, which can use nothing that others made.`,
    );
  }
}

/** A server may have been given documents that its commands were not. */
function portsOfCommand(opened: OpenedStore, command: string): TenancyPorts {
  const { rules } = opened;
  const moreTypes = (tenant: string): string | null =>
    tenant === DEFAULT_NAME && rules.base(tenant) === rules.shared
      ? "Where the server has a folder of documents, give this command the same by --schemas or SCIM_SCHEMAS."
      : null;
  return { ...tenancyPorts(opened, { command }), moreTypes };
}

/** Works on the server that `--url` names, else here. */
export async function onServerOr<Result>(
  { flags, environment }: Pick<AdministeringCall, "flags" | "environment">,
  remote: (admin: AdminClient) => Promise<Result>,
  here: () => Promise<Result>,
): Promise<Result> {
  const { url } = flags;
  if (url === undefined) return here();
  // Loaded on demand: work on the database needs no client.
  const { withAdminClient } = await import("../remote/admin-client.ts");
  return withAdminClient({ url, flags, environment }, remote);
}

/**
 * Opens the database for work on it.
 * @throws TenancyError for what administration refuses
 */
export async function administerWith(
  settings: Settings,
  work: (opened: OpenedStore) => Promise<ExitCode>,
): Promise<ExitCode> {
  const opened = await openStore(settings);
  try {
    await settleDefaultTenant(opened);
    return await work(opened);
  } finally {
    await opened.store.close();
  }
}
