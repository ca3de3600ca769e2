/**
 * A process that creates badges, many at once, each in a transaction of its own. It prints when it is done.
 * Arguments: the address of the database, a name, how many.
 * @module
 */
import { createPlan, SCOPE } from "@scim/core/testing";
import { openAddress } from "./open-address.ts";

/** Writes under way. */
const WRITERS = 16;

const [address = "", name = "", count = "0"] = process.argv.slice(2);
const store = await openAddress(address);
let next = 0;

async function write(): Promise<void> {
  while (next < Number(count)) {
    next += 1;
    const id = `${name}-${next}`;
    const result = await store.resources.write(SCOPE, createPlan({ type: "Badge", id, body: {} }));
    if (result.kind !== "written") throw new Error(`${id}: ${result.kind}`);
  }
}

await Promise.all(Array.from({ length: WRITERS }, write));
await store.close();
console.log("written");
