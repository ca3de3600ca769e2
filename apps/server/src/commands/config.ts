/**
 * `scim config`: prints the settings in effect.
 * @module
 */
import { EXIT, type ExitCode } from "../failure.ts";
import type { ResolvedSettings } from "../settings/resolve.ts";
import { showEffective } from "../settings/show.ts";

/** Prints each setting with its value, unit, bound and origin; never a secret. */
export function config(settings: ResolvedSettings): ExitCode {
  process.stdout.write(`${showEffective(settings.effective)}\n`);
  return EXIT.ok;
}
