/**
 * A process that opens a store, writes one resource and says what became of it.
 * Arguments: the path of the database, the id of the resource.
 * @module
 */
import { createPlan, SCOPE } from "@scim/core/testing";
import { openSqliteStore } from "@scim/store/sqlite";

const [path = "", id = ""] = process.argv.slice(2);
const store = await openSqliteStore({ path, busyTimeout: 30_000 });
const result = await store.resources.write(SCOPE, createPlan({ type: "User", id, body: { userName: id } }));
await store.close();
console.log(result.kind);
