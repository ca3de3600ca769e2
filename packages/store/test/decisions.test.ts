import type { FeedEvent } from "@scim/core";
import type { AdminDecision } from "@scim/events";
import { sampleReceiver } from "@scim/events/testing";
import { describe, expect, test, vi } from "vitest";
import type { Store } from "../src/store.ts";
import { ENGINES } from "./support/engines.ts";

const AT = "2026-11-02T08:00:00.000Z";
const BY_ADA: AdminDecision = { actor: { admin: "ada", address: "203.0.113.9" }, at: AT };
const PUSH = sampleReceiver({ id: "r2", kind: "push", audience: "https://receiver.example" });
const KEY = { id: "k1", publicKey: {}, sealed: "sealed", created: AT, signsFrom: AT };
const INDEX = { tenant: "acme", type: "User", path: "title" };

const WANTED = { tenant: "acme", type: "User", path: "userType" };

/** Declares indexes that documents annotate. */
function declareByDocument(indexes: Store["indexes"]): Promise<void> {
  indexes.of("acme", "User");
  const wanted = ["userType", "locale"].map((path) => ({ type: "User", path }));
  return indexes.work({ wanted: () => wanted, entries: () => [] });
}

type Told = Pick<FeedEvent, "kind" | "type" | "id"> &
  Partial<Pick<FeedEvent, "before" | "after">> & { readonly changed: readonly string[] };

interface Decision {
  readonly name: string;
  readonly decide: (store: Store, decision: AdminDecision) => Promise<unknown>;
  /** What is told of it; null for nothing, since nothing changed. */
  readonly told: Told | null;
}

const [RECEIVER, MADE] = [sampleReceiver(), "north/r1"];

const DECISIONS: readonly Decision[] = [
  {
    name: "a webhook that is made",
    decide: ({ receivers }, by) => receivers.add(RECEIVER, by),
    told: {
      kind: "created",
      type: "Webhook",
      id: MADE,
      changed: ["tenant", "kind", "url", "state", "types", "payload", "audience", "secrets"],
    },
  },
  {
    name: "a webhook that was there already",
    decide: ({ receivers }, by) => receivers.add(RECEIVER, by),
    told: null,
  },
  {
    name: "a stream that is made",
    decide: ({ receivers }, by) => receivers.add(PUSH, by),
    told: { kind: "created", type: "Stream", id: "north/r2", changed: expect.any(Array) },
  },
  {
    name: "a webhook that is paused",
    decide: ({ receivers }, by) => receivers.replace({ ...RECEIVER, state: "paused", revision: 2 }, 1, by),
    told: { kind: "replaced", type: "Webhook", id: MADE, changed: ["state"] },
  },
  {
    name: "a webhook whose address changes behind its host",
    decide: ({ receivers }, by) =>
      receivers.replace(
        { ...RECEIVER, state: "paused", url: "https://hooks.example.com/zz-secret?zz=1", revision: 3 },
        2,
        by,
      ),
    told: { kind: "replaced", type: "Webhook", id: MADE, changed: ["url.path"] },
  },
  {
    name: "a webhook that goes elsewhere",
    decide: ({ receivers }, by) =>
      receivers.replace({ ...RECEIVER, state: "paused", url: "https://zz.example", revision: 4 }, 3, by),
    told: { kind: "replaced", type: "Webhook", id: MADE, changed: ["url"] },
  },
  {
    name: "a change of a revision that has passed",
    decide: ({ receivers }, by) => receivers.replace({ ...RECEIVER, state: "active", revision: 9 }, 1, by),
    told: null,
  },
  {
    name: "a replay",
    decide: ({ receivers }, by) => receivers.rewind(RECEIVER, 7, by),
    told: { kind: "replaced", type: "Webhook", id: MADE, changed: ["position"] },
  },
  {
    name: "dead letters of which there are none",
    decide: ({ receivers }, by) => receivers.revive(RECEIVER, null, by),
    told: null,
  },
  {
    name: "dead letters that are dropped, of which there are none",
    decide: ({ receivers }, by) => receivers.drop(RECEIVER, null, by),
    told: null,
  },
  {
    name: "a webhook that is deleted",
    decide: ({ receivers }, by) => receivers.remove({ ...RECEIVER, revision: 4 }, by),
    told: { kind: "deleted", type: "Webhook", id: MADE, changed: expect.any(Array) },
  },
  {
    name: "a signing key",
    decide: ({ signingKeys }, by) => signingKeys.add(KEY, AT, by),
    told: { kind: "created", type: "SigningKey", id: "admin/k1", changed: ["created", "signsFrom"] },
  },
  {
    name: "an index that is declared",
    decide: ({ indexes }, by) => indexes.declare(INDEX, by),
    told: { kind: "created", type: "Index", id: "acme/User/title", changed: ["origin"] },
  },
  {
    name: "an index that is declared again",
    decide: ({ indexes }, by) => indexes.declare(INDEX, by),
    told: null,
  },
  {
    name: "an index that a document wanted",
    decide: async ({ indexes }, by) => {
      await declareByDocument(indexes);
      await indexes.declare(WANTED, by);
    },
    told: {
      kind: "replaced",
      type: "Index",
      id: "acme/User/userType",
      changed: ["origin"],
      before: { origin: "schema" },
      after: { origin: "operator" },
    },
  },
  {
    name: "an index that is dropped",
    decide: ({ indexes }, by) => indexes.drop(INDEX, by),
    told: { kind: "deleted", type: "Index", id: "acme/User/title", changed: ["origin"] },
  },
  {
    name: "an index that is dropped again",
    decide: ({ indexes }, by) => indexes.drop(INDEX, by),
    told: null,
  },
  {
    name: "an index that is declared while it is dropped",
    decide: ({ indexes }, by) => indexes.declare(INDEX, by),
    told: null,
  },
  {
    name: "an index of a document that is dropped",
    decide: ({ indexes }, by) => indexes.drop({ ...WANTED, path: "locale" }, by),
    told: {
      kind: "deleted",
      type: "Index",
      id: "acme/User/locale",
      changed: ["origin"],
      before: { origin: "schema" },
    },
  },
  {
    name: "an index that is not there",
    decide: ({ indexes }, by) => indexes.drop({ ...INDEX, path: "nickName" }, by),
    told: null,
  },
];

describe.each(ENGINES)("decisions of administrators on %s", (_name, open) => {
  test("are told in the transaction that writes them, and not where nothing changes", async () => {
    const store = await open();
    const failing = { ...BY_ADA, at: null } as unknown as AdminDecision;
    for (const { name, decide, told } of DECISIONS) {
      // What cannot be told is not done.
      if (told !== null) await expect(decide(store, failing), name).rejects.toThrow(/./);
      await decide(store, BY_ADA);
    }
    const expected = DECISIONS.flatMap(({ told }) => told ?? []);
    // Positions are given when other transactions of the server are over.
    const events = await vi.waitFor(async () => {
      await store.events.assign(100);
      const read = await store.events.read("admin", { after: 0, limit: 100 });
      expect(read.length).toBeGreaterThanOrEqual(expected.length);
      return read;
    }, 60_000);
    expect(events).toMatchObject(expected.map((told) => ({ ...told, at: AT, origin: BY_ADA.actor })));
    expect(JSON.stringify(events)).not.toMatch(/sealed|zz-secret|example\.com\/scim/);
  });
});
