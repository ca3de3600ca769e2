import { once } from "node:events";
import { get as httpGet, type IncomingMessage } from "node:http";
import type { BodyStream, ScimHandler } from "@scim/http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ADAPTER_NAMES, type AdapterName, listen, originOf } from "./adapters.ts";

const PIECE = "x".repeat(65_536);

/** A body of so many pieces that notes what becomes of it. */
class NotedStream implements BodyStream {
  made = 0;
  readonly late = new AbortController();
  readonly signal = this.late.signal;
  readonly cancelled = Promise.withResolvers<void>();
  readonly #pieces: number;
  readonly #failsAt: number;

  constructor(pieces: number, failsAt = Number.POSITIVE_INFINITY) {
    this.#pieces = pieces;
    this.#failsAt = failsAt;
  }

  async cancel(): Promise<void> {
    this.cancelled.resolve();
  }

  [Symbol.asyncIterator](): AsyncIterator<string, undefined> {
    return {
      next: async () => {
        if (this.made === this.#failsAt) throw new Error("the database is gone");
        if (this.made === this.#pieces) return { done: true, value: undefined };
        this.made += 1;
        return { done: false, value: PIECE };
      },
      return: async () => {
        await this.cancel();
        return { done: true, value: undefined };
      },
    };
  }
}

async function request(adapter: AdapterName, body: BodyStream): Promise<IncomingMessage> {
  const handler: ScimHandler = {
    handle: async () => ({
      status: 200,
      headers: { "content-type": "application/scim+json", etag: 'W/"v1"' },
      body,
    }),
  };
  const origin = originOf(await listen(adapter, handler));
  const [answer] = (await once(httpGet(`${origin}/scim/v2/Groups/1`), "response")) as [IncomingMessage];
  return answer;
}

/** Hono tells what fails on the console. */
function quietHono(): void {
  const told = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => told.mockRestore());
}

/** How many pieces were made when no more are made for a while. */
async function madeAtRest(body: NotedStream): Promise<number> {
  let made = -1;
  while (made !== body.made) {
    ({ made } = body);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return made;
}

describe.each(ADAPTER_NAMES)("a body that is made while it is sent, by %s", (adapter) => {
  test("arrives whole, with its headers", async () => {
    const answer = await request(adapter, new NotedStream(20));
    let length = 0;
    for await (const chunk of answer) length += (chunk as Buffer).length;
    expect([answer.statusCode, answer.headers.etag, answer.complete]).toEqual([200, 'W/"v1"', true]);
    expect(length).toBe(20 * PIECE.length);
  });

  test("is made no faster than the client reads", async () => {
    const body = new NotedStream(1000);
    const answer = await request(adapter, body);
    answer.pause();
    // What the sockets of both sides take in; far from all.
    expect(await madeAtRest(body)).toBeLessThan(300);
    let length = 0;
    for await (const chunk of answer) length += (chunk as Buffer).length;
    expect([length, body.made]).toEqual([1000 * PIECE.length, 1000]);
  });

  test("is given up when the client goes away", async () => {
    const body = new NotedStream(1000);
    const answer = await request(adapter, body);
    answer.destroy();
    await body.cancelled.promise;
    expect(body.made).toBeLessThan(1000);
  });

  test("cuts the connection of a client that takes too long, which holds up what is on its way", async () => {
    quietHono();
    const body = new NotedStream(1000);
    const answer = await request(adapter, body);
    answer.pause();
    await madeAtRest(body);
    body.late.abort(new Error("The client took too long"));
    await body.cancelled.promise;
    const reading = async (): Promise<void> => {
      for await (const chunk of answer) expect(chunk).toBeDefined();
    };
    await expect(reading()).rejects.toMatchObject({ code: "ECONNRESET" });
    expect([answer.complete, body.made < 1000]).toEqual([false, true]);
  });

  test("that fails cuts the connection: nobody takes what came for the whole", async () => {
    quietHono();
    const answer = await request(adapter, new NotedStream(1000, 3));
    const reading = async (): Promise<void> => {
      for await (const chunk of answer) expect(chunk).toBeDefined();
    };
    await expect(reading()).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(answer.complete).toBe(false);
  });
});
