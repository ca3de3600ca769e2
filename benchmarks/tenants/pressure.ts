/**
 * A tenant that asks for as much as it can: scans on many connections, and writes beside them.
 * @module
 */
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import type { Target } from "../http/start.ts";
import { SAMPLE_USER } from "../sample-user.ts";

const SCANNING = 32;
const WRITING = 4;

/** What the tenant came to. */
export interface Pressure {
  readonly scans: number;
  /** Scans that were answered 503, 429 or 400: too many wait, or it took too long. */
  readonly refused: number;
  readonly writes: number;
}

/** Whom it asks. */
export type Pressed = Pick<Target, "base" | "headers">;

/** A tenant that asks. */
export interface UnderPressure {
  /** Resolves when a scan has been answered: from then on as much is under way as ever. */
  readonly begun: Promise<void>;
  stop(): Promise<Pressure>;
}

/**
 * Begins to ask, one request after another on each connection, until it is stopped. What is under way then is given up, as
 * a client does that goes away: nobody waits for the scans that wait for their turn.
 */
export function startPressure(target: Pressed): UnderPressure {
  const agent = new Agent({ keepAlive: true, maxSockets: SCANNING + WRITING });
  const stopping = new AbortController();
  const begun = Promise.withResolvers<void>();
  const [scans, writes] = [
    { done: 0, refused: 0 },
    { done: 0, refused: 0 },
  ];
  const goOn = async (counts: typeof scans, send: () => Promise<number>): Promise<void> => {
    while (!stopping.signal.aborted) {
      const status = await send();
      if (status === GIVEN_UP) return;
      if (counts === scans) begun.resolve();
      if (status < 300) counts.done += 1;
      else counts.refused += 1;
    }
  };
  const asking = { target, agent, signal: stopping.signal };
  const work = Promise.all([
    ...Array.from({ length: SCANNING }, () => goOn(scans, () => ask(asking, SCAN))),
    ...Array.from({ length: WRITING }, () => goOn(writes, () => ask(asking, newUser()))),
  ]);
  return {
    begun: begun.promise,
    stop: async () => {
      stopping.abort();
      await work;
      agent.destroy();
      if (writes.refused > 0) throw new Error(`${String(writes.refused)} writes were refused.`);
      return { scans: scans.done, refused: scans.refused, writes: writes.done };
    },
  };
}

interface Asked {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
}

/** No index serves it. */
const SCAN: Asked = {
  method: "GET",
  path: `/Users?filter=${encodeURIComponent('nickName eq "nick-7"')}&count=10`,
};

let made = 0;

function newUser(): Asked {
  made += 1;
  const name = `pressure-${String(process.pid)}-${String(made)}`;
  const body = JSON.stringify({ ...SAMPLE_USER, userName: name, externalId: name });
  return { method: "POST", path: "/Users", body };
}

/** Stands where a status would: nobody waited for the answer. */
const GIVEN_UP = 0;

interface Asking {
  readonly target: Pressed;
  readonly agent: Agent;
  /** Gives up. */
  readonly signal: AbortSignal;
}

/** Resolves to the status of the answer. */
function ask({ target, agent, signal }: Asking, { method, path, body }: Asked): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      if (signal.aborted) resolve(GIVEN_UP);
      else reject(error);
    };
    const options = { method, agent, signal, headers: target.headers };
    const sent = request(target.base + path, options, (answer) => {
      text(answer).then(() => resolve(answer.statusCode ?? 0), fail);
    });
    sent.once("error", fail);
    sent.end(body);
  });
}
