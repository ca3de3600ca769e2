/**
 * Protocol versions in addresses (RFC 7644 §3.13): version 2 is served, any other is refused.
 * @module
 */
import { ScimError } from "@scim/schemas";

/** `/scim/v1/Users` and `/scim/{tenant}/v1/Users`. */
const OTHER_VERSION = /^\/scim\/(?:[^/?]+\/)?v(?!2(?:[/?]|$))[0-9]+(?:[/?]|$)/;

/** The error for an address that names a protocol version which is not served; null for any other address. */
export function otherVersion(url: string): ScimError | null {
  if (!OTHER_VERSION.test(url)) return null;
  return new ScimError(
    "invalidVers",
    "The protocol version in this address is not supported. Use version 2: /scim/v2, or /scim/{tenant}/v2.",
  );
}
