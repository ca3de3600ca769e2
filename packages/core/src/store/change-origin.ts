/**
 * Where a change comes from, beside the connection and the subject: what an audit asks for.
 * @module
 */

/** What is known of who asked for a change, and from where. What is not known is left out. */
export interface ChangeOrigin {
  /** Names the request in the log, and the operation of an operator beside it. */
  readonly request?: string;
  /** Id of the credential that the request came with: never its text. */
  readonly credential?: string;
  /** Name of the administrator who did it, or made a program do it. */
  readonly admin?: string;
  /** Network address of the client, as far as proxies are trusted. */
  readonly address?: string;
  /** The command of an operator, such as `scim import`, where no request was made. */
  readonly command?: string;
}
