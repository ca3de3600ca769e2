/**
 * Where an OpenID provider publishes its keys (OpenID Connect Discovery 1.0 §4).
 * @module
 */
import { isTrustText } from "../../administration/checked-trust.ts";
import { TenancyError } from "../../administration/tenancy-error.ts";

const WELL_KNOWN = "/.well-known/openid-configuration";

/**
 * Asks an issuer for the address of its keys. It is asked once, when the issuer is entered: what it says later changes
 * nothing.
 * @param read reads the JSON at an address, within bounds of its own
 * @throws TenancyError `refused` where the issuer does not tell it
 */
export async function discoverKeys(
  issuer: string,
  read: (address: string) => Promise<unknown>,
): Promise<string> {
  const document = await metadataOf(issuer, read);
  const [named, keys] = ["issuer", "jwks_uri"].map((name) => document.get(name));
  if (named === issuer && typeof keys === "string") return keys;
  // §4.3: otherwise whoever answers at an address could speak for another issuer.
  if (named !== issuer && isTrustText(named)) throw isNamedOtherwise(issuer, named);
  throw undiscovered(issuer, `its metadata names no ${named === issuer ? "keys" : "issuer"}`);
}

async function metadataOf(
  issuer: string,
  read: (address: string) => Promise<unknown>,
): Promise<ReadonlyMap<string, unknown>> {
  try {
    const document = await read(`${issuer.replace(/\/$/, "")}${WELL_KNOWN}`);
    return new Map(typeof document === "object" && document !== null ? Object.entries(document) : []);
  } catch (cause) {
    throw undiscovered(issuer, cause instanceof Error ? cause.message : "it cannot be read");
  }
}

/** Often no more than a slash at the end: with the address of its keys it could be entered, and no JWT would be of it. */
function isNamedOtherwise(issuer: string, named: string): TenancyError {
  return new TenancyError(
    "refused",
    `The issuer at ${issuer} names itself ${named}, as its JWTs do: enter it by that name, letter by letter.`,
  );
}

function undiscovered(issuer: string, why: string): TenancyError {
  return new TenancyError(
    "refused",
    `The keys of ${issuer} were not found at ${WELL_KNOWN}: ${why}. State the address of its keys.`,
  );
}
