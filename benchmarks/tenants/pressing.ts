/**
 * A tenant that asks for as much as it can, from a process of its own: what its requests cost it must not count as time that
 * others wait for their answers.
 * @module
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Target } from "../http/start.ts";
import type { Pressed, Pressure, UnderPressure } from "./pressure.ts";

/** Begins to ask. */
export function startPressing({ base, headers }: Target): UnderPressure {
  const child = fork(fileURLToPath(new URL("press.ts", import.meta.url)), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = new AbortController();
  child.once("exit", () => ended.abort(new Error("The process that asks has ended.")));
  const told = (message: Pressed | "stop"): Promise<unknown[]> => {
    const answer = once(child, "message", { signal: ended.signal });
    child.send(message);
    return answer;
  };
  return {
    begun: told({ base, headers }).then(() => undefined),
    stop: async () => {
      const [pressure] = await told("stop");
      child.kill();
      return pressure as Pressure;
    },
  };
}
