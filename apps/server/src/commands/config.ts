/**
 * `scim config`: prints the settings in effect.
 * @module
 */
import type { ExitCode } from "../failure.ts";
import { print, type Reader } from "../output.ts";
import type { ResolvedSettings } from "../settings/resolve.ts";
import { describeEffective, showEffective } from "../settings/show.ts";

/** Prints each setting with its value, unit, origin and bound; never a secret. */
export function config({ effective }: ResolvedSettings, flags: Reader): ExitCode {
  return print(flags, { settings: describeEffective(effective) }, showEffective(effective));
}
