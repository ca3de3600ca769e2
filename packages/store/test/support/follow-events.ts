/**
 * A process that follows the events of a tenant until it has so many. It prints the ids that they name, in order, as
 * JSON; it fails where a position does not follow the one before.
 * Arguments: the address of the database, the tenant, how many events.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { openAddress } from "./open-address.ts";

const [address = "", tenant = "", count = "0"] = process.argv.slice(2);
const store = await openAddress(address);
const ids: string[] = [];
while (ids.length < Number(count)) {
  const events = await store.events.read(tenant, { after: ids.length, limit: 97 });
  for (const { position, id } of events) {
    ids.push(id);
    if (position !== ids.length) throw new Error(`Position ${position} came as number ${ids.length}`);
  }
  if (events.length === 0) await delay(20);
}
await store.close();
console.log(JSON.stringify(ids));
