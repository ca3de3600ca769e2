/**
 * A service that is right, and ways to make it wrong: between the identity provider and the service, requests and
 * answers are spoilt.
 * @module
 */
import type { Transport, TransportAnswer, TransportRequest } from "@scim/client";

/** Spoils an exchange: may answer itself, or change what the service answers. */
export type Fault = (
  request: TransportRequest,
  pass: (request?: TransportRequest) => Promise<TransportAnswer>,
) => Promise<TransportAnswer>;

/** A transport with a fault in it. */
export function faulty(transport: Transport, fault: Fault): Transport {
  return {
    send: (request) => fault(request, (changed = request) => transport.send(changed)),
    close: () => transport.close(),
  };
}

/** An answer of a service that is wrong. */
export function answers(status: number, body: unknown = ""): TransportAnswer {
  return { status, headers: {}, body: body === "" ? "" : JSON.stringify(body) };
}

/** Changes the JSON of answers with these statuses. */
export async function spoilt(
  pass: () => Promise<TransportAnswer>,
  change: (body: Record<string, unknown>, status: number) => unknown,
): Promise<TransportAnswer> {
  const answer = await pass();
  if (answer.body === "") return answer;
  // Bodies of a SCIM service are objects.
  const body = JSON.parse(answer.body) as Record<string, unknown>;
  return { ...answer, body: JSON.stringify(change(body, answer.status)) };
}
