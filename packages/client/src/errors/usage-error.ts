/**
 * What the program asked for and cannot have.
 * @module
 */
import { ClientError, type FailedRequest } from "./client-error.ts";

const REMEDIES = {
  invalidOption: "Correct the option that the message names.",
  invalidInput: "Check what the value was made of. To clear an attribute, give null, or remove it by PATCH.",
  missingId: "Give the id of the resource, or a resource that has one.",
  missingVersion:
    "The service gives no versions: allow the change without one by 'unguarded', if a lost change is bearable.",
  notOffered: "Do without: the service does not offer it.",
  plainHttp:
    "Use https. Where nobody can listen on the way, allow it: 'plainHttp' of the client, SCIM_PLAIN_HTTP of commands.",
  closed: "Make another client, or close this one later.",
  jobTooLarge: "Make smaller operations: PATCH in place of PUT, or fewer that refer to each other.",
  unknownReference:
    "Refer to what the same bulk job creates, and let references form no circle where the service has no bulk.",
} as const;

/** What is wrong with what was asked for. */
export type UsageErrorCode = keyof typeof REMEDIES;

/** The client refuses before it sends: an option is wrong, or what is asked for cannot be had from this service. */
export class UsageError extends ClientError {
  override readonly name = "UsageError";
  readonly code: UsageErrorCode;

  constructor(
    code: UsageErrorCode,
    message: string,
    options: { readonly request?: FailedRequest; readonly cause?: unknown } = {},
  ) {
    super(message, { ...options, remedy: REMEDIES[code] });
    this.code = code;
  }
}
