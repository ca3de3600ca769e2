/**
 * Makes the program `scim` in `dist`, beside the types that `tsc -b` writes there.
 * @module
 */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleProgram } from "./bundle.ts";

const SERVER = fileURLToPath(new URL("../", import.meta.url));
const DIST = join(SERVER, "dist");

// Names of files tell their content: those of another build would stay.
mkdirSync(DIST, { recursive: true });
for (const name of readdirSync(DIST)) {
  if (name !== "types") rmSync(join(DIST, name), { recursive: true });
}
await bundleProgram({ server: SERVER, target: DIST });
