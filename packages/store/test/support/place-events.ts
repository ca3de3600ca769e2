/**
 * A process that gives positions to events until it is ended. It prints when it begins.
 * Arguments: the address of the database, how many positions a step gives.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { openAddress } from "./open-address.ts";

const [address = "", limit = "1"] = process.argv.slice(2);
const store = await openAddress(address);
console.log("giving");
for (;;) {
  const given = await store.events.assign(Number(limit));
  if (given === 0) await delay(20);
}
