/**
 * Stands between a store and PostgreSQL: counts how often the store waits for the server, and cuts connections.
 * @module
 */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** When the next connection is cut that commits: before the server hears of it, or before the store hears back. */
export type Cut = "before the server" | "before the answer";

/** A proxy. */
export interface WireProxy {
  /** Address of the database through the proxy. */
  readonly url: string;
  /** Round trips so far: messages `Sync`, each of which the server answers. */
  readonly roundTrips: () => number;
  /** Statements that the server was told the text of so far: messages `Parse`. */
  readonly texts: () => number;
  /** Cuts the next connection that commits. */
  readonly cutNext: (cut: Cut) => void;
  /** Has PostgreSQL shut the next session with the bytes that open it. */
  readonly shutNextOpened: () => void;
  /** How many connections have been cut. */
  readonly cuts: () => number;
  /** Lets nothing through any more on the connections that are open, not that one ends either. */
  readonly silence: () => void;
  /** Keeps cancellations back, until what it answers is called. It resolves when the server has taken them. */
  readonly holdCancellations: () => () => Promise<void>;
}

const SYNC = "S".charCodeAt(0);
const PARSE = "P".charCodeAt(0);

/** A connection that cancels what another one runs sends so many bytes, and this code behind their number. */
const CANCELLATION = { bytes: 16, code: 80_877_102 } as const;

/** `ReadyForQuery` of a session that is in no transaction. */
const READY = Buffer.from("Z\0\0\0\x05I", "latin1");

/** `ErrorResponse` of a server that goes down. */
const SHUT = errorResponse([
  "SFATAL",
  "VFATAL",
  "C57P01",
  "Mterminating connection due to administrator command",
]);

function errorResponse(fields: readonly string[]): Buffer {
  const body = Buffer.from(`${fields.map((field) => `${field}\0`).join("")}\0`, "latin1");
  const head = Buffer.from("E\0\0\0\0", "latin1");
  head.writeUInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

/** Starts a proxy in front of the database of an address; it stops when the test ends. */
export async function wireProxy(databaseUrl: string): Promise<WireProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const silenced = new Set<Socket>();
  const held: (() => Promise<void>)[] = [];
  const state = {
    roundTrips: 0,
    texts: 0,
    cuts: 0,
    next: null as Cut | null,
    isShutting: false,
    isHolding: false,
  };

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let isSilent = false;
    let isOpen = false;
    const read = messageReader((type) => {
      if (type === SYNC) state.roundTrips += 1;
      if (type === PARSE) state.texts += 1;
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
    }
    const cut = (): void => {
      state.cuts += 1;
      client.destroy();
      upstream.destroy();
    };
    client.on("data", (data) => {
      const chunk = Buffer.from(data);
      if (silenced.has(client)) return;
      if (state.isHolding && isCancellation(chunk)) {
        held.push(async () => {
          upstream.write(chunk);
          // The server closes the connection when it has told the session.
          await once(upstream, "close");
        });
        return;
      }
      read(chunk);
      const { next } = state;
      if (next !== null && chunk.includes("COMMIT")) {
        state.next = null;
        if (next === "before the server") return cut();
        isSilent = true;
      }
      upstream.write(chunk);
    });
    upstream.on("data", (data) => {
      const chunk = Buffer.from(data);
      if (isSilent) return cut();
      if (silenced.has(client)) return;
      const isOpening = !isOpen && chunk.subarray(-READY.length).equals(READY);
      isOpen ||= isOpening;
      if (!state.isShutting || !isOpening) return void client.write(chunk);
      state.isShutting = false;
      state.cuts += 1;
      client.end(Buffer.concat([chunk, SHUT]));
    });
    client.on("close", () => {
      // Who cancels waits for no answer.
      if (!state.isHolding) upstream.destroy();
    });
    upstream.on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  const url = new URL(databaseUrl);
  const address = server.address();
  url.port = String(address !== null && typeof address === "object" ? address.port : 0);
  return {
    url: url.href,
    roundTrips: () => state.roundTrips,
    texts: () => state.texts,
    cutNext: (cut) => (state.next = cut),
    shutNextOpened: () => (state.isShutting = true),
    cuts: () => state.cuts,
    silence: () => {
      for (const socket of sockets) {
        silenced.add(socket);
        socket.pause();
      }
    },
    holdCancellations: () => {
      state.isHolding = true;
      return async () => {
        await Promise.all(held.splice(0).map((send) => send()));
        state.isHolding = false;
      };
    },
  };
}

function isCancellation(chunk: Buffer): boolean {
  return chunk.length === CANCELLATION.bytes && chunk.readUInt32BE(4) === CANCELLATION.code;
}

/** Reads the messages of a client: the first has no type. */
function messageReader(onMessage: (type: number) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let hasStarted = false;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = hasStarted ? 1 : 0;
      if (rest.length < head + 4) return;
      const length = head + rest.readUInt32BE(head);
      if (rest.length < length) return;
      if (hasStarted) onMessage(rest.readUInt8(0));
      hasStarted = true;
      rest = rest.subarray(length);
    }
  };
}
