/**
 * What is entered of a foreign issuer, checked for its form.
 * @module
 */
import type { TenancyPorts } from "./ports.ts";
import { TenancyError } from "./tenancy-error.ts";

/** Few enough that an index of three of them holds each whole. */
const TEXT = /^[\x21-\x7e]{1,512}$/;
const LONGEST_ADDRESS = 2048;

/** Whether a value is a text that a JWT must hold: it may be shown as it is. */
export function isTrustText(value: unknown): value is string {
  return typeof value === "string" && TEXT.test(value);
}

/**
 * A text that a JWT must hold.
 * @throws TenancyError `invalid`
 */
export function checkedText(what: string, text: string): string {
  if (isTrustText(text)) return text;
  throw new TenancyError("invalid", `The ${what} has 1 to 512 characters of ASCII, and no space.`);
}

/**
 * The address of keys. Keys that come over plain HTTP could be anybody's; whether they may be read so, and from private
 * networks, is up to whoever reads them.
 * @throws TenancyError `invalid`
 */
export function checkedAddress(
  text: string,
  { keyAddressFault = () => null }: Pick<TenancyPorts, "keyAddressFault">,
): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (url !== null && isWeb && url.username === "" && url.password === "" && text.length <= LONGEST_ADDRESS) {
    const fault = keyAddressFault(url.href);
    if (fault === null) return url.href;
    throw new TenancyError("invalid", `The address of the keys ${fault}.`);
  }
  throw new TenancyError(
    "invalid",
    "The address of the keys must be absolute, such as https://login.microsoftonline.com/…/discovery/v2.0/keys.",
  );
}
