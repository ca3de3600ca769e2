/**
 * Checks of the secret keys: that there are some, and that tokens were made with them.
 * @module
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "@scim/store/sqlite";
import { ADMIN_TENANT } from "@scim/tenancy";
import { dataFolder } from "../credentials/data-folder.ts";
import { CommandFailure } from "../failure.ts";
import { counted } from "../progress/progress.ts";
import type { Settings } from "../settings/table.ts";
import { type Check, fine, warning, wrong } from "./check.ts";

const NAME = "secret keys";

/** The ids of the keys of the settings, or of the data folder; null where there are none. Nothing is made. */
function keyIds({ secretKeys, databaseUrl, dataDir }: Settings): ReadonlySet<string> | null {
  if (secretKeys !== null) return new Set(secretKeys.map(({ id }) => id));
  if (databaseUrl.kind !== "sqlite") return null;
  const folder = dataFolder(dataDir, databaseUrl.path);
  if (!existsSync(join(folder.path, "keys.json"))) return null;
  return new Set(folder.keys().map(({ id }) => id));
}

/** Whether the tokens of a tenant, and those of admins, can be verified. */
export async function checkKeys(
  settings: Settings,
  { tokens }: Pick<Store, "tokens">,
  tenant: string,
): Promise<Check> {
  const all = [...(await tokens.listTokens(tenant)), ...(await tokens.listTokens(ADMIN_TENANT))];
  // Of a revoked token there is no hash, and one that was made elsewhere has that of another.
  const stored = all.filter(({ revoked, scheme }) => revoked === null && scheme === "keyed");
  let ids: ReadonlySet<string> | null;
  try {
    ids = keyIds(settings);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return wrong(NAME, error.message, "Restore keys.json from a backup.");
  }
  if (ids === null) {
    const remedy = "Give SCIM_SECRET_KEYS; on SQLite the first 'scim serve' makes keys.json.";
    return stored.length === 0
      ? warning(NAME, "there are none yet", remedy)
      : wrong(NAME, "there are none", remedy);
  }
  const lost = stored.filter(({ keyId }) => !ids.has(keyId));
  if (lost.length === 0)
    return fine(NAME, `${ids.size}; ${counted(stored.length, "token")} made with them, and none with others`);
  const missing = [...new Set(lost.map(({ keyId }) => keyId))].join(", ");
  return wrong(
    NAME,
    `${lost.length} of ${counted(stored.length, "token")} made with keys that are not given: ${missing}`,
    "Give those keys too, behind the first; or make new tokens with 'scim token create'.",
  );
}
