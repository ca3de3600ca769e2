import { ALL_CONSTRAINTS, type ConnectionRule, connectionRule } from "@scim/core";
import { seed } from "@scim/core/testing";
import { createDefaultRegistry, GROUP_URN, type JsonObject } from "@scim/schemas";
import {
  sampleClient,
  sampleConnection,
  sampleIdentity,
  sampleIssuer,
  sampleSecret,
  sampleTenant,
  sampleTrust,
} from "@scim/tenancy/testing";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { copyStore } from "../../src/copy/index.ts";
import type { Store } from "../../src/store.ts";
import { bareDatabase, openPostgres, openPostgresAt } from "../support/engines.ts";
import { newFolder, open } from "../support/folders.ts";
import { CALLER } from "../support/services.ts";
import { exported, fill, operatorOver, userOf } from "./filled.ts";

const NONE = { attributes: null, excludedAttributes: null };
const sqlite = (): Promise<Store> => open(":memory:");

/** Begins a rule for the connection of the caller, and one for another. */
async function beginRules({
  connections,
  resources,
}: Store): Promise<Readonly<Record<"held" | "begun", ConnectionRule>>> {
  const { tenant, connection } = CALLER;
  const [constraint] = ALL_CONSTRAINTS;
  if (constraint === undefined) throw new TypeError("There is a constraint");
  const ruleOf = (name: string): ConnectionRule => connectionRule(constraint, { tenant, connection: name });
  const rules = { held: ruleOf(connection), begun: ruleOf("hr") };
  for (const name of [connection, "hr"]) await connections.add(sampleConnection(name, { tenant }));
  for (const rule of Object.values(rules)) await resources.rules?.begin(rule, "one");
  return rules;
}

const WAYS: readonly (readonly [string, () => Promise<Store>, () => Promise<Store>])[] = [
  ["SQLite to PostgreSQL", sqlite, () => openPostgres()],
  ["PostgreSQL to SQLite", () => openPostgres(), sqlite],
  ["SQLite to SQLite", sqlite, sqlite],
];

