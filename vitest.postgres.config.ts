import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

const SETUP = fileURLToPath(new URL("fixtures/postgres/global-setup.ts", import.meta.url));

// For packages whose tests need a PostgreSQL: one server runs for all of them.
export default mergeConfig(base, defineConfig({ test: { globalSetup: [SETUP] } }));
