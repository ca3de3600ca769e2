/**
 * A service that answers, and a client whose next change is lost on the way.
 * @module
 */
import { createScimClient, TransportFailure, type ScimClient } from "@scim/client";
import { createInProcessTransport, type InProcessRequest } from "@scim/client/in-process";
import { jumpingClock } from "./jumping-clock.ts";
import { aService, TOKEN, type ServiceOptions } from "./service.ts";

/** How a request is lost: before it is done, or its answer. */
export type Loss = "done" | "undone";

/** Two clients of one service. */
export interface Losing {
  /** Loses what it is told to. */
  readonly client: ScimClient;
  /** Somebody else. */
  readonly other: ScimClient;
  /** Has the next change that the client sends be lost; then somebody else does something. */
  readonly lose: (loss: Loss, meanwhile: () => Promise<unknown>) => void;
  /** Changes that reached the service from the client, such as `PATCH 200`. */
  readonly reached: readonly string[];
}

/** A client that loses changes. */
export function losing(options: ServiceOptions = {}): Losing {
  const handler = aService(options);
  const reached: string[] = [];
  let next: { readonly loss: Loss; readonly meanwhile: () => Promise<unknown> } | null = null;
  const pass = async (request: InProcessRequest) => {
    const answer = await handler.handle(request);
    if (request.method !== "GET") reached.push(`${request.method} ${answer.status}`);
    return answer;
  };
  const open = (handle: typeof pass): ScimClient =>
    createScimClient({
      baseUrl: "https://id.example/scim/v2",
      auth: TOKEN,
      transport: createInProcessTransport({ handle }),
      clock: jumpingClock(),
    });
  const client = open(async (request) => {
    if (next === null || request.method === "GET") return pass(request);
    const { loss, meanwhile } = next;
    next = null;
    if (loss === "done") await pass(request);
    await meanwhile();
    throw new TransportFailure("broken", "It was cut.");
  });
  return {
    client,
    other: open((request) => handler.handle(request)),
    lose: (loss, meanwhile) => {
      next = { loss, meanwhile };
    },
    reached,
  };
}
