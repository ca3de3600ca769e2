/**
 * A provisioning script on `@scim/client`: people join, change and leave, and so do the members of their team. Each change
 * is made on the version that the script knows; where somebody else was faster, it is told so and loses nothing.
 * @module
 */
import { deepEqual, equal, ok } from "node:assert/strict";
import { createScimClient, VersionConflictError, type ScimClient } from "@scim/client";
import { startServer } from "../scim-server.ts";

const server = await startServer(null);
const script = createScimClient({ baseUrl: server.baseUrl, auth: server.token });
const meanwhile = createScimClient({ baseUrl: server.baseUrl, auth: server.token });
try {
  const ada = await join(script);
  await change(script, ada.id);
  await meetAnother(script, meanwhile, ada.id);
  await team(script, ada.id);
  await manyAtOnce(script);
  console.log("The people are as the script wants them.");
} finally {
  await script.close();
  await meanwhile.close();
  await server.stop();
}

/** Creates somebody: once, also where the script runs again. */
async function join(client: ScimClient): Promise<{ readonly id: string }> {
  const wanted = {
    userName: "ada",
    externalId: "4711",
    name: { givenName: "Ada", familyName: "Lovelace" },
    emails: [{ value: "ada@example.com", type: "work", primary: true }],
  };
  const findOrCreate = async () =>
    (await client.users.list({ filter: (u) => u.externalId.eq(wanted.externalId) }).first()) ??
    (await client.users.create(wanted));
  const ada = await findOrCreate();
  equal((await findOrCreate()).id, ada.id);
  return ada;
}

/** Changes somebody by what is known of them, and by the smallest PATCH. */
async function change(client: ScimClient, id: string): Promise<void> {
  const ada = await client.users.get(id);
  const married = await client.users.replace(ada, { ...ada, name: { ...ada.name, familyName: "King" } });
  await client.users.patch(married, (p) =>
    p.values("emails", (e) => e.type.eq("work")).set("value", "ada.king@example.com"),
  );
  const wanted = { ...(await client.users.get(id)), title: "Countess" };
  await client.users.patch(id, client.users.diff(await client.users.get(id), wanted));
  const { name, emails, title } = await client.users.get(id);
  deepEqual([name?.familyName, emails?.[0]?.value, title], ["King", "ada.king@example.com", "Countess"]);
}

/** Somebody else changes the same user meanwhile. */
async function meetAnother(client: ScimClient, colleague: ScimClient, id: string): Promise<void> {
  const ada = await client.users.get(id);
  await colleague.users.patch(id, (p) => p.replace("nickName", "Enchantress of Numbers"));
  try {
    await client.users.replace(ada, { ...ada, title: "Lady" });
    ok(false, "A change on an old version must not be made");
  } catch (error) {
    if (!(error instanceof VersionConflictError)) throw error;
    equal(error.expectedVersion, client.users.versionOf(ada));
    ok(error.request?.requestId, "The log of the service knows the request by its id");
  }
  // Reads again and applies the change to what is there now; the colleague's change stays.
  await client.users.update(ada, (current) => ({ ...current, title: "Lady" }));
  const { title, nickName } = await client.users.get(id);
  deepEqual([title, nickName], ["Lady", "Enchantress of Numbers"]);
}

/** Members come and go one by one: the others need not be known. */
async function team(client: ScimClient, ada: string): Promise<void> {
  const grace = await client.users.create({ userName: "grace" });
  const pioneers = await client.groups.create({ displayName: "Pioneers", members: [{ value: ada }] });
  await client.groups.patch(pioneers, (p) => p.add("members", [{ value: grace.id }]));
  deepEqual((await client.users.get(grace.id)).groups?.[0]?.display, "Pioneers");
  await client.groups.patch(pioneers.id, (p) => p.values("members", (m) => m.value.eq(ada)).remove());
  const { members } = await client.groups.get(pioneers.id);
  deepEqual(
    members?.map(({ value }) => value),
    [grace.id],
  );
}

/** A class arrives with its group, in one request; one name is taken, and it alone fails. */
async function manyAtOnce(client: ScimClient): Promise<void> {
  const job = client.bulk();
  const names = ["barbara", "grace", "katherine"];
  const pupils = names.map((userName) => job.create(client.users, { userName }));
  const members = [{ value: pupils[0]?.reference ?? "" }, { value: pupils[2]?.reference ?? "" }];
  job.create(client.groups, { displayName: "Class of 26", members });
  const outcome = await job.run();
  deepEqual([outcome.done, outcome.failed, outcome.requests], [3, 1, 1]);
  const taken = outcome.outcomes.find((each) => each.kind === "failed");
  equal(taken?.error.code, "uniqueness");
  const found = await client.users.list({ filter: (u) => u.userName.co("a"), sortBy: "userName" }).toArray();
  deepEqual(
    found.map(({ userName }) => userName),
    ["ada", "barbara", "grace", "katherine"],
  );
}
