/**
 * What a look at a resource tells of something that was to become of it.
 * @module
 */

/** `same`: it stands there. `other`: something else does. `untold`: the service does not show it, or not well enough. */
export type Finding = "same" | "other" | "untold";

/** What several findings come to. */
export function worst(findings: readonly Finding[]): Finding {
  if (findings.includes("other")) return "other";
  return findings.includes("untold") ? "untold" : "same";
}

/** What is told by the one of several places that fits best. */
export function best(findings: readonly Finding[]): Finding {
  if (findings.includes("same")) return "same";
  return findings.includes("untold") ? "untold" : "other";
}
