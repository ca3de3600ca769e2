/**
 * Profiles: named sets of switches. A connection chooses one and may flip single switches.
 * @module
 */
import { BARE_TOKEN } from "./bare-token.ts";
import { EMPTY_OPERATIONS } from "./empty-operations.ts";
import { EMPTY_SECOND_PRIMARY } from "./empty-second-primary.ts";
import { EXCESSIVE_COUNT } from "./excessive-count.ts";
import { GROUP_NAME_UNIQUE } from "./group-name-unique.ts";
import { IGNORE_READ_ONLY } from "./ignore-read-only.ts";
import { LENIENT_LITERALS } from "./lenient-literals.ts";
import { MALFORMED_REFERENCES } from "./malformed-references.ts";
import { MISSING_PATCH_SCHEMAS } from "./missing-patch-schemas.ts";
import { NESTED_REMOVE_VALUE } from "./nested-remove-value.ts";
import { NO_CONTENT_FOR_GROUP_PATCH } from "./no-content-for-group-patch.ts";
import { NON_CANONICAL_VALUES } from "./non-canonical-values.ts";
import { REFERENCE_AS_STRING } from "./reference-as-string.ts";
import { REPLACE_CREATES_ON_NO_MATCH } from "./replace-creates-on-no-match.ts";
import { REQUIRE_VERSION } from "./require-version.ts";
import { SINGLE_ELEMENT_ARRAY } from "./single-element-array.ts";
import { STRING_BOOLEANS } from "./string-booleans.ts";
import type { ConstraintSwitch, ProfileSwitch, RewriteSwitch, SwitchName } from "./switch.ts";
import { UNKNOWN_ATTRIBUTES } from "./unknown-attributes.ts";
import { UNKNOWN_PROJECTION_NAMES } from "./unknown-projection-names.ts";
import { UNQUALIFIED_EXTENSION_NAMES } from "./unqualified-extension-names.ts";
import { VALUE_PATH_COMPARISON } from "./value-path-comparison.ts";

/** Every switch, by name. */
export const SWITCHES: Readonly<Record<SwitchName, ProfileSwitch>> = {
  "bare-token": BARE_TOKEN,
  "empty-operations": EMPTY_OPERATIONS,
  "empty-second-primary": EMPTY_SECOND_PRIMARY,
  "excessive-count": EXCESSIVE_COUNT,
  "group-name-unique": GROUP_NAME_UNIQUE,
  "ignore-read-only": IGNORE_READ_ONLY,
  "lenient-literals": LENIENT_LITERALS,
  "malformed-references": MALFORMED_REFERENCES,
  "missing-patch-schemas": MISSING_PATCH_SCHEMAS,
  "nested-remove-value": NESTED_REMOVE_VALUE,
  "no-content-for-group-patch": NO_CONTENT_FOR_GROUP_PATCH,
  "non-canonical-values": NON_CANONICAL_VALUES,
  "reference-as-string": REFERENCE_AS_STRING,
  "replace-creates-on-no-match": REPLACE_CREATES_ON_NO_MATCH,
  "require-version": REQUIRE_VERSION,
  "single-element-array": SINGLE_ELEMENT_ARRAY,
  "string-booleans": STRING_BOOLEANS,
  "unknown-attributes": UNKNOWN_ATTRIBUTES,
  "unknown-projection-names": UNKNOWN_PROJECTION_NAMES,
  "unqualified-extension-names": UNQUALIFIED_EXTENSION_NAMES,
  "value-path-comparison": VALUE_PATH_COMPARISON,
};

/** A named set of switches that are on. */
export interface Profile {
  readonly name: string;
  readonly switches: ReadonlySet<SwitchName>;
  /** The rewrites that are on. */
  readonly rewrites: readonly RewriteSwitch[];
  /** The constraints that are on. */
  readonly constraints: readonly ConstraintSwitch[];
}

/**
 * Makes a profile of switches.
 *
 * @example
 * createProfile("okta-without-bare-token", [...PROFILES.okta.switches].filter((name) => name !== "bare-token"));
 */
export function createProfile(name: string, switches: Iterable<SwitchName>): Profile {
  const names = new Set(switches);
  const on = [...names].map((each) => SWITCHES[each]);
  return {
    name,
    switches: names,
    rewrites: on.filter((each) => each.kind === "rewrite"),
    constraints: on.filter((each) => each.kind === "constraint"),
  };
}

/** Names of the profiles that come with the service. */
export type ProfileName = "tolerant" | "strict" | "entra" | "okta";

const TOLERANCES = Object.values(SWITCHES)
  .filter((each) => each.kind !== "answer")
  .map((each) => each.name);

/**
 * The profiles that come with the service: `tolerant` (the default: every tolerance that a known client needs),
 * `strict` (the letter of the specification and the RFC), `entra` and `okta` (tolerant, with that client's
 * preferences in answers).
 */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  tolerant: createProfile("tolerant", TOLERANCES),
  strict: createProfile("strict", []),
  entra: createProfile("entra", [...TOLERANCES, "no-content-for-group-patch"]),
  okta: createProfile("okta", TOLERANCES),
};

/** Every uniqueness rule that a profile can have. */
export const ALL_CONSTRAINTS: readonly ConstraintSwitch[] = Object.values(SWITCHES).filter(
  (each) => each.kind === "constraint",
);
