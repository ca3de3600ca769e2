/**
 * Looks names of receivers up, and lets through the addresses that may be called. The connection is made to what was
 * checked: no second look-up can lead elsewhere.
 * @module
 */
import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { isPublicAddress, type AllowedAddresses } from "@scim/events";
import { addressFinder } from "./find-addresses.ts";

/** A name leads to no address that may be called. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

/** All addresses of a name. */
export type FindAddresses = (
  hostname: string,
  found: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** What a look-up is made of. */
export interface LookupOptions {
  readonly allowed: Pick<AllowedAddresses, "privateAddresses">;
  /** Default: what the machine knows, and its name servers. */
  readonly find?: FindAddresses;
}

/** Makes the look-up of a connection. */
export function guardedLookup({ allowed, find = addressFinder() }: LookupOptions): LookupFunction {
  return (hostname, options, callback) => {
    find(hostname, (error, addresses) => {
      if (error !== null) return callback(error, "", 4);
      const good = addresses.filter(({ address }) => allowed.privateAddresses || isPublicAddress(address));
      const [first] = good;
      if (first === undefined) return callback(new AddressRefused("no address that may be called"), "", 4);
      return options.all === true ? callback(null, good) : callback(null, first.address, first.family);
    });
  };
}
