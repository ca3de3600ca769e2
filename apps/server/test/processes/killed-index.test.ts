import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { USER_URN } from "@scim/schemas";
import { describe, expect, onTestFinished, test } from "vitest";
import { printed } from "../command-line/printed.ts";
import { newFolder } from "../command-line/program.ts";
import { clientOf } from "../over-http/client.ts";
import { ENGINES } from "../over-http/engines.ts";
import { newToken, type RunningServer, startServer } from "../over-http/server.ts";
import { examineDerived } from "./derived-rows.ts";

const USERS = 700;
const KILLS = 3;
/** Milliseconds that a server lives: from before building begins until behind its end. */
const LONGEST_LIFE = 3500;
/** Between the writes of one writer: the builder has its turns. */
const PAUSE_MS = 40;

function source(): string {
  const file = join(newFolder(), "users.jsonl");
  const users = Array.from({ length: USERS }, (_, at) => ({
    schemas: [USER_URN],
    userName: `user-${at}`,
    title: `Title ${at % 7}`,
  }));
  writeFileSync(file, users.map((user) => JSON.stringify(user)).join("\n"));
  return file;
}

/** Creates, changes and deletes users until the server is gone. */
async function write(server: RunningServer, name: string): Promise<number> {
  const client = clientOf(server);
  let written = 0;
  try {
    for (;;) {
      const { id } = await client.user({ userName: `${name}-${written}`, title: "New" });
      written += 1;
      const body = { schemas: [USER_URN], userName: `${name}-${written}b`, title: `Other ${written}` };
      await client.call("PUT", `/Users/${id}`, { body });
      if (written % 3 === 0) await client.call("DELETE", `/Users/${id}`);
      await delay(PAUSE_MS);
    }
  } catch {
    return written;
  }
}

describe.each(ENGINES)(
  "$name: indexes whose servers are killed while they build and drop them",
  ({ make }) => {
    test("hold the entries of all resources in the end, and no others", async () => {
      const { environment } = await make();
      const told = { ...environment, SCIM_TOKEN: newToken() };
      await printed(["migrate"], told);
      await printed(["import", source()], told);
      const index = (action: string, path: string): Promise<unknown> =>
        printed(["index", action, "--type", "User", "--path", path], told);
      await index("add", "nickName");
      for (let kills = 0; kills < KILLS; kills += 1) {
        const server = await startServer(told);
        onTestFinished(() => server.stop());
        const writing = [1, 2, 3].map((writer) => write(server, `w${kills}-${writer}`));
        if (kills === 0) await index("add", "title");
        if (kills === 1) await index("drop", "nickName");
        await delay(Math.random() * LONGEST_LIFE);
        server.kill();
        await Promise.all(writing);
      }
      const last = await startServer(told);
      const states = async (): Promise<readonly string[]> => {
        const { stdout } = await printed(["index", "list", "--type", "User", "--json"], told);
        // The command wrote it.
        const { indexes } = JSON.parse(stdout) as {
          readonly indexes: readonly { readonly path: string; readonly state: string }[];
        };
        return indexes.map(({ path, state }) => `${path} ${state}`);
      };
      // A look opens the database: some of them are enough.
      await expect
        .poll(states, { interval: 250 })
        .toSatisfy((found) => found.includes("title ready") && !found.join().includes("nickName"));
      await last.stop();
      const { compared, first } = await examineDerived(told);
      expect(first).toEqual([]);
      expect(compared).toBeGreaterThanOrEqual(USERS);
    });
  },
);
