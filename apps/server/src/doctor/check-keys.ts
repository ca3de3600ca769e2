/**
 * Checks of the secret keys: that there are some, and that what needs them was made or sealed with them.
 * @module
 */
import type { SecretKey } from "@scim/tenancy";
import { givenKeys } from "../credentials/given-keys.ts";
import { CommandFailure } from "../failure.ts";
import { counted } from "../progress/progress.ts";
import type { Settings } from "../settings/table.ts";
import { type Check, fine, warning, wrong } from "./check.ts";
import { type KeptByKeys, type KeyedSetting, keptByKeys } from "./kept-by-keys.ts";

const NAME = "secret keys";

/**
 * Whether everything of a tenant that needs the keys is good with them, and of the administration and the service where they are looked
 * at.
 */
export async function checkKeys(settings: Settings, setting: Omit<KeyedSetting, "keys">): Promise<Check> {
  let keys: readonly SecretKey[] | null;
  try {
    keys = givenKeys(settings);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return wrong(NAME, error.message, "Restore keys.json from a backup.");
  }
  const kept = (await keptByKeys({ ...setting, keys: keys ?? [] })).filter(({ count }) => count > 0);
  if (keys === null) {
    if (kept.length === 0 && !setting.shared) return fine(NAME, madeText(kept));
    const remedy = "Give SCIM_SECRET_KEYS; on SQLite the first 'scim serve' makes keys.json.";
    return kept.length === 0
      ? warning(NAME, "there are none yet", remedy)
      : wrong(NAME, "there are none", remedy);
  }
  const lost = kept.filter((kind) => kind.lost > 0);
  if (lost.length === 0) return fine(NAME, `${keys.length}; ${madeText(kept)}`);
  const anew = lost.map((kind) => `'${kind.anew}'`).join(", ");
  return wrong(
    NAME,
    `made or sealed with keys that are not given: ${lost.map(lostText).join(", ")}`,
    `Give those keys too, behind the first; or make what needs them anew: ${anew}.`,
  );
}

function madeText(kept: readonly KeptByKeys[]): string {
  if (kept.length === 0) return "nothing is made with them yet";
  const made = kept.map(({ count, one, many }) => counted(count, one, many)).join(", ");
  return `${made} made or sealed with them, and nothing with others`;
}

function lostText({ lost, count, one, many, lostKeys }: KeptByKeys): string {
  const by = lostKeys.length === 0 ? "" : ` by key ${lostKeys.join(", ")}`;
  return `${lost} of ${counted(count, one, many)}${by}`;
}
