/**
 * Requests on connections that stay open, one at a time on each, for as little work as can be: what the client costs must
 * not decide how fast a server is that shares the machine with it.
 * @module
 */
import { connect, type Socket } from "node:net";

/** What is asked, and of whom. */
export interface PlainLoad {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly milliseconds: number;
  /** Makes the path of the next request, and its body, empty for none. */
  readonly next: () => { readonly path: string; readonly body: string };
}

/** What came of it. */
export interface PlainAnswers {
  /** How many answers had each status. */
  readonly byStatus: ReadonlyMap<number, number>;
  readonly seconds: number;
}

/**
 * Asks until the time is over, and waits for the answers that are under way then.
 * @throws Error where a connection ends, or an answer does not tell its length
 */
export async function plainAnswers(load: PlainLoad): Promise<PlainAnswers> {
  const byStatus = new Map<number, number>();
  const start = performance.now();
  const end = start + load.milliseconds;
  const count = (status: number): boolean => {
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    return performance.now() < end;
  };
  await Promise.all(Array.from({ length: load.connections }, () => askInTurn(load, count)));
  return { byStatus, seconds: (performance.now() - start) / 1000 };
}

function askInTurn(load: PlainLoad, count: (status: number) => boolean): Promise<void> {
  const { url, method, next } = load;
  const headers = Object.entries({ host: url.host, ...load.headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
  const ask = (): void => {
    const { path, body } = next();
    const length = body === "" ? "" : `content-length: ${String(Buffer.byteLength(body))}\r\n`;
    socket.write(`${method} ${path} HTTP/1.1\r\n${headers}${length}\r\n${body}`);
  };
  onAnswers(socket, (status) => {
    if (count(status)) return ask();
    resolve();
    socket.destroy();
  });
  socket.once("connect", ask);
  socket.once("error", reject);
  socket.once("close", () => reject(new Error(`${url.host} ended a connection.`)));
  return promise;
}

const HEAD_END = "\r\n\r\n";
/** Where the status stands: behind `HTTP/1.1 `. */
const STATUS = [9, 12] as const;

/** Calls for each whole answer. */
function onAnswers(socket: Socket, answered: (status: number) => void): void {
  let head = "";
  let status = 0;
  /** Bytes of the body that are still to come; null in a head. */
  let left: number | null = null;
  socket.on("data", (chunk: Buffer) => {
    let rest = chunk.length;
    if (left === null) {
      head += chunk.toString("latin1");
      const headEnd = head.indexOf(HEAD_END);
      if (headEnd < 0) return;
      status = Number(head.slice(...STATUS));
      left = lengthIn(head.slice(0, headEnd), status);
      if (left === null) {
        socket.destroy(new Error(`An answer does not tell its length: ${head.slice(0, headEnd)}`));
        return;
      }
      rest = head.length - headEnd - HEAD_END.length;
      head = "";
    }
    left -= rest;
    if (left > 0) return;
    left = null;
    answered(status);
  });
}

const NO_CONTENT = 204;

function lengthIn(head: string, status: number): number | null {
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length === undefined) return status === NO_CONTENT ? 0 : null;
  return Number(length);
}
