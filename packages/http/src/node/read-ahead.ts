/**
 * Reads a body ahead of whoever takes it. That a client has gone away is known only when all that it sent was taken from
 * its connection: so it is known before work is begun for what nobody will finish.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { LongBodySource } from "../long-body/read-long-body.ts";

/** Bytes that are held at most (8 MiB): more than systems keep of a connection that is not read. */
const MOST_BYTES = 8_388_608;

/** Milliseconds without a byte after which what was sent so far is taken to be there. */
const SILENCE_MS = 20;

/** A body of which some is held. */
export class ReadAhead {
  readonly #source: LongBodySource["next"];
  readonly #held: Uint8Array[] = [];
  #bytes = 0;
  #state: "open" | "ended" | "stopped" = "open";
  #failure: { readonly error: unknown } | null = null;
  /** The piece that is on its way; null where none is asked for. */
  #coming: Promise<void> | null = null;

  constructor(source: LongBodySource["next"]) {
    this.#source = source;
    this.#readOn();
  }

  /**
   * Resolves when what the client has sent so far is held, or as much as may be.
   * @throws what reading has come to
   */
  async caughtUp(): Promise<void> {
    for (let before = -1; this.#coming !== null && this.#bytes !== before;) {
      before = this.#bytes;
      await Promise.race([this.#coming, delay(SILENCE_MS)]);
    }
    if (this.#failure !== null) throw this.#failure.error;
  }

  /**
   * The next bytes, or null at the end.
   * @throws what reading has come to, also where bytes are held still
   */
  async next(): Promise<Uint8Array | null> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure.error;
      const piece = this.#held.shift();
      if (piece !== undefined) {
        this.#bytes -= piece.length;
        this.#readOn();
        return piece;
      }
      if (this.#coming === null) return null;
      await this.#coming;
    }
  }

  /** Asks for no more. */
  stop(): void {
    this.#state = "stopped";
  }

  #readOn(): void {
    if (this.#coming !== null || this.#state !== "open" || this.#bytes >= MOST_BYTES) return;
    this.#coming = this.#source().then(
      (piece) => this.#arrived(piece),
      (error: unknown) => {
        this.#failure = { error };
        this.#coming = null;
      },
    );
  }

  #arrived(piece: Uint8Array | null): void {
    this.#coming = null;
    if (piece === null) {
      this.#state = "ended";
      return;
    }
    this.#held.push(piece);
    this.#bytes += piece.length;
    this.#readOn();
  }
}