describe.each(WAYS)("a store that is moved from %s", (_, openSource, openTarget) => {
  test("holds the same, says the checksums of both sides", async () => {
    const [source, target] = [await openSource(), await openTarget()];
    await fill(source);
    const { source: before, target: after, equal } = await copyStore(source, target);
    expect(equal).toBe(true);
    expect(after).toEqual(before);
    const counts = before.filter(({ tenant }) => tenant === CALLER.tenant);
    expect(Object.fromEntries(counts.map(({ what, count }) => [what, count]))).toMatchObject({
      User: 4,
      Group: 3,
      "Group.members": 704,
      events: 9,
    });
    expect(await exported(target)).toBe(await exported(source));
  });

  test("takes along what tenants have of their own, and the hashes of secrets", async () => {
    const [source, target] = [await openSource(), await openTarget()];
    const tenant = sampleTenant(CALLER.tenant, { limits: { "page.size": 5 }, secrets: "hash" });
    await source.tenants.add(tenant);
    const body = { ...userOf("anna"), password: "open sesame" };
    const service = operatorOver(source).adapted({ secrets: source.secrets });
    const { resource } = await service.create(CALLER, { type: "User", body, ...NONE });
    const { source: before, equal } = await copyStore(source, target);
    expect([equal, before.find(({ what }) => what === "secret_hashes")?.count]).toEqual([true, 1]);
    expect(await target.tenants.find(CALLER.tenant)).toEqual(tenant);
    const secret = { type: "User", id: String(resource["id"]), path: "password" };
    expect(await target.secrets.verify(CALLER, secret, "open sesame")).toBe(true);
  });

  test("takes OAuth clients along with what they have, and administrators with their issuers", async () => {
    const [source, target] = [await openSource(), await openTarget()];
    const client = sampleClient("c1", { tenant: "default" });
    const secret = sampleSecret("s1", { tenant: "default", lastUsed: "2026-03-01T08:00:00.000Z" });
    const trust = sampleTrust("t1", { tenant: "default", requireJti: true });
    const { tenant, id } = client;
    const token = { tenant, client: id, credential: "s1", hash: "h", keyId: "k", scopes: ["scim"] };
    const given = { ...token, created: client.created, expires: "2026-03-01T09:00:00.000Z" };
    const used = { jti: "j", expires: given.expires };
    await source.clients.addClient(client);
    await source.clients.addSecret(secret);
    await source.clients.addTrust(trust);
    await source.clients.addAccessToken(given, used);
    const [issuer, identity] = [sampleIssuer("i1"), sampleIdentity("a")];
    await source.admins.addIssuer(issuer);
    await source.admins.addIdentity(identity);
    await copyStore(source, target);
    expect(await target.admins.listIssuers()).toEqual([issuer]);
    expect(await target.admins.listIdentities()).toEqual([identity]);
    expect(await target.clients.listClients(tenant, null)).toEqual([client]);
    expect(await target.clients.listSecrets(client)).toEqual([secret]);
    expect(await target.clients.listTrusts(client)).toEqual([trust]);
    expect(await target.clients.findAccessTokens(tenant, ["h"])).toEqual([{ token: given, client }]);
    expect(await target.clients.addAccessToken({ ...given, hash: "i" }, used)).toBe(false);
  });

  test("answers to the versions that it gave before, and finds, counts and refuses as before", async () => {
    const [source, target] = [await openSource(), await openTarget()];
    const rules = await beginRules(source);
    await fill(source);
    expect(await source.resources.rules?.complete(rules.held, "one")).toBe(true);
    const answer = await operatorOver(source).create(CALLER, { type: "User", body: userOf("dora"), ...NONE });
    await copyStore(source, target);
    const service = operatorOver(target);
    const precondition = { ifMatch: [answer.version], ifNoneMatch: null };
    const id = String(answer.resource["id"]);
    const body = { ...userOf("dora"), title: "Prof" };
    const changed = await service.replace(CALLER, { type: "User", id, body, precondition, ...NONE });
    expect(changed.resource["title"]).toBe("Prof");
    await expect(
      service.replace(CALLER, { type: "User", id, body, precondition, ...NONE }),
    ).rejects.toMatchObject({
      code: "versionMismatch",
    });
    const long = "x".repeat(1500);
    for (const name of ["anna", "ANNA", long]) {
      await expect(
        service.create(CALLER, { type: "User", body: { ...userOf("new"), userName: name }, ...NONE }),
      ).rejects.toMatchObject({ code: "uniqueness" });
    }
    // The profile of the writer has no such rule: that of the connection holds.
    const group = { schemas: [GROUP_URN], displayName: "MANY" };
    await expect(service.create(CALLER, { type: "Group", body: group, ...NONE })).rejects.toMatchObject({
      code: "uniqueness",
    });
    expect(await target.resources.rules?.state(rules.begun)).toBe(null);
    const found = await target.resources.imports?.holders(CALLER, {
      type: "User",
      path: "emails.value",
      unique: null,
      keys: ["anna@example.com", `${long}@example.com`, "nobody"],
    });
    expect(found).toHaveLength(2);
  });

  test("erases who was deleted before, though nobody else of its type is left", async () => {
    const [source, target] = [await openSource(), await openTarget()];
    const service = operatorOver(source);
    const { resource } = await service.create(CALLER, { type: "User", body: userOf("anna"), ...NONE });
    const id = String(resource["id"]);
    await service.delete(CALLER, { type: "User", id, precondition: { ifMatch: null, ifNoneMatch: null } });
    await copyStore(source, target);
    const subject = { tenant: CALLER.tenant, type: "User", id };
    const order = { subject, at: "2026-03-01T08:00:00.000Z", newNonce: () => "erased" };
    expect(await target.erasures.tenantTypes(CALLER.tenant)).toEqual(["User"]);
    expect(await target.erasures.erase(order)).toMatchObject({ resources: 1 });
    expect(await target.resources.deleted?.read(CALLER, { type: "User", id })).toBe(null);
  });

  test("refuses what is unique by schemas of its own, long values too, before anything is indexed", async () => {
    const [source, target] = [await openSource(), await openTarget()];
    const registry = createDefaultRegistry();
    const schema = "urn:example:params:scim:schemas:core:2.0:Badge";
    const uniqueness = "server";
    registry.addSchema({
      id: schema,
      attributes: [
        { name: "code", type: "string", uniqueness },
        { name: "codes", type: "string", caseExact: true, multiValued: true, uniqueness },
      ],
    });
    registry.addResourceType({ name: "Badge", endpoint: "/Badges", schema });
    // Behind 992 bytes there is half a character.
    const [short, long] = ["A", `A${"Ä".repeat(700)}`];
    const create = (store: Store, body: JsonObject): Promise<unknown> =>
      operatorOver(store, registry).create(CALLER, {
        type: "Badge",
        body: { schemas: [schema], ...body },
        ...NONE,
      });
    await create(source, { code: long, codes: [long, short] });
    await create(source, { code: short });
    await copyStore(source, target);
    for (const body of [{ code: long.toLowerCase() }, { codes: [long] }, { codes: [short] }, { code: short }])
      await expect(create(target, body)).rejects.toMatchObject({ code: "uniqueness" });
    await create(target, { codes: [long.toLowerCase()] });
  });

  test("goes on with its events where they were", async () => {
    const [source, target] = [await openSource(), await openTarget()];
    await fill(source);
    await copyStore(source, target);
    const head = await target.events.head(CALLER.tenant);
    expect(head).toBe(await source.events.head(CALLER.tenant));
    await operatorOver(target).create(CALLER, { type: "User", body: userOf("later"), ...NONE });
    // On PostgreSQL a transaction of another database may be under way: none is given meanwhile.
    while ((await target.events.assign(100)) === 0);
    expect(await target.events.head(CALLER.tenant)).toBe(head + 1);
  });
});

