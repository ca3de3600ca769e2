/**
 * Opens the store at a start, and sees to its tokens.
 * @module
 */
import { refusesBootstrap } from "@scim/tenancy";
import type { Logger } from "pino";
import { settleDefaultTenant } from "../administration/ports.ts";
import { deletingIn, replayListed } from "../erasure/erasing.ts";
import { requireCredentials } from "../credentials/require-credentials.ts";
import { settleTokens, type TokenOrigin } from "../credentials/start-tokens.ts";
import { openStore, type OpenedStore } from "./open-store.ts";
import { operatorServices } from "../operator/operator-services.ts";
import { settleDefinitions } from "../schemas/served-definitions.ts";
import type { ServiceRegistries } from "../schemas/schema-registry.ts";
import type { Settings } from "../settings/table.ts";
import { noticeEmptyMounts } from "./mount-notices.ts";

const LOST =
  "tokens were made with secret keys that are not given, and let nobody in: give those keys too, behind the first (scim doctor tells what else needs them)";

const BEGUN_ANEW =
  "the database is new, and the file of credentials has tokens of an earlier one, which let nobody in: if a backup was to be restored, stop the server and put that in the place of the database; else take the new tokens";

/** What a start may be given beside the settings. */
export interface StartParts {
  /** Given where the process gives positions to events. */
  readonly registries?: ServiceRegistries;
  /** Waits for the store to be opened, which may wait for others. Default: nothing ends that. */
  readonly waitFor?: (opening: Promise<OpenedStore>) => Promise<OpenedStore>;
}

/** A store whose tokens are seen to. */
export interface StartedStore {
  readonly opened: OpenedStore;
  /** What became of the provisioning token. */
  readonly token: TokenOrigin;
}

/**
 * Opens the store of the settings and sees to the tokens.
 * @param log told where a database is new beside the credentials of an earlier one, where a restored backup lacked erasures, where documents break what clients know, where a token
 *   of the settings or of the administration is refused, where keys are missing that tokens were made with, and where a mount
 *   serves nobody
 * @throws CommandFailure where the database or the folder of secrets cannot be used, what is stored would be misread by the
 *   documents of the settings, or nobody could use a server that others can reach
 */
export async function startStore(
  settings: Settings,
  log: Logger,
  { registries, waitFor = (opening) => opening }: StartParts = {},
): Promise<StartedStore> {
  const opened = await waitFor(openStore(settings, registries, log));
  try {
    await settleDefaultTenant(opened);
    await settleDefinitions(opened, log);
    const again = await replayErased(settings, opened);
    if (again > 0) log.warn({ again }, "the database lacked erasures of the list: they are done again");
    const token = await settleTokens(settings, {
      ...opened,
      tokens: opened.store.tokens,
      tenants: opened.store.tenants,
      connections: opened.store.connections,
      onRefused: (variable) =>
        log.warn({ variable }, "the token that a setting gives was revoked, or has ended: give another"),
      onBegunAnew: (credentials) => log.warn({ credentials }, BEGUN_ANEW),
      onLost: (lost) => log.warn(lost, LOST),
    });
    await requireCredentials(settings, opened.store);
    if (await refusesBootstrap({ admins: opened.store.admins, now: Date.now }))
      log.info("SCIM_ADMIN_TOKEN is refused, since an owner can sign in by an issuer");
    await noticeEmptyMounts(settings, opened, log);
    return { opened, token };
  } catch (error) {
    await opened.store.close();
    throw error;
  }
}

/** Before anybody is served: a restored backup may have brought back who was erased. */
async function replayErased(settings: Settings, opened: OpenedStore): Promise<number> {
  // Made where somebody is to be deleted: most starts need no rules yet.
  const service = deletingIn((tenant) => operatorServices(settings, opened).serviceOf(tenant));
  return replayListed({ settings, opened, service }, { command: "scim serve" });
}
