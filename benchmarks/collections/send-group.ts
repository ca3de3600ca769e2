/**
 * The program that sends a group: it makes the body when it is told of the group, and sends it whenever it is told to.
 * @module
 */
import { groupBody } from "./group-body.ts";
import type { GroupToSend } from "./group-sender.ts";

let put: (() => Promise<number>) | null = null;

process.on("message", (message: GroupToSend | "put") => {
  if (message === "put") void put?.().then((milliseconds) => process.send?.(milliseconds));
  else {
    put = sending(message);
    process.send?.("ready");
  }
});

function sending({ address, headers, members }: GroupToSend): () => Promise<number> {
  const body = groupBody(members);
  return async () => {
    const start = performance.now();
    const answer = await fetch(address, { method: "PUT", headers, body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`PUT was answered with ${String(answer.status)}: ${text.slice(0, 500)}`);
    return performance.now() - start;
  };
}
