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

/** A UUIDv7 (RFC 9562 §5.7): ids grow with time, so that what is written together lies together. */
function newTimedId(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Time, ids and hashes as a server takes them. */
export const SOURCES: Sources = {
  now: () => Date.now(),
  newId: newTimedId,
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
