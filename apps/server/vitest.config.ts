import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import base from "../../vitest.postgres.config.ts";

const PROGRAM = fileURLToPath(new URL("test/program/global-setup.ts", import.meta.url));

// Tests start the program hundreds of times.
export default mergeConfig(base, defineConfig({ test: { globalSetup: [PROGRAM] } }));
