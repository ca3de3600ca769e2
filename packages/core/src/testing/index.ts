/**
 * `@scim/core/testing`: stores in memory, and what every store must do as data. This file is the whole
 * public surface.
 * @module
 */
export { createMemoryStore, createMemoryTokenStore } from "./memory-store.ts";
