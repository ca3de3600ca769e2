/**
 * A receiver of events: a real HTTP server that keeps what it was sent, and answers as a test says.
 * @module
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

/** A request as it arrived. */
export interface Arrived {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a receiver does with a request; the default takes it. */
export type Behaviour = (request: Arrived, response: ServerResponse) => void;

/** A receiver. */
export interface TestReceiver {
  readonly url: string;
  readonly arrived: readonly Arrived[];
  /** From now on. */
  behave(behaviour: Behaviour): void;
  /** Resolves when so many requests have arrived, or so many that a test asks for. */
  until(count: number, which?: (request: Arrived) => boolean): Promise<readonly Arrived[]>;
}

/** Milliseconds that a test waits for what must arrive. */
const PATIENCE_MS = 60_000;

/** Takes everything. */
export const take: Behaviour = (_request, response) => void response.writeHead(204).end();

/** Starts a receiver; it stops with the test. */
export async function startReceiver(behaviour: Behaviour = take): Promise<TestReceiver> {
  const arrived: Arrived[] = [];
  const waiting = new Set<() => void>();
  let behave = behaviour;
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const one = { path: request.url ?? "", headers: request.headers, body };
    arrived.push(one);
    behave(one, response);
    for (const look of waiting) look();
  }
  // Who sends may end a request half-way: nothing has arrived then.
  const server = createServer((request, response) => void receive(request, response).catch(() => undefined));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    arrived,
    behave: (next) => {
      behave = next;
    },
    until: async (count, which = () => true) => {
      const { promise, resolve, reject } = Promise.withResolvers<readonly Arrived[]>();
      const found = () => arrived.filter(which);
      const late = setTimeout(
        () => reject(new Error(`${found().length} of ${count} requests arrived`)),
        PATIENCE_MS,
      );
      const look = () => {
        if (found().length >= count) resolve(found());
      };
      waiting.add(look);
      look();
      try {
        return await promise;
      } finally {
        clearTimeout(late);
        waiting.delete(look);
      }
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

/** A part of the body that a test looks at. */
export interface SentEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly position: number;
    readonly id: string;
    readonly [name: string]: unknown;
  };
}

/** The event that a request tells of. */
export function eventOf({ body }: Arrived): SentEvent {
  // The server under test wrote it, and each test looks at what it needs.
  return JSON.parse(body) as SentEvent;
}
