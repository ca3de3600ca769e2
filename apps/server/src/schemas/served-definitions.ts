/**
 * Whether what is stored may be served by the documents of the settings. They are those of the tenant `default` alone;
 * what other tenants have of their own is guarded where it is changed.
 * @module
 */
import { checkServed, DEFAULT_NAME, type ServedPorts, settleServed, TenancyError } from "@scim/tenancy";
import type { Logger } from "pino";
import { CommandFailure, EXIT } from "../failure.ts";
import type { OpenedStore } from "../store/open-store.ts";

/** What definitions are compared over. */
type Served = Pick<OpenedStore, "rules"> & { readonly store: Pick<OpenedStore["store"], "documents"> };

/**
 * Compares the documents with those of the last start, and records them, before anybody is served.
 * @param log told what clients lose that stored resources have
 * @throws CommandFailure where stored values would be misread
 */
export async function settleDefinitions(served: Served, log: Logger): Promise<void> {
  const broken = await orFailure(() => settleServed(portsOf(served), DEFAULT_NAME), "");
  for (const { name, reasons } of broken)
    log.warn({ tenant: DEFAULT_NAME, type: name, reasons }, "the documents break what clients know");
}

/**
 * Compares the documents that a command has with those that the server was started with.
 * @throws CommandFailure where stored values would be misread, or lost
 */
export async function requireDefinitions(served: Served): Promise<void> {
  await orFailure(
    () => checkServed(portsOf(served), DEFAULT_NAME),
    " A command is given the folder of the server by --schemas or SCIM_SCHEMAS.",
  );
}

function portsOf({ store, rules }: Served): ServedPorts {
  return { documents: store.documents, builtIn: rules.shared, base: rules.base(DEFAULT_NAME) };
}

async function orFailure<Result>(compare: () => Promise<Result>, more: string): Promise<Result> {
  try {
    return await compare();
  } catch (error) {
    if (!(error instanceof TenancyError)) throw error;
    throw new CommandFailure(EXIT.failed, `${error.message}${more}`, error);
  }
}