const TARGETS: readonly (readonly [string, () => Promise<() => Promise<Store>>])[] = [
  [
    "SQLite",
    async () => {
      const path = join(newFolder(), "target.db");
      return () => open(path);
    },
  ],
  [
    "PostgreSQL",
    async () => {
      const url = await bareDatabase();
      return () => openPostgresAt(url, { pending: "apply" });
    },
  ],
];

test.each(TARGETS)(
  "a move to %s that breaks off leaves what no program opens; one that ends well does not",
  async (_, makeTarget) => {
    const source = await sqlite();
    await fill(source);
    const [broken, whole] = [await makeTarget(), await makeTarget()];
    const onProgress = (rows: number): void => {
      if (rows > 20) throw new RangeError("killed");
    };
    await expect(copyStore(source, await broken(), { onProgress })).rejects.toThrow("killed");
    await expect(broken()).rejects.toMatchObject({
      code: "databaseUnusable",
      message: expect.stringContaining("did not come to its end"),
    });
    expect(await copyStore(source, await whole())).toMatchObject({ equal: true });
    expect(await exported(await whole())).toBe(await exported(source));
  },
);

test.each(TARGETS)(
  "no program opens %s before all events to move have their positions",
  async (_, makeTarget) => {
    const source = await sqlite();
    await fill(source);
    const openTarget = await makeTarget();
    const target = await openTarget();
    const assign = source.events.assign.bind(source.events);
    const assigning = vi.spyOn(source.events, "assign").mockImplementationOnce(async (limit) => {
      await expect(openTarget()).rejects.toMatchObject({ code: "databaseUnusable" });
      return assign(limit);
    });
    expect(await copyStore(source, target)).toMatchObject({ equal: true });
    expect(assigning).toHaveBeenCalled();
  },
);

test("resources of much JSON are moved some at a time, and all of them", async () => {
  const [source, target] = [await sqlite(), await sqlite()];
  const title = "x".repeat(1_000_000);
  await seed(
    source.resources,
    Array.from({ length: 20 }, (_, index) => ({ type: "User", id: `w${index}`, body: { title } })),
  );
  const steps: number[] = [];
  const { equal } = await copyStore(source, target, { onProgress: (rows) => void steps.push(rows) });
  const most = Math.max(...steps.map((rows, index) => rows - (steps[index - 1] ?? 0)));
  expect([equal, most]).toEqual([true, 9]);
});

test("a move that is refused before it copies leaves the new database as it was", async () => {
  const source = await sqlite();
  await fill(source);
  const path = join(newFolder(), "target.db");
  const target = await open(path);
  vi.spyOn(source.events, "assign").mockRejectedValueOnce(new Error("busy"));
  await expect(copyStore(source, target)).rejects.toThrow("busy");
  expect(await copyStore(source, await open(path))).toMatchObject({ equal: true });
});

test("what is written while a move is under way is found out, and no program opens the new database", async () => {
  const source = await sqlite();
  await fill(source);
  const path = join(newFolder(), "target.db");
  const target = await open(path);
  const list = source.connections.list.bind(source.connections);
  // Rules of connections are copied behind the resources.
  vi.spyOn(source.connections, "list").mockImplementation(async (tenant) => {
    if (tenant === CALLER.tenant)
      await operatorOver(source).create(CALLER, { type: "User", body: userOf("meanwhile"), ...NONE });
    return list(tenant);
  });
  const { equal, source: here, target: there } = await copyStore(source, target);
  expect(equal).toBe(false);
  const [moved, all] = [there, here].map((sums) => sums.find(({ what }) => what === "User"));
  expect(all?.count).toBe(Number(moved?.count) + 1);
  expect(all?.digest).not.toBe(moved?.digest);
  await expect(open(path)).rejects.toMatchObject({ code: "databaseUnusable" });
});

test.each(TARGETS)(
  "of two moves to %s at once one is refused, and the other undisturbed",
  async (_, makeTarget) => {
    const sources = [await sqlite(), await sqlite()];
    for (const source of sources) await fill(source);
    const openTarget = await makeTarget();
    const targets = [await openTarget(), await openTarget()] as const;
    const moves = sources.map((source, index) => copyStore(source, targets[index === 0 ? 0 : 1]));
    const [ended, refused] = (await Promise.allSettled(moves)).toSorted((a, b) =>
      a.status < b.status ? -1 : 1,
    );
    expect(ended).toMatchObject({ value: { equal: true } });
    expect(refused).toMatchObject({ reason: { code: "databaseUnusable" } });
  },
);

test("a store that holds something is not moved to", async () => {
  const [source, target] = [await sqlite(), await sqlite()];
  await fill(source);
  await fill(target);
  await expect(copyStore(source, target)).rejects.toMatchObject({ code: "databaseUnusable" });
});
