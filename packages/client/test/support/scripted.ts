/**
 * A transport that answers by a script.
 * @module
 */
import {
  createScimClient,
  TransportFailure,
  type ClientOptions,
  type ScimClient,
  type Transport,
  type TransportAnswer,
  type TransportFailureKind,
  type TransportRequest,
} from "@scim/client";
import { jumpingClock, type JumpingClock } from "./jumping-clock.ts";

/** What comes of a request: an answer, a failure, or silence. */
export type Step =
  | (Partial<Omit<TransportAnswer, "body">> & { readonly body?: unknown })
  | { readonly fails: TransportFailureKind }
  | "silence"
  | ((request: TransportRequest) => Step);

/** A client of a script. */
export interface Scripted {
  readonly client: ScimClient;
  readonly clock: JumpingClock;
  /** What was sent. */
  readonly requests: readonly TransportRequest[];
}

const SCIM = "application/scim+json";

/** A transport whose requests are answered one after another; the last step stands for all that follow. */
export function scriptedTransport(steps: readonly Step[]): {
  readonly transport: Transport;
  readonly requests: readonly TransportRequest[];
} {
  const requests: TransportRequest[] = [];
  const transport: Transport = {
    send: async (request) => {
      requests.push(request);
      const step = steps[Math.min(requests.length, steps.length) - 1];
      if (step === undefined) throw new TypeError("The script has no steps.");
      return perform(step, request);
    },
    close: async () => undefined,
  };
  return { transport, requests };
}

/** A client of a scripted transport. */
export function scripted(steps: readonly Step[], options: Partial<ClientOptions> = {}): Scripted {
  const { transport, requests } = scriptedTransport(steps);
  const clock = jumpingClock();
  const client = createScimClient({
    baseUrl: "https://id.example/scim/v2",
    auth: "token-1",
    transport,
    clock,
    random: () => 0.5,
    ...options,
  });
  return { client, clock, requests };
}

async function perform(step: Step, request: TransportRequest): Promise<TransportAnswer> {
  if (typeof step === "function") return perform(step(request), request);
  if (step === "silence") {
    return new Promise((_resolve, reject) => {
      request.signal.addEventListener("abort", () => reject(new TransportFailure("broken", "Given up.")));
    });
  }
  if ("fails" in step) throw new TransportFailure(step.fails, "It failed.");
  const { status = 200, headers = {}, body } = step;
  const text = typeof body === "string" ? body : JSON.stringify(body ?? null);
  return {
    status,
    headers: { ...(body === undefined ? {} : { "content-type": SCIM }), ...headers },
    body: body === undefined ? "" : text,
  };
}

/** A user as a service answers with it. */
export function aUser(more: object = {}): object {
  return {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
    id: "1",
    userName: "bjensen",
    meta: { resourceType: "User", version: 'W/"v1"' },
    ...more,
  };
}
