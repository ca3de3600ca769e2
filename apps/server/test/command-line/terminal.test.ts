import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { WriteStream } from "node:tty";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { runCommand } from "../../src/command-line.ts";
import { startProgress } from "../../src/progress/progress.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { captured, printed } from "./printed.ts";
import { newFolder } from "./program.ts";

const ESCAPE = "\u001B";

/** Lets standard output be a terminal, or none, for one test. */
function standardOutput(isTerminal: boolean, environment: Readonly<Record<string, string>>): void {
  for (const name of ["NO_COLOR", "FORCE_COLOR", "NODE_DISABLE_COLORS", "COLORTERM", "CI"])
    vi.stubEnv(name, environment[name]);
  vi.stubEnv("TERM", environment["TERM"] ?? "xterm-256color");
  const before = Object.getOwnPropertyDescriptors(process.stdout);
  Object.defineProperty(process.stdout, "isTTY", { value: isTerminal, configurable: true });
  const depth = (): number => WriteStream.prototype.getColorDepth.call(process.stdout, process.env);
  Object.defineProperty(process.stdout, "getColorDepth", { value: depth, configurable: true });
  onTestFinished(() => {
    vi.unstubAllEnvs();
    for (const name of ["isTTY", "getColorDepth"] as const) {
      Reflect.deleteProperty(process.stdout, name);
      const descriptor = before[name];
      if (descriptor !== undefined) Object.defineProperty(process.stdout, name, descriptor);
    }
  });
}

describe("colours", () => {
  test.each([
    ["on a terminal", true, {}, true],
    ["in a pipe", false, {}, false],
    ["on a terminal with NO_COLOR", true, { NO_COLOR: "1" }, false],
    ["on a terminal that has none", true, { TERM: "dumb" }, false],
  ])("%s", async (_name, isTerminal, environment, coloured) => {
    standardOutput(isTerminal, environment);
    const { stdout } = await printed(["token", "--help"], {});
    expect(stdout.includes(ESCAPE)).toBe(coloured);
  });
});

describe("progress", () => {
  test.each([
    [true, true],
    [false, false],
  ])("on a terminal: %j", (isTTY, shown) => {
    const written: string[] = [];
    const progress = startProgress("rows", { isTTY, write: (text) => written.push(text) }, () => 0);
    progress.show({ done: 5, part: 0.5, note: "" });
    progress.end();
    expect(written.join("").includes("5 rows")).toBe(shown);
    expect(written.length > 0).toBe(shown);
  });

  test("is gone from the line before anybody tells that standard output cannot be written", () => {
    const written: string[] = [];
    const tell = (): void => void written.push("told");
    process.stdout.on("error", tell);
    onTestFinished(() => void process.stdout.off("error", tell));
    const progress = startProgress("rows", { isTTY: true, write: (text) => written.push(text) }, () => 0);
    progress.show({ done: 5, part: 0.5, note: "" });
    process.stdout.emit("error", new Error("ENOSPC"));
    expect(written.slice(-2)).toEqual([`\r${ESCAPE}[2K`, "told"]);
    progress.end();
    process.stdout.emit("error", new Error("ENOSPC"));
    expect(written.slice(-2)).toEqual([`\r${ESCAPE}[2K`, "told"]);
    expect(written).toHaveLength(5);
  });

  test("is gone from the line that a failure is told in", async () => {
    const folder = newFolder();
    const environment = { SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}` };
    const server = await startInProcess(environment);
    await server.user({ userName: "anna" });
    await expect.poll(async () => (await printed(["audit", "list"], environment)).stdout).toContain("User");
    await server.stop();
    writeFileSync(join(folder, "audit.jsonl.partial"), "");
    const before = Object.getOwnPropertyDescriptor(process.stderr, "isTTY");
    Object.defineProperty(process.stderr, "isTTY", { value: true, configurable: true });
    onTestFinished(() => {
      Reflect.deleteProperty(process.stderr, "isTTY");
      if (before !== undefined) Object.defineProperty(process.stderr, "isTTY", before);
    });
    const exported = runCommand.bind(null, ["audit", "export", join(folder, "audit.jsonl")], environment);
    const { stderr } = await captured(() => exported().catch(() => null));
    expect(stderr).toContain(" entries, ");
    expect(stderr.endsWith(`\r${ESCAPE}[2K`)).toBe(true);
  });
});
