/**
 * A process that adds entries to the body of one resource, each by an update that checks the version, and
 * creates resources of its own. It prints what was acknowledged, as JSON.
 * Arguments: the path of the database, a name, how many.
 * @module
 */
import { createPlan, fetchOne, SCOPE, updatePlan } from "@scim/core/testing";
import { openSqliteStore } from "@scim/store/sqlite";

const [path = "", name = "", count = "0"] = process.argv.slice(2);
const store = await openSqliteStore({ path, busyTimeout: 30_000 });
const { resources } = store;
const acknowledged: string[] = [];
let conflicts = 0;

for (let index = 0; index < Number(count); index += 1) {
  const entry = `${name}${index}`;
  await resources.write(SCOPE, createPlan({ type: "User", id: entry, body: { userName: entry } }));
  for (;;) {
    const shared = await fetchOne(resources, { type: "Badge", id: "shared" });
    const plan = updatePlan(shared, { body: { ...shared.body, [entry]: true } });
    // Names in both processes count alike: the nonce must still differ.
    const result = await resources.write(SCOPE, { ...plan, nonce: `${name}${plan.nonce}` });
    if (result.kind === "written") break;
    conflicts += 1;
  }
  acknowledged.push(entry);
}
await store.close();
console.log(JSON.stringify({ acknowledged, conflicts }));
