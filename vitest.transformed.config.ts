import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

// For packages whose tests are written with `using`, on Node.js 22, which has no such syntax yet: Vite translates it.
export default mergeConfig(
  base,
  defineConfig({
    resolve: { conditions: ["@scim/source"] },
    ssr: { resolve: { conditions: ["@scim/source"] } },
    test: { experimental: { viteModuleRunner: true } },
  }),
);
