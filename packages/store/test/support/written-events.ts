/**
 * Writes that events tell of.
 * @module
 */
import { createPlan, SCOPE } from "@scim/core/testing";
import type { Store } from "../../src/store.ts";

/** Writes under way. */
const WRITERS = 16;

/**
 * Creates badges, many at once, each in a transaction of its own. Their ids are a name and their number, from 1 on.
 * @throws Error where one is not written
 */
export async function writeEvents(store: Store, name: string, count: number): Promise<void> {
  let next = 0;
  const write = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      const id = `${name}-${next}`;
      const result = await store.resources.write(SCOPE, createPlan({ type: "Badge", id, body: {} }));
      if (result.kind !== "written") throw new Error(`${id}: ${result.kind}`);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}
