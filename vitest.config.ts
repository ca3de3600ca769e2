import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { useMemory } from "./vitest.scratch.ts";

/** Sets what property tests begin with. */
const SEED = fileURLToPath(new URL("vitest.seed.ts", import.meta.url));

/** Programs that tests start compile what others have compiled before them no more. */
const COMPILED = fileURLToPath(new URL("node_modules/.cache/node-compile-cache", import.meta.url));

useMemory();

// Tests run from source through the export condition that every package states.
export default defineConfig({
  resolve: { conditions: ["@scim/source"] },
  ssr: { resolve: { conditions: ["@scim/source"] } },
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: [SEED],
    // Files of tests share a process, and so what they import: none changes a module for others.
    isolate: false,
    env: { NODE_COMPILE_CACHE: COMPILED },
    // What is awaited comes when it comes: a slow machine is no failure.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
