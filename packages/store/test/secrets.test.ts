/**
 * What is kept of secrets, and what tells whether somebody knows one.
 */
import { createHook } from "node:async_hooks";
import { scryptSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { eraseSubject } from "@scim/events";
import { SAMPLE_KEYS } from "@scim/events/testing";
import {
  createScimService,
  type OperatorService,
  type Precondition,
  type SecretSink,
  type StoreScope,
} from "@scim/core";
import {
  createDefaultRegistry,
  isScimError,
  PATCH_OP_URN,
  USER_URN,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import { sampleTenant } from "@scim/tenancy/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Store } from "../src/store.ts";
import { newFile, open } from "./support/folders.ts";
import { ENGINES } from "./support/engines.ts";
import { CALLER } from "./support/services.ts";

const SECRET = "s3cret-open sesame";
const PLAIN = { attributes: null, excludedAttributes: null };
const ANY = { ifMatch: null, ifNoneMatch: null };
const SCOPE: StoreScope = { tenant: CALLER.tenant, connection: CALLER.connection };

let made = 0;

/** A hash with settings that take no time, beside those of the service. */
function quickHash(value: string): string {
  const key = scryptSync(value, "saltsaltsaltsalt", 32, { N: 2 ** 4, r: 8, p: 1 });
  return `$scrypt$ln=4,r=8,p=1$c2FsdHNhbHRzYWx0c2FsdA$${key.toString("base64").replaceAll("=", "")}`;
}

/** What hashes without taking time, for tests that ask where hashes are and not how they are made. */
function quickly({ secrets }: Store): SecretSink {
  return {
    hash: async (_scope, value) => quickHash(value),
    matches: async (scope, value, hash) => secrets.matches(scope, value, hash),
  };
}

function keepingService(store: Store, secrets = quickly(store)): OperatorService {
  return createScimService({
    registry: createDefaultRegistry(),
    store: store.resources,
    secrets,
    sources: {
      now: () => Date.now(),
      newId: () => `secretive-${String((made += 1))}`,
      newNonce: () => `n${String((made += 1))}`,
      digest: (text) => text,
    },
  });
}

async function create(service: OperatorService, more: JsonObject = {}): Promise<string> {
  const body = { schemas: [USER_URN], userName: `user-${String((made += 1))}`, ...more };
  const { resource } = await service.create(CALLER, { ...PLAIN, type: "User", body });
  return String(resource["id"]);
}

function patch(service: OperatorService, id: string, operation: JsonValue): Promise<unknown> {
  const body = { schemas: [PATCH_OP_URN], Operations: [operation] };
  return service.patch(CALLER, { ...PLAIN, type: "User", id, body, precondition: ANY, prefer: null });
}

describe.each(ENGINES)("secrets on %s", (_engine, openStore) => {
  test("a hash is found under its tenant, type, id and path alone", async () => {
    const store = await openStore();
    const service = keepingService(store);
    const id = await create(service, { password: SECRET });
    const without = await create(service);
    const target = { type: "User", id, path: "password" };
    const found = async (of: Partial<typeof target>, scope = SCOPE): Promise<unknown> =>
      store.resources.secrets?.find(scope, { ...target, ...of });
    expect(await found({})).toBe(quickHash(SECRET));
    const others = [
      found({ id: without }),
      found({ id: "nobody" }),
      found({ path: "pin" }),
      found({ type: "Group" }),
      found({}, { ...SCOPE, tenant: "south" }),
    ];
    expect(await Promise.all(others)).toEqual(others.map(() => null));
    const entered = [SECRET, "s3cret-open Sesame", `${SECRET} `, "", `${SECRET}\u0000`];
    const verified = entered.map(async (value) => store.secrets.verify(SCOPE, target, value));
    expect(await Promise.all(verified)).toEqual([true, false, false, false, false]);
  });

  test("R8265-4.2-01 it is prepared the same way: a password with U+3000 equals one with a space", async () => {
    const store = await openStore();
    const id = await create(keepingService(store), { password: "\u00F3pen\u3000sesame" });
    const target = { type: "User", id, path: "password" };
    for (const entered of ["ópen sesame", "o\u0301pen sesame", "ópen\u00A0sesame", "ópen\u3000sesame"])
      expect([entered, await store.secrets.verify(SCOPE, target, entered)]).toEqual([entered, true]);
  });

  test("a replaced one counts, a removed one does not, and one of a deleted resource is gone", async () => {
    const store = await openStore();
    const service = keepingService(store);
    const id = await create(service, { password: SECRET });
    const target = { type: "User", id, path: "password" };
    const found = async (): Promise<unknown> => store.resources.secrets?.find(SCOPE, target);
    await patch(service, id, { op: "replace", path: "password", value: "another-s3cret" });
    expect(await store.secrets.verify(SCOPE, target, SECRET)).toBe(false);
    expect(await store.secrets.verify(SCOPE, target, "another-s3cret")).toBe(true);
    await patch(service, id, { op: "remove", path: "password" });
    expect(await found()).toBeNull();
    await patch(service, id, { op: "add", path: "password", value: SECRET });
    expect(await found()).toBe(quickHash(SECRET));
    await service.delete(CALLER, { type: "User", id, precondition: ANY });
    expect(await found()).toBeNull();
  });

  test("the hashes of one tenant are removed some at a time, and none while it keeps them", async () => {
    const store = await openStore();
    const service = keepingService(store);
    const id = await create(service, { password: SECRET });
    await store.tenants.removeHashes("south", 10);
    const keeping = sampleTenant(SCOPE.tenant, { secrets: "hash" });
    await store.tenants.add(keeping);
    expect(await store.tenants.removeHashes(SCOPE.tenant, 10)).toBe(0);
    expect(await store.resources.secrets?.find(SCOPE, { type: "User", id, path: "password" })).not.toBeNull();
    await store.tenants.replace({ ...keeping, secrets: "drop", revision: 2 }, 1);
    await create(service, { password: SECRET });
    const batches = [];
    for (let rows = -1; rows !== 0; batches.push(rows))
      rows = await store.tenants.removeHashes(SCOPE.tenant, 1);
    expect(batches.slice(0, -1)).toEqual([1, 1]);
    expect(await store.resources.secrets?.find(SCOPE, { type: "User", id, path: "password" })).toBeNull();
  });
});

describe("a hash", () => {
  test("the hash is a PHC string that other programs read, with a salt of its own", async () => {
    const store = await open(":memory:");
    const service = keepingService(store, store.secrets);
    const hashes = [];
    for (const password of [SECRET, SECRET]) {
      const id = await create(service, { password });
      hashes.push(await store.resources.secrets?.find(SCOPE, { type: "User", id, path: "password" }));
    }
    const [first = "", second] = hashes;
    expect(first).not.toBe(second);
    const [, name, settings, salt = "", key = ""] = first?.split("$") ?? [];
    expect([name, settings]).toEqual(["scrypt", "ln=14,r=8,p=5"]);
    const derived = scryptSync(SECRET, Buffer.from(salt, "base64"), 32, {
      N: 2 ** 14,
      r: 8,
      p: 5,
      maxmem: 2 ** 25,
    });
    expect(key).toBe(derived.toString("base64").replaceAll("=", ""));
  });

  test("R7643-4.1-03 a password is verified against the hash, and against nothing else", async () => {
    const store = await open(":memory:");
    const id = await create(keepingService(store, store.secrets), { password: SECRET });
    const verified = async (type: string, value: string): Promise<boolean> =>
      store.secrets.verify(SCOPE, { type, id, path: "password" }, value);
    const entered = [verified("User", SECRET), verified("User", `${SECRET}.`), verified("Group", SECRET)];
    expect(await Promise.all(entered)).toEqual([true, false, false]);
  });

  test.each([
    ["of other settings", quickHash(SECRET), true],
    [
      "of another method",
      quickHash(SECRET).replace(/.*\$/, "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$"),
      false,
    ],
    ["that asks for too much memory", quickHash(SECRET).replace("ln=4", "ln=30"), false],
  ])("%s", async (_name, hash, isVerified) => {
    const store = await open(":memory:");
    expect(await store.secrets.matches(SCOPE, SECRET, hash)).toBe(isVerified);
  });
});

describe("many at once", () => {
  /** The most computations that ran at the same time, from now on. */
  function watchComputations(): () => number {
    const running = new Set<number>();
    let most = 0;
    const hook = createHook({
      init: (id, type) => {
        if (type !== "SCRYPTREQUEST") return;
        running.add(id);
        most = Math.max(most, running.size);
      },
      before: (id) => running.delete(id),
    });
    hook.enable();
    onTestFinished(() => void hook.disable());
    return () => most;
  }

  test("two are computed, the thread goes on, and who is too many is told to come again", async () => {
    const store = await open(":memory:");
    const most = watchComputations();
    const away = new AbortController();
    const ended = { count: 0 };
    const outcomes = Array.from({ length: 300 }, async (_, index) => {
      const scope = { ...SCOPE, tenant: `tenant-${String(index % 3)}`, signal: away.signal };
      const hash = store.secrets.hash(scope, SECRET).finally(() => (ended.count += 1));
      return hash.then(
        () => "hashed",
        (error: unknown) => (isScimError(error) ? error.code : "away"),
      );
    });
    let turns = 0;
    for (; ended.count < 300 - 256; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    expect([most(), turns > 100]).toEqual([2, true]);
    away.abort();
    const counts = Map.groupBy(await Promise.all(outcomes), (outcome) => outcome);
    expect(counts.get("unavailable")).toHaveLength(300 - 256 - 2);
    expect([...counts.keys()].toSorted()).toEqual(["away", "hashed", "unavailable"]);
  });

  test("who went away gives its place up", async () => {
    const store = await open(":memory:");
    const away = new AbortController();
    const busy = [1, 2].map(async () => store.secrets.matches(SCOPE, SECRET, quickHash(SECRET)));
    const waiting = store.secrets.hash({ ...SCOPE, signal: away.signal }, SECRET);
    away.abort(new Error("went away"));
    await expect(waiting).rejects.toThrow("went away");
    await Promise.all(busy);
  });
});

describe("hashes that a program left which knows of none", () => {
  /** A store with a deleted resource whose hash was left. */
  async function withLeftHash(): Promise<{
    readonly store: Store;
    readonly id: string;
    readonly hashes: () => number;
  }> {
    const path = newFile();
    const store = await open(path);
    const service = keepingService(store);
    const id = await create(service);
    await service.delete(CALLER, { type: "User", id, precondition: ANY });
    const beside = new DatabaseSync(path);
    onTestFinished(() => beside.close());
    beside
      .prepare(
        "INSERT INTO secret_hashes (tenant, type, id, path, hash) VALUES (?, 'User', ?, 'password', ?)",
      )
      .run(CALLER.tenant, id, quickHash(SECRET));
    return { store, id, hashes: () => beside.prepare("SELECT 1 FROM secret_hashes").all().length };
  }

  test("do not count", async () => {
    const { store, id } = await withLeftHash();
    expect(await store.secrets.verify(SCOPE, { type: "User", id, path: "password" }, SECRET)).toBe(false);
  });

  async function deletedAs({ resources }: Store, id: string): Promise<Precondition> {
    const kept = await resources.deleted?.read(SCOPE, { type: "User", id });
    return { ifMatch: [kept?.version ?? ""], ifNoneMatch: null };
  }

  test("do not come back with the resource", async () => {
    const { store, id, hashes } = await withLeftHash();
    await keepingService(store).restore(CALLER, {
      type: "User",
      id,
      precondition: await deletedAs(store, id),
      since: "",
    });
    expect(hashes()).toBe(0);
  });

  test("go when the resource is purged", async () => {
    const { store, hashes } = await withLeftHash();
    await store.resources.purge("2999-01-01T00:00:00.000Z", 100);
    expect(hashes()).toBe(0);
  });

  test("go when it is erased", async () => {
    const { store, id, hashes } = await withLeftHash();
    const erasing = {
      ...SAMPLE_KEYS,
      origin: { command: "test" },
      erasures: { ...store.erasures, isKnown: async () => true },
      remove: async () => undefined,
      note: async () => undefined,
      now: () => new Date().toISOString(),
      newNonce: () => "n",
    };
    await eraseSubject(erasing, { tenant: CALLER.tenant, id });
    expect(hashes()).toBe(0);
  });
});

test("a planted clear text is in no file of a database that keeps hashes", async () => {
  const path = newFile();
  const store = await open(path);
  const service = keepingService(store, store.secrets);
  const id = await create(service, { password: "pl4nted-created" });
  await patch(service, id, { op: "replace", path: "password", value: "pl4nted-patched" });
  const found = [path, `${path}-wal`].map((file) => readFileSync(file, "latin1")).join("\n");
  expect([found.includes("$scrypt$"), found.includes("pl4nted")]).toEqual([true, false]);
});
