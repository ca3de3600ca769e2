/**
 * Why a service did not do what a command asked for, in a sentence that says what to do on the command line.
 * @module
 */
import { type ScimClientError, ServiceError, UsageError } from "@scim/client";
import { CommandFailure, EXIT } from "../failure.ts";

/** How a command was told of a service. */
export interface ToldService {
  /** What the service is called in the sentence: its address, or `The target`. */
  readonly name: string;
  /** The flag that names its address. */
  readonly flag: "--url" | "--target" | "--source";
}

/** The failure of a command. */
export function remoteFailure(error: ScimClientError, service: ToldService): CommandFailure {
  const code = error instanceof UsageError ? EXIT.usage : EXIT.failed;
  // An address that is none may hold a password: the sentence does without it.
  const name = isOfAddress(error) ? service.flag : service.name;
  const sentence = `${name}: ${sentencesOf(error, remedyOf(error, service.flag))}`;
  return new CommandFailure(code, sentence, error);
}

/** What went wrong, and what to do. */
export function sentencesOf({ message, remedy }: ScimClientError, advice = remedy): string {
  return `${message.replace(/\.?$/, ".")} ${advice}`;
}

const EXAMPLES: Readonly<Record<ToldService["flag"], string>> = {
  "--url": "the base address of a service, such as https://id.example/scim/v2",
  "--target": "the base address of a service, such as https://id.example/scim/v2",
  "--source": "the address of what a service lists, such as https://id.example/scim/v2/Users",
};

/** What a service has below its base address, whatever it holds. */
const COLLECTION = /^\/\w+$/;

/** Whether the client takes the address for none. */
function isOfAddress(error: ScimClientError): boolean {
  return error instanceof UsageError && error.message.startsWith("'baseUrl'");
}

function remedyOf(error: ScimClientError, flag: ToldService["flag"]): string {
  if (isOfAddress(error)) return `${flag} is ${EXAMPLES[flag]}.`;
  if (!(error instanceof ServiceError)) return error.remedy;
  if (error.status === 401) return tokenFrom(flag);
  if (error.status === 404 && COLLECTION.test(error.request?.path ?? ""))
    return `${flag} is ${EXAMPLES[flag]}; something else answers at this address.`;
  if (error.status === 404 && error.request?.path.startsWith("/Diagnostics/") === true)
    return `${flag} is ${EXAMPLES[flag]}; a service of another make has no diagnostics.`;
  return error.remedy;
}

/** Where commands take the token of a service from. */
export function tokenFrom(flag: ToldService["flag"]): string {
  return flag === "--source"
    ? "The token of the source comes from the variable SCIM_SOURCE_TOKEN, or from the file that SCIM_SOURCE_TOKEN_FILE names."
    : "The token comes from the variable SCIM_TOKEN, from the file that SCIM_TOKEN_FILE names, or from --token-file.";
}
