import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { expect, inject, onTestFinished, test } from "vitest";
import { newFolder, SOURCES } from "../command-line/program.ts";
import { eventually } from "../eventually.ts";
import { exchange } from "../over-http/exchange.ts";

/** Takes nothing, as a full disk does. */
const FULL = "/dev/full";

test.skipIf(!existsSync(FULL))(
  "a server whose log has no room goes on, tells so once, and stops when it is told to",
  async () => {
    const log = openSync(FULL, "w");
    onTestFinished(() => closeSync(log));
    const args = ["--conditions=@scim/source", inject("program") ?? SOURCES, "serve", "--port", "0"];
    const child = spawn(process.execPath, args, { cwd: newFolder(), stdio: ["ignore", log, "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = once(child, "exit");
    let told = "";
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => void (told += chunk));
    const origin = await eventually(async () => {
      const found = /(http:\S+)\/scim\/v2/.exec(told)?.[1];
      expect(found).toBeDefined();
      return found ?? "";
    });
    for (const path of ["/healthz", "/scim/v2/Users", "/scim/v2/Groups"]) {
      const { status } = await exchange(origin, { method: "GET", path });
      expect(status).toBe(path === "/healthz" ? 200 : 401);
    }
    await eventually(async () => expect(told).toContain("The log cannot be written: ENOSPC"));
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(told.match(/cannot be written/g)).toHaveLength(1);
  },
);
