/**
 * Why a server did not do what a command of administration asked for, in a sentence that says what to do.
 * @module
 */
import {
  ConnectionError,
  InvalidAnswerError,
  isScimClientError,
  type ScimClientError,
  ServiceError,
  UnknownOutcomeError,
  UsageError,
  VersionConflictError,
} from "@scim/client";
import { CommandFailure, EXIT, exitCodeOf, type ExitCode } from "../failure.ts";

interface Told {
  readonly sentence: string;
  readonly code?: ExitCode;
}

/** The failure of a command; what is no error of a request as it is. */
export function adminFailure(cause: unknown, url: string): unknown {
  if (!isScimClientError(cause)) return cause;
  const { sentence, code = EXIT.failed } = toldOf(cause);
  return new CommandFailure(code, `${url}: ${sentence}`, cause);
}

function toldOf(error: ScimClientError): Told {
  if (error instanceof VersionConflictError)
    return { sentence: "It was changed meanwhile, and is as others left it. Run the command again." };
  if (error instanceof ServiceError) return refused(error);
  if (error instanceof UnknownOutcomeError) {
    return {
      sentence:
        "The server did not say whether it was done. See what it lists, and run the command again if it was not.",
    };
  }
  if (error instanceof ConnectionError && error.code === "connectionFailed") return unconnected(error);
  if (error instanceof ConnectionError && error.code === "timeout")
    return { sentence: "There was no answer in time. Try again later." };
  if (error instanceof InvalidAnswerError) return { sentence: `${endless(error.message)}. ${NO_SERVER}` };
  return {
    sentence: `${endless(error.message)}. ${error.remedy}`,
    code: error instanceof UsageError ? EXIT.usage : EXIT.failed,
  };
}

const NO_SERVER =
  "--url is the origin of a server of this project, such as https://scim.example; something else answers at this address.";

/** What the server says, and what follows from its status. */
function refused({ status, detail, retryAfterMs }: ServiceError): Told {
  const said = detail === null ? `The answer was ${status}` : detail.replace(/\.$/, "");
  const told = (remedy: string): Told => ({
    sentence: remedy === "" ? `${said}.` : `${said}. ${remedy}`,
    code: exitCodeOf(status),
  });
  switch (status) {
    case 400:
      return told("");
    case 401:
      return told("Give the token of an administrator, by SCIM_ADMIN_TOKEN or --token-file.");
    case 403:
      return told("Give the token of such an administrator, by SCIM_ADMIN_TOKEN or --token-file.");
    case 404:
      return told(detail === null ? NO_SERVER : "");
    case 429:
    case 503:
      return told(
        retryAfterMs === null
          ? "Try again later."
          : `Try again in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s.`,
      );
    default:
      return told(status >= 500 ? "Try again later; the log of the server tells more." : "");
  }
}

const CERTIFICATE = /CERT|ISSUER|LEAF|SELF_SIGNED/;
const NO_TLS = /SSL|TLS|EPROTO/;

function unconnected(error: ConnectionError): Told {
  const code = codeOf(error.cause);
  const because = code === null ? "" : ` (${code})`;
  if (code !== null && CERTIFICATE.test(code)) {
    return {
      sentence: `The certificate of the server is not trusted${because}. Look at the address; the authority of a certificate of your own is named by NODE_EXTRA_CA_CERTS.`,
    };
  }
  if (code !== null && NO_TLS.test(code))
    return { sentence: `The server does not speak TLS there${because}. Look at the address: https or http?` };
  return { sentence: `There is no connection${because}. Is the server running, and the address right?` };
}

/** The code of the system below an error, such as `ECONNREFUSED`. */
function codeOf(cause: unknown): string | null {
  for (let at = cause; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string" && /^[A-Z][A-Z0-9_]+$/.test(at.code)) return at.code;
    if (at instanceof AggregateError && at.errors.length > 0) return codeOf(at.errors[0]);
  }
  return null;
}

/** Without its full stop. */
function endless(text: string): string {
  return text.replace(/\.$/, "");
}
