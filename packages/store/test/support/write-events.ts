/**
 * A process that creates badges, many at once, each in a transaction of its own. It prints when it is done.
 * Arguments: the address of the database, a name, how many.
 * @module
 */
import { openAddress } from "./open-address.ts";
import { writeEvents } from "./written-events.ts";

const [address = "", name = "", count = "0"] = process.argv.slice(2);
const store = await openAddress(address);
await writeEvents(store, name, Number(count));
await store.close();
console.log("written");
