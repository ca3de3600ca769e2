import { defineConfig } from "vitest/config";

// Tests run from source through the export condition that every package states.
export default defineConfig({
  resolve: { conditions: ["@scim/source"] },
  ssr: { resolve: { conditions: ["@scim/source"] } },
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
