/**
 * Runs turbo with its telemetry off. Arguments are passed on; the exit code is turbo's.
 * @module
 */
import { spawnSync } from "node:child_process";

const { status } = spawnSync("turbo", process.argv.slice(2), {
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
  // On Windows turbo is a script of the shell.
  shell: process.platform === "win32",
  stdio: "inherit",
});
process.exitCode = status ?? 1;
