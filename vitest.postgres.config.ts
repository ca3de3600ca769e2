import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

const SETUP = fileURLToPath(new URL("fixtures/postgres/global-setup.ts", import.meta.url));

// For packages whose tests need a PostgreSQL: one server runs for all of them. They wait for it, and for processes that
// they start, so that two files at a time are done sooner, also where there are two cores.
export default mergeConfig(base, defineConfig({ test: { globalSetup: [SETUP], maxWorkers: 2 } }));
