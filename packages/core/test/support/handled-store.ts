/**
 * A store whose resource types are all kept by handlers in memory.
 * @module
 */
import type { SchemaRegistry } from "@scim/schemas";
import {
  createHandlerStore,
  type HandlerStoreOptions,
  type ResourceHandler,
  type ResourceStore,
} from "../../src/index.ts";
import { createMemoryHandler, type MemoryHandlerOptions } from "../../src/testing/index.ts";
import { testSources } from "./sources.ts";

/** What a store of handlers differs in from a whole one. */
export interface HandledStoreOptions extends Partial<Pick<HandlerStoreOptions, "timeout" | "store">> {
  /** Handlers that take the place of those in memory. */
  readonly handlers?: Readonly<Record<string, ResourceHandler>>;
  /** How handlers in memory differ from whole ones. */
  readonly memory?: MemoryHandlerOptions;
}

/** Makes a store. What is unique over all types is so within each. */
export function handledStore(registry: SchemaRegistry, options: HandledStoreOptions = {}): ResourceStore {
  const { handlers = {}, memory = {}, ...others } = options;
  const types = registry.resourceTypes().filter(({ rowsOf }) => rowsOf === undefined);
  const made = types.map(({ name }) => [name, createMemoryHandler(memory)] as const);
  return createHandlerStore({
    registry,
    sources: testSources(),
    handlers: { ...Object.fromEntries(made), ...handlers },
    ...others,
  });
}
