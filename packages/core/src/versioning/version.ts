/**
 * Raw versions and how they are compared (RFC 7644 §3.14; RFC 9110 §13).
 *
 * The store gives each write a version. Where a representation holds derived values (`User.groups`), its
 * version is `<write>~<digest>`: If-None-Match compares the whole, so that no 304 hides a lost membership;
 * If-Match compares the write alone, since a group push must not fail a client's update of the user.
 * @module
 */
import { ScimError } from "@scim/schemas";
import { NO_VERSION } from "../store/stored-resource.ts";
import type { Precondition, VersionCondition } from "./precondition.ts";

const DIGEST_MARK = "~";

/** Joins the version of a write and the digest of what was derived; "" for nothing derived. */
export function representationVersion(write: string, digest: string): string {
  return digest === "" ? write : `${write}${DIGEST_MARK}${digest}`;
}

/** The part of a version that a write made. */
export function writeVersion(version: string): string {
  const mark = version.indexOf(DIGEST_MARK);
  return mark < 0 ? version : version.slice(0, mark);
}

/** The entity tag of a raw version: weak, as SCIM's tags are. */
export function entityTag(version: string): string {
  return `W/"${version}"`;
}

/**
 * Whether the copy of a client that reads is current, so that 304 is the answer. What has no version is current for `*`
 * alone.
 * @throws ScimError `versionMismatch` where the client asks for other versions alone (RFC 9110 §13.1.1)
 */
export function isCurrent({ ifMatch, ifNoneMatch }: Precondition, version: string): boolean {
  checkPrecondition({ ifMatch, ifNoneMatch: null }, writeVersion(version));
  return (
    ifNoneMatch !== null && (ifNoneMatch === "*" || (version !== NO_VERSION && ifNoneMatch.includes(version)))
  );
}

/**
 * Checks conditions against the stored version.
 * @throws ScimError `versionMismatch` with `expectedVersion` and `currentVersion`
 */
export function checkPrecondition(precondition: Precondition, current: string): void {
  const { ifMatch, ifNoneMatch } = precondition;
  if (current === NO_VERSION) {
    checkWithoutVersion(precondition);
    return;
  }
  if (ifMatch !== null && ifMatch !== "*" && !ifMatch.some((version) => writeVersion(version) === current)) {
    throw versionMismatch(ifMatch, current);
  }
  if (ifNoneMatch === "*" || ifNoneMatch?.some((version) => writeVersion(version) === current) === true)
    throw existsAlready(ifNoneMatch, current);
}

/** A resource without a version is there for `*`. Nothing is written that should have been conditional. */
function checkWithoutVersion({ ifMatch, ifNoneMatch }: Precondition): void {
  requireUnversioned(ifMatch, "Resources of this type have no version: repeat the request without one.");
  if (ifNoneMatch === "*") throw existsAlready(ifNoneMatch, NO_VERSION);
}

/**
 * Refuses a condition on what has no version that a client could name, such as a list (RFC 9110 §13.1.1): `*` asks whether it
 * is there, and anything else does not match.
 * @param ifMatch null where there is no condition
 * @param detail what has no version, and what to do
 * @throws ScimError `versionMismatch` with `expectedVersion`
 */
export function requireUnversioned(ifMatch: VersionCondition | null, detail: string): void {
  if (ifMatch === null || ifMatch === "*") return;
  throw new ScimError("versionMismatch", detail, { members: { expectedVersion: namedIn(ifMatch) } });
}

function existsAlready(ifNoneMatch: VersionCondition, current: string): ScimError {
  const hasVersion = current !== NO_VERSION;
  return new ScimError("versionMismatch", "The resource exists, and If-None-Match asks that it does not.", {
    members: { expectedVersion: namedIn(ifNoneMatch), ...(hasVersion ? { currentVersion: current } : {}) },
    headers: hasVersion ? { etag: entityTag(current) } : {},
  });
}

/**
 * Refuses a change that names no version, where there is one to name.
 * @throws ScimError `versionRequired` with `currentVersion`
 */
export function requireVersion(precondition: Precondition, current: string): void {
  if (precondition.ifMatch !== null || current === NO_VERSION) return;
  throw new ScimError(
    "versionRequired",
    "The change must name the version that it is made on: send the current one in If-Match, in a bulk job as 'version'.",
    { members: { currentVersion: current }, headers: { etag: entityTag(current) } },
  );
}

/** The error for a version that is not the current one. */
export function versionMismatch(expected: VersionCondition, current: string): ScimError {
  return new ScimError(
    "versionMismatch",
    "The resource has changed since the version that the request names: read it again and repeat the change.",
    {
      members: { expectedVersion: namedIn(expected), currentVersion: current },
      headers: { etag: entityTag(current) },
    },
  );
}

/** What a condition names, as errors tell it: a version as a text, several as a list, `*` as it is. */
function namedIn(condition: VersionCondition): string | readonly string[] {
  const [only, ...others] = condition === "*" ? [condition] : condition;
  return only === undefined || others.length > 0 ? condition : only;
}
