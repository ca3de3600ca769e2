/**
 * What is derived from resources, as `scim doctor --derived` sees it.
 * @module
 */
import type { DerivedReport } from "../../src/doctor/check-derived.ts";
import { printed } from "../command-line/printed.ts";

/** Examines the tenant `default` in the process of the test. */
export async function examineDerived(
  environment: Readonly<Record<string, string>>,
): Promise<Pick<DerivedReport, "compared" | "first">> {
  const { stdout } = await printed(["doctor", "--derived", "--tenant", "default", "--json"], environment);
  // The command wrote it.
  const { derived } = JSON.parse(stdout) as { readonly derived: DerivedReport };
  return { compared: derived.compared, first: derived.first };
}
