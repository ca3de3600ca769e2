/**
 * Where the public keys of foreign issuers may be read.
 * @module
 */
import { type AddressesLiftedBy, type AllowedAddresses, faultOfUrl } from "@scim/events";

/** What is wrong with an address of keys, as the end of a sentence that begins with it; null for nothing. */
export type KeyAddressFault = (address: string) => string | null;

/** Another setting than that of receivers: who allows an issuer in his own network allows no webhook there. */
const SETTING = "oauth.privateIssuers";
const LIFTED_BY: AddressesLiftedBy = { privateAddresses: SETTING, plainHttp: SETTING };

/**
 * Which addresses are called for keys.
 * @param allowPrivate whether plain HTTP and addresses of private networks are called too
 */
export function keyAddresses(allowPrivate: boolean): AllowedAddresses {
  return { privateAddresses: allowPrivate, plainHttp: allowPrivate };
}

/** Makes what finds fault with an address before anything is looked up: when it is entered, and when it is called. */
export function createKeyAddressFault(allowPrivate: boolean): KeyAddressFault {
  const allowed = keyAddresses(allowPrivate);
  return (address) => faultOfUrl(address, allowed, LIFTED_BY);
}
