/**
 * How the client proves who it is: a port, and the credentials that never change.
 * @module
 */
import type { Clock } from "../clock.ts";
import type { Transport } from "../transport/port.ts";

/** What credentials may use while they get a value. */
export interface CredentialsContext {
  /** Aborted when the request that waits for the value is given up. */
  readonly signal: AbortSignal;
  /** The client's own. */
  readonly transport: Transport;
  readonly clock: Clock;
}

/** Where a secret goes to get a token. */
export interface TokenEndpoint {
  /** Origin or address of the endpoint. */
  readonly address: string;
  /** What carries the request. Default: the client's own. */
  readonly transport?: Transport | undefined;
}

/** Gives the header `Authorization` of each request. */
export interface Credentials {
  /** Where tokens come from, if a secret is sent there: watched as the service is, see `plainHttp` of a client. */
  readonly tokenEndpoint?: TokenEndpoint;
  /**
   * The value of the header, such as `Bearer scim_default_…`.
   * @throws {@link CredentialsError} where none can be had
   */
  authorization(context: CredentialsContext): string | Promise<string>;
  /** Told that the service refused a value (401). Returns whether another can be had: then the request is sent again, once. */
  refused?(authorization: string): boolean;
}

/**
 * A bearer token that does not change (RFC 6750).
 * @throws {@link TypeError} where it is empty, or holds what is no visible ASCII character
 */
export function bearerToken(token: string): Credentials {
  requireText(token, "A bearer token");
  const value = `Bearer ${token}`;
  return { authorization: () => value };
}

/**
 * A name and a password (RFC 7617), for services that know nothing better.
 * @throws {@link TypeError} where the name holds a colon, or either a control character (RFC 7617 §2)
 */
export function basicCredentials(name: string, password: string): Credentials {
  if (name.includes(":") || /\p{Cc}/u.test(name + password))
    throw new TypeError("A name holds no colon, and neither holds control characters.");
  const value = `Basic ${base64(`${name}:${password}`)}`;
  return { authorization: () => value };
}

/** Text as base64 of its UTF-8 (RFC 4648 §4). */
export function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}

/** @throws {@link TypeError} where a value could not stand in a header */
export function requireText(value: string, what: string): void {
  if (value === "" || /[^\u0021-\u007E]/.test(value)) {
    throw new TypeError(
      `${what} is not empty, and of visible ASCII characters: without 'Bearer' in front, spaces or line ends.`,
    );
  }
}
