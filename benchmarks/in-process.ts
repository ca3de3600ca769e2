/**
 * A service in this process, on a database file or on whatever store it is given.
 * @module
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import {
  createScimService,
  PROFILES,
  type RequestContext,
  type ResourceStore,
  type ScimService,
  type Sources,
} from "@scim/core";
import { createDefaultRegistry } from "@scim/schemas";

/** Who asks. */
export const CONTEXT: RequestContext = {
  tenant: "default",
  connection: "default",
  subject: null,
  profile: PROFILES.tolerant,
  baseUrl: "https://id.example/scim/v2",
  signal: undefined,
  onSwitch: () => undefined,
};

/** Time, ids and hashes as a server takes them. */
export const SOURCES: Sources = {
  now: () => Date.now(),
  newId: () => randomUUID(),
  newNonce: () => randomBytes(5).toString("base64url"),
  digest: (text) => createHash("sha256").update(text).digest("base64url"),
};

/** A service over a store. Its cursors can be read, which costs what sealing them does not. */
export function serviceOver(store: ResourceStore, registry = createDefaultRegistry()): ScimService {
  return createScimService({
    registry,
    store,
    sources: SOURCES,
    cursorSeal: {
      seal: (text) => Buffer.from(text).toString("base64url"),
      open: (cursor) => Buffer.from(cursor, "base64url").toString(),
    },
  });
}
