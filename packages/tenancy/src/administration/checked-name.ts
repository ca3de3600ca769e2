/**
 * What people call something, checked for its form.
 * @module
 */
import { TenancyError } from "./tenancy-error.ts";

const LONGEST = 256;

/** Ends of lines and their like: lists and logs would show another thing than what is kept. */
const CONTROL = /\p{Cc}/u;

/**
 * A text that stands for something in lists.
 * @throws TenancyError `invalid`
 */
export function checkedName(what: string, text: string): string {
  if (text.trim() !== "" && text.length <= LONGEST && !CONTROL.test(text)) return text;
  throw new TenancyError("invalid", `${what} has 1 to ${LONGEST} characters, and no control characters.`);
}

/**
 * The same, where nothing has to be stated.
 * @throws TenancyError `invalid`
 */
export function checkedNameOrNull(what: string, text: string | null): string | null {
  return text === null ? null : checkedName(what, text);
}
