/**
 * Which scopes an access token is given (RFC 6749 §3.3).
 * @module
 */
import { isScope } from "@scim/core";
import { OAuthError } from "./oauth-error.ts";

/** Scopes that a request may name at most. */
const MOST = 50;

/**
 * The scopes of an access token: those that were asked for, as far as the client may have them; all of the client's
 * where none was asked for. Who asks for `scim` gets whatever of it the client may have.
 * @throws OAuthError `invalid_scope` where a scope was asked for that is none, or that the client may not have, even in
 *   part
 */
export function grantedScopes(
  allowed: readonly string[],
  asked: readonly string[] | null,
): readonly string[] {
  if (asked === null || asked.length === 0) return allowed;
  if (asked.length > MOST) throw new OAuthError("invalid_scope", "The request names too many scopes.");
  const granted = new Set<string>();
  for (const scope of asked) {
    const parts = partsOf(scope, allowed);
    if (parts.length === 0) {
      throw new OAuthError(
        "invalid_scope",
        `The client may not have every scope that it asks for; it may have: ${allowed.join(" ")}.`,
      );
    }
    for (const part of parts) granted.add(part);
  }
  return [...granted];
}

/** What a client may have of a scope. A mistyped one would be a part of `scim`, and open nothing. */
export function partsOf(scope: string, allowed: readonly string[]): readonly string[] {
  if (!isScope(scope)) return [];
  return allowed.some((held) => covers(held, scope))
    ? [scope]
    : allowed.filter((held) => covers(scope, held));
}

/** Whether one scope is, or holds, another: `scim` holds `scim:read`, which holds `scim:read:User`. */
function covers(held: string, scope: string): boolean {
  return held === scope || scope.startsWith(`${held}:`);
}
