/**
 * Messages as lines, over a stream of each direction. What is no message is answered, where the transport of the SDK says
 * nothing, and ends on a line that is too long: an agent would wait for an answer until it gives up.
 * @module
 */
import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CancelledNotificationSchema,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { isJsonArray, type JsonObject, type JsonValue } from "@scim/schemas";
import { readRpc, rpcError, rpcIdOf, type ReadJson } from "../rpc.ts";
import { scimToolError, ToolError } from "../tool-error.ts";
import { NO_MESSAGE, readMessage } from "./messages.ts";

/** Longest message, in bytes (10 MiB). */
const MOST_BYTES = 10_485_760;
const LINE_FEED = 0x0a;
const SPACE = 0x20;

/** Where messages come from and go to, and how they are read. */
export interface LineStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly readJson?: ReadJson | undefined;
}

/** Reads messages from one stream, and writes them to another. */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #readJson: ReadJson | undefined;
  readonly #line: Buffer[] = [];
  /** Bytes of the line so far, whether they are kept or not. */
  #length = 0;
  /** Requests that are not answered. */
  readonly #asked = new Set<RequestId>();
  #onAllAnswered: () => void = () => undefined;

  constructor({ input, output, readJson }: LineStreams) {
    this.#input = input;
    this.#output = output;
    this.#readJson = readJson;
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#take);
    this.#input.on("end", this.#endInput);
    this.#input.on("error", this.#fail);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(JSON.stringify(message));
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    if (isAnswer && message.id !== undefined) this.#settle(message.id);
  }

  /** Resolves when no request waits for its answer: at once where none does. One that is cancelled waits for none. */
  answered(): Promise<void> {
    if (this.#asked.size === 0) return Promise.resolve();
    return new Promise((resolve) => (this.#onAllAnswered = resolve));
  }

  async close(): Promise<void> {
    this.#input.off("data", this.#take);
    this.#input.off("end", this.#endInput);
    this.#input.off("error", this.#fail);
    this.#input.pause();
    this.#line.length = 0;
    this.onclose?.();
  }

  readonly #fail = (error: Error): void => this.onerror?.(error);

  readonly #take = (chunk: Buffer): void => {
    let begin = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, begin)) {
      this.#add(chunk.subarray(begin, end));
      this.#endLine();
      begin = end + 1;
    }
    this.#add(chunk.subarray(begin));
  };

  /** The last line may have no end. */
  readonly #endInput = (): void => this.#endLine();

  #add(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > MOST_BYTES) this.#line.length = 0;
    else if (piece.length > 0) this.#line.push(piece);
  }

  #endLine(): void {
    const isTooLong = this.#length > MOST_BYTES;
    const bytes = Buffer.concat(this.#line);
    this.#line.length = 0;
    this.#length = 0;
    if (isTooLong) this.#refuse(rpcError(TOO_LONG));
    else if (!bytes.every(isSpace)) this.#read(bytes);
  }

  /** The messages of a batch are taken one by one, and answered so. */
  #read(bytes: Buffer): void {
    const read = valueOf(bytes, this.#readJson);
    if (read instanceof ToolError) this.#refuse(rpcError(read));
    else if (!isJsonArray(read)) this.#give(read);
    else if (read.length === 0) this.#refuse(rpcError(NO_MESSAGE));
    else for (const each of read) this.#give(each);
  }

  #give(value: JsonValue): void {
    const read = readMessage(value);
    if (read instanceof ToolError) {
      this.#refuse(rpcError(read, rpcIdOf(value) ?? null));
      return;
    }
    if (isJSONRPCRequest(read)) this.#asked.add(read.id);
    this.onmessage?.(read);
    const cancelled = CancelledNotificationSchema.safeParse(read).data?.params.requestId;
    if (cancelled !== undefined) this.#settle(cancelled);
  }

  #settle(id: RequestId): void {
    this.#asked.delete(id);
    if (this.#asked.size === 0) this.#onAllAnswered();
  }

  #refuse(answer: JsonObject): void {
    void this.#write(JSON.stringify(answer));
  }

  #write(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#output.write(`${text}\n`, () => resolve());
    });
  }
}

const TOO_LONG = scimToolError(
  "invalidRequest",
  "payloadTooLarge",
  `The message has more than ${MOST_BYTES} bytes; nothing was done. Send it in parts.`,
);

/** A space, or what stands for one in JSON. */
function isSpace(byte: number): boolean {
  return byte <= SPACE;
}

function valueOf(bytes: Uint8Array, readJson: ReadJson | undefined): JsonValue | ToolError {
  try {
    return readRpc(bytes, readJson);
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
}
