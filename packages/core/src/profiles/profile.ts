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
import { MISSING_SCHEMAS } from "./missing-schemas.ts";
import { NESTED_REMOVE_VALUE } from "./nested-remove-value.ts";
import { NO_CONTENT_FOR_GROUP_PATCH } from "./no-content-for-group-patch.ts";
import { NON_CANONICAL_VALUES } from "./non-canonical-values.ts";
import { OBJECT_AS_TEXT } from "./object-as-text.ts";
import { PATCH_PATH_REQUIRED } from "./patch-path-required.ts";
import { PLAIN_ANSWERS } from "./plain-answers.ts";
import { REFERENCE_AS_STRING } from "./reference-as-string.ts";
import { REPLACE_CREATES_ON_NO_MATCH } from "./replace-creates-on-no-match.ts";
import { REPLACE_WHOLE_COMPLEX } from "./replace-whole-complex.ts";
import { REQUIRE_VERSION } from "./require-version.ts";
import { SEARCH_AS_STRINGS } from "./search-as-strings.ts";
import { SINGLE_ELEMENT_ARRAY } from "./single-element-array.ts";
import { SINGULAR_VALUE_PATH } from "./singular-value-path.ts";
import { STRING_BOOLEANS } from "./string-booleans.ts";
import { STRING_NUMBERS } from "./string-numbers.ts";
import type { ConstraintSwitch, ProfileSwitch, RewriteSwitch, SwitchName } from "./switch.ts";
import { UNKNOWN_ATTRIBUTES } from "./unknown-attributes.ts";
import { UNKNOWN_INVALID_SYNTAX } from "./unknown-invalid-syntax.ts";
import { UNKNOWN_PROJECTION_NAMES } from "./unknown-projection-names.ts";
import { UNQUALIFIED_EXTENSION_NAMES } from "./unqualified-extension-names.ts";
import { VALUE_PATH_COMPARISON } from "./value-path-comparison.ts";
import { VALUE_PATH_SUB_ATTRIBUTE } from "./value-path-sub-attribute.ts";

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
  "missing-schemas": MISSING_SCHEMAS,
  "nested-remove-value": NESTED_REMOVE_VALUE,
  "no-content-for-group-patch": NO_CONTENT_FOR_GROUP_PATCH,
  "non-canonical-values": NON_CANONICAL_VALUES,
  "object-as-text": OBJECT_AS_TEXT,
  "patch-path-required": PATCH_PATH_REQUIRED,
  "plain-answers": PLAIN_ANSWERS,
  "reference-as-string": REFERENCE_AS_STRING,
  "replace-creates-on-no-match": REPLACE_CREATES_ON_NO_MATCH,
  "replace-whole-complex": REPLACE_WHOLE_COMPLEX,
  "require-version": REQUIRE_VERSION,
  "search-as-strings": SEARCH_AS_STRINGS,
  "single-element-array": SINGLE_ELEMENT_ARRAY,
  "singular-value-path": SINGULAR_VALUE_PATH,
  "string-booleans": STRING_BOOLEANS,
  "string-numbers": STRING_NUMBERS,
  "unknown-attributes": UNKNOWN_ATTRIBUTES,
  "unknown-invalid-syntax": UNKNOWN_INVALID_SYNTAX,
  "unknown-projection-names": UNKNOWN_PROJECTION_NAMES,
  "unqualified-extension-names": UNQUALIFIED_EXTENSION_NAMES,
  "value-path-comparison": VALUE_PATH_COMPARISON,
  "value-path-sub-attribute": VALUE_PATH_SUB_ATTRIBUTE,
};

/**
 * Every rewrite, in the order in which one works on what another made, whatever the order in which switches are turned on:
 * what is taken out of a list may be text still.
 */
const REWRITES: readonly RewriteSwitch[] = [
  SINGLE_ELEMENT_ARRAY,
  REFERENCE_AS_STRING,
  STRING_BOOLEANS,
  STRING_NUMBERS,
];

/** Every uniqueness rule that a profile can have. */
export const ALL_CONSTRAINTS: readonly ConstraintSwitch[] = Object.values(SWITCHES).filter(
  (each) => each.kind === "constraint",
);

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
  return {
    name,
    switches: names,
    rewrites: REWRITES.filter((each) => names.has(each.name)),
    constraints: ALL_CONSTRAINTS.filter((each) => names.has(each.name)),
  };
}

/** What a profile is for, whichever its release. */
export type ProfileFamily = "tolerant" | "strict" | "entra" | "okta" | "ietf-interop";

/** A profile as it was released, which never changes: what changes gets a new date. */
export type DatedProfileName = `${ProfileFamily}@2026-11`;

/** Names of the profiles that come with the service; without a date, the newest release is meant. */
export type ProfileName = ProfileFamily | DatedProfileName;

/** What makes the service stricter than the RFC, and is in no profile but `ietf-interop`. */
const STRICTER: readonly SwitchName[] = [
  "patch-path-required",
  "replace-whole-complex",
  "unknown-invalid-syntax",
  "value-path-sub-attribute",
];

/** What `ietf-interop` is made of: there too a greater count than the service allows is cut. */
const INTEROP: readonly SwitchName[] = [...STRICTER, "excessive-count"];

/** What a connection turns on for a client that needs it: the specification has the default refuse it. */
const ON_REQUEST: ReadonlySet<SwitchName> = new Set(["missing-schemas"]);

const TOLERANCES = Object.values(SWITCHES)
  .filter(({ kind }) => kind !== "answer")
  .map(({ name }) => name)
  .filter((name) => !STRICTER.includes(name) && !ON_REQUEST.has(name));

const RELEASES: Readonly<Record<DatedProfileName, Profile>> = {
  "tolerant@2026-11": createProfile("tolerant@2026-11", TOLERANCES),
  "strict@2026-11": createProfile("strict@2026-11", []),
  "entra@2026-11": createProfile("entra@2026-11", [...TOLERANCES, "no-content-for-group-patch"]),
  "okta@2026-11": createProfile("okta@2026-11", TOLERANCES),
  "ietf-interop@2026-11": createProfile("ietf-interop@2026-11", INTEROP),
};

/**
 * The profiles that come with the service: `tolerant` (the default: every tolerance that a known client needs),
 * `strict` (the letter of the specification and the RFC), `entra` and `okta` (tolerant, with that client's
 * preferences in answers), `ietf-interop` (what draft-zollner-scim-interop-profile-01 demands of a service provider).
 * A name with a date always means the same; one without means the newest release.
 */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  tolerant: RELEASES["tolerant@2026-11"],
  strict: RELEASES["strict@2026-11"],
  entra: RELEASES["entra@2026-11"],
  okta: RELEASES["okta@2026-11"],
  "ietf-interop": RELEASES["ietf-interop@2026-11"],
  ...RELEASES,
};

/** Whether a profile demands of clients all that draft-zollner-scim-interop-profile-01 has a service refuse. */
export function isInteropConformant({ switches }: Profile): boolean {
  return INTEROP.every((name) => switches.has(name)) && !switches.has("unknown-attributes");
}
