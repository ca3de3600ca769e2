/**
 * Sends groups of many members from a process of its own: what sending costs must not count as time that others wait for
 * their answers.
 * @module
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Target } from "../http/start.ts";

/** What is sent, and where. */
export interface GroupToSend extends Pick<Target, "headers"> {
  /** Address of the group. */
  readonly address: string;
  readonly members: number;
}

/** A process that has the whole body of a group at hand. */
export interface GroupSender {
  /** Milliseconds from the first byte of a PUT to its answer. */
  put(): Promise<number>;
  end(): void;
}

/** Starts one. */
export async function groupSender(
  target: Target,
  { group, members }: { readonly group: string; readonly members: number },
): Promise<GroupSender> {
  const child = fork(fileURLToPath(new URL("send-group.ts", import.meta.url)), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = new AbortController();
  child.once("exit", () => ended.abort(new Error("The process that sends has ended.")));
  const told = async (message: GroupToSend | "put"): Promise<unknown> => {
    const answer = once(child, "message", { signal: ended.signal });
    child.send(message);
    return (await answer)[0];
  };
  const address = `${target.base}/Groups/${group}?attributes=displayName`;
  await told({ address, headers: target.headers, members });
  return {
    put: async () => Number(await told("put")),
    end: () => void child.kill(),
  };
}
