/**
 * Streams and signing keys as commands administer them: on the database, or at a running server.
 * @module
 */
import {
  createStream,
  decisionOf,
  type ListedSigningKey,
  listSigningKeys,
  PUBLISHED_AHEAD_MS,
  rotateSigningKey,
  rotateStreamToken,
  type StreamPorts,
} from "@scim/events";
import { allTypedOf } from "../remote/admin-pages.ts";
import { type AdminClient, at, typedOf } from "../remote/admin-requests.ts";
import { HOUR_MS } from "./overlap.ts";
import { noticesOfWanted, type WithCatalog } from "../schemas/missing-types.ts";
import {
  madeIn,
  type MadeReceiver,
  type ReceiverAdministration,
  receiversAtServer,
  type ReceiverSettings,
  receiversHere,
  receiversPath,
} from "./receiver-administration.ts";

/** A key as it is shown. */
export type ShownKey = Pick<ListedSigningKey, "id" | "created" | "signsFrom" | "retires">;

/** A stream that is asked for. */
export interface WantedStream extends ReceiverSettings {
  readonly method: "push" | "poll";
  readonly url: string | undefined;
  readonly audience: string | undefined;
}

/** What commands do to the streams of a tenant, and to the keys that sign. */
export interface StreamAdministration extends ReceiverAdministration {
  create(wanted: WantedStream): Promise<MadeReceiver>;
  /** @param overlap hours that the old token stays good */
  rotate(id: string, overlap: number): Promise<MadeReceiver>;
  keys(): Promise<readonly ShownKey[]>;
  /** @param atOnce whether the new key signs at once */
  rotateKey(atOnce: boolean): Promise<ShownKey>;
}

/** Streams of the database. */
export function streamsHere(parts: StreamPorts & WithCatalog, tenant: string): StreamAdministration {
  return {
    ...receiversHere(parts, "stream", tenant),
    create: async (wanted) => {
      const { receiver, token } = await createStream(parts, { tenant, ...wanted });
      const notices = await noticesOfWanted(parts.catalog, tenant, wanted.types);
      return { tenant, id: receiver.id, secret: token, notices };
    },
    rotate: async (id, overlap) => {
      const { token } = await rotateStreamToken(parts, { tenant, id }, overlap * HOUR_MS);
      return { tenant, id, secret: token, notices: [] };
    },
    keys: async () => (await listSigningKeys(parts)).map(shownKey),
    rotateKey: async (atOnce) =>
      shownKey(await rotateSigningKey(parts, atOnce ? 0 : PUBLISHED_AHEAD_MS, decisionOf(parts))),
  };
}

const KEY = ["id", "created", "signsFrom", "retires"] as const;

/** Streams of a server. */
export function streamsAtServer(admin: AdminClient, tenant: string): StreamAdministration {
  const path = receiversPath("stream", tenant);
  return {
    ...receiversAtServer(admin, "stream", tenant),
    create: async (wanted) =>
      madeIn(
        await admin.send({ method: "POST", path, body: { ...wanted }, answers: ["tenant", "id"] }),
        "token",
      ),
    rotate: async (id, overlap) => {
      const request = {
        method: "POST",
        path: `${path}${at`/${id}/rotate`}`,
        body: { overlapHours: overlap },
        answers: ["tenant", "id", "token"],
      } as const;
      return madeIn(await admin.send(request), "token");
    },
    keys: () => allTypedOf<ShownKey>(admin, { path: "/signing-keys", name: "keys" }, KEY),
    rotateKey: async (atOnce) => {
      const body = atOnce ? { aheadMinutes: 0 } : {};
      return typedOf<ShownKey>(await admin.send({ method: "POST", path: "/signing-keys/rotate", body }), KEY);
    },
  };
}

/** A key as it is shown: without what it signs by. */
export function shownKey({ id, created, signsFrom, retires }: ShownKey): ShownKey {
  return { id, created, signsFrom, retires };
}
