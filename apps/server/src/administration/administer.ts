/**
 * Runs a command of administration on the database of the settings.
 * @module
 */
import type { Store } from "@scim/store/sqlite";
import { actOf, TenancyError, type TenancyPorts } from "@scim/tenancy";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { openStore, type OpenedStore } from "../open-store.ts";
import type { Settings } from "../settings/table.ts";
import { instantNow } from "../sources.ts";
import { settleDefaultTenant, tenancyPorts } from "./ports.ts";

/** What a command does. */
export type Administering = (ports: TenancyPorts) => Promise<ExitCode>;

/**
 * Opens the database, and tells what is changed with the name of the command.
 * @param command such as `scim tenant create`
 * @throws CommandFailure also for what administration refuses
 */
export async function administer(
  settings: Settings,
  command: string,
  work: Administering,
): Promise<ExitCode> {
  return administerWith(settings, (opened) => work(tenancyPorts(opened, { command })));
}

/**
 * Opens the database for work on it.
 * @throws CommandFailure also for what administration refuses
 */
export async function administerWith(
  settings: Settings,
  work: (opened: OpenedStore) => Promise<ExitCode>,
): Promise<ExitCode> {
  const opened = await openStore(settings);
  try {
    await settleDefaultTenant(opened);
    return await work(opened);
  } catch (error) {
    if (!(error instanceof TenancyError)) throw error;
    throw new CommandFailure(error.code === "invalid" ? EXIT.usage : EXIT.failed, error.message, error);
  } finally {
    await opened.store.close();
  }
}

/**
 * Tells in the trail of administration what a command did that tells nothing itself.
 * @param command such as `scim webhook create`
 * @param about what it did it to, with the tenant before it: `acme/0197…`
 */
export async function tellCommand(
  { trail }: Pick<Store, "trail">,
  command: string,
  about: string,
): Promise<void> {
  const told = { type: "Command", id: about, before: null, after: { command }, revision: 1 };
  await trail.tell(actOf({ actor: { command }, now: instantNow }, told));
}
