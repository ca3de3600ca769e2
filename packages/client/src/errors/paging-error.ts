/**
 * Lists that cannot be read to their end.
 * @module
 */
import { ClientError, type FailedRequest } from "./client-error.ts";

const REMEDIES = {
  pagesMissing:
    "Read the list again; where it happens again, narrow the filter, and tell the operator of the service.",
  pagesRepeat: "Tell the operator of the service: its pages lead in a circle.",
  pagesEndless: "Tell the operator of the service: its pages do not come to an end.",
  pagesExpired:
    "Ask for smaller pages, or read them faster: the service forgets its cursors before they are used.",
  pagesUnstable:
    "Read the list when less is changed, or sort by an attribute that does not change, such as 'id'.",
} as const;

/** Why a list cannot be read to its end. */
export type PagingErrorCode = keyof typeof REMEDIES;

/** The pages of a list do not fit together. What was given out until then is right, and not all. */
export class PagingError extends ClientError {
  override readonly name = "PagingError";
  readonly code: PagingErrorCode;
  /** How many resources were given out. */
  readonly read: number;

  constructor(
    code: PagingErrorCode,
    what: string,
    options: { readonly request: FailedRequest; readonly read: number; readonly cause?: unknown },
  ) {
    const { request, cause, read } = options;
    super(`${request.method} ${request.path}: ${what}`, { request, cause, remedy: REMEDIES[code] });
    this.code = code;
    this.read = read;
  }
}
