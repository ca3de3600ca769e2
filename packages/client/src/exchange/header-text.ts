/**
 * What headers can hold (RFC 9110 §5.1, §5.5).
 * @module
 */
import { UsageError } from "../errors/usage-error.ts";

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\u0020-\u007E\u0080-\u00FF]*$/;

/** Whether a text can be the value of a header; what a service says in a body may be any text. */
export function isHeaderValue(text: string): boolean {
  return VALUE.test(text);
}

/**
 * Headers that the program gives, by lower-case name: two spellings of one would both be sent. They are checked before anything is
 * sent: a transport would tell them like a connection that does not come about.
 * @throws {@link UsageError} `invalidOption`
 */
export function givenHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers))
    if (!NAME.test(name) || !isHeaderValue(value))
      throw new UsageError(
        "invalidOption",
        `'headers' holds what no header can: a name or a value of '${name.slice(0, 64)}' with other characters than RFC 9110 allows.`,
      );
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
