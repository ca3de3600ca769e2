/**
 * The program of the thread that makes entries of the audit log: it reads alone.
 * @module
 */
import { hash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import type { AuditedAttributes } from "@scim/events";
import { createLink } from "@scim/events/link";
import { SqliteConnection } from "./connection.ts";
import type { EntryReply, EntryRequest, EntrySettings } from "./entry-messages.ts";
import { readState } from "./executor.ts";
import { foresee, type Foreseen, linkForeseen, missingFor } from "./foreseen-places.ts";
import { threadFailure } from "./thread-messages.ts";

// What starts the thread gives it its settings.
const { path, lockWait, keys } = workerData as EntrySettings;
let connection: SqliteConnection | null = null;

/** The attributes that it was given. */
const given = new Map<number, AuditedAttributes>();
/** Those of the types of the events in hand. */
let attributes: ReadonlyMap<string, AuditedAttributes | null> = new Map();

const link = createLink({
  keys,
  digest: (text) => hash("sha256", text, "base64url"),
  attributesOf: (_tenant, type) => attributes.get(type) ?? null,
});

/** The events in hand. */
let foreseen: Foreseen | null = null;

// eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", (request: EntryRequest) => parentPort?.postMessage(reply(request)));

function reply(request: EntryRequest): EntryReply {
  try {
    return request.kind === "foresee" ? foreseenOf(request) : linkedOf(request);
  } catch (error) {
    return threadFailure(error);
  }
}

function foreseenOf({ tenant, limit }: Extract<EntryRequest, { kind: "foresee" }>): EntryReply {
  connection ??= new SqliteConnection(path, { lockWait, readOnly: true });
  foreseen = readState(connection, foresee(tenant, limit));
  if (foreseen === null || foreseen.events.length === 0) return { kind: "nothing" };
  return { kind: "foreseen", missing: missingFor(foreseen) };
}

function linkedOf({ types, forget, secrets, ...fresh }: Extract<EntryRequest, { kind: "link" }>): EntryReply {
  if (foreseen === null) throw new TypeError("There is nothing to link");
  if (forget) given.clear();
  for (const [number, each] of fresh.attributes) given.set(number, each);
  const known = (number: number | null): AuditedAttributes | null =>
    number === null ? null : (given.get(number) ?? null);
  attributes = new Map(types.map(({ type, attributes: number }) => [type, known(number)]));
  return { kind: "linked", places: linkForeseen(foreseen, { secrets, link }) };
}
