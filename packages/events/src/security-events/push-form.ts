/**
 * Tokens pushed to a receiver (RFC 8935).
 * @module
 */
import { verdictByStatus, type DeliveryForm, type Verdict } from "../delivery/form.ts";
import { goodSecrets } from "../delivery/good-secrets.ts";
import type { SecretSeal, SendOutcome } from "../delivery/port.ts";
import type { TokenSigner } from "./sign.ts";
import { TOKEN_ERRORS } from "./token-errors.ts";

/** What pushes are made with. */
export interface PushParts {
  readonly signer: TokenSigner;
  readonly seal: Pick<SecretSeal, "open">;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
}

/** The form of pushes: the token is the body, and the header `Authorization` what the receiver gave. */
export function createPushForm({ signer, seal, now }: PushParts): DeliveryForm {
  return {
    request: async (receiver, event) => {
      const authorization =
        receiver.secrets.length === 0 ? undefined : goodSecrets(seal, receiver.secrets, now()).at(-1);
      return {
        url: receiver.url,
        headers: {
          "content-type": "application/secevent+jwt",
          accept: "application/json",
          ...(authorization === undefined ? {} : { authorization }),
        },
        body: await signer.sign(receiver, event),
      };
    },
    verdict: pushVerdict,
  };
}

const BAD_REQUEST = 400;

function pushVerdict(outcome: SendOutcome): Verdict {
  if (outcome.kind === "failed" || outcome.status !== BAD_REQUEST) return verdictByStatus(outcome);
  const err = errorOf(outcome.body);
  const kind = TOKEN_ERRORS.get(err);
  if (kind === undefined) return verdictByStatus(outcome);
  const problem = `The receiver refused the token: ${err}.`;
  return kind === "refused" ? { kind, problem } : { kind, problem, retryAfter: outcome.retryAfter };
}

function errorOf(body: string): string {
  try {
    const answer: unknown = JSON.parse(body);
    const err = typeof answer === "object" && answer !== null && "err" in answer ? answer.err : null;
    return typeof err === "string" ? err : "";
  } catch {
    return "";
  }
}
