/**
 * Receivers of a tenant's events as commands administer them: on the database, or at a running server.
 * @module
 */
import {
  changeReceiver,
  dropDead,
  listDead,
  listReceivers,
  type Receiver,
  type ReceiverFamily,
  type ReceiverPorts,
  removeReceiver,
  replay,
  type Replay,
} from "@scim/events";
import type { JsonObject } from "@scim/schemas";
import { ADMIN_TENANT } from "@scim/tenancy";
import { cell } from "../output.ts";
import { allTypedOf } from "../remote/admin-pages.ts";
import { type AdminClient, at, typedIn } from "../remote/admin-requests.ts";
import { upTo } from "../remote/long-reading.ts";
import { type Notice, noticesIn } from "../schemas/missing-types.ts";
import { shownReceiver, type ShownReceiver } from "./shown-receiver.ts";

/** A delivery that was given up. */
export type DeadLetter = Awaited<ReturnType<typeof listDead>>[number];

/** What commands do to the receivers of a family in a tenant. */
export interface ReceiverAdministration {
  list(): Promise<readonly ShownReceiver[]>;
  change(id: string, state: "active" | "paused"): Promise<void>;
  remove(id: string): Promise<void>;
  /** All that was given up, behind a position. */
  dead(id: string, after: number): Promise<readonly DeadLetter[]>;
  /**
   * Delivers again: everything behind a position, or what was given up.
   * @returns how much was given up; null where it is all behind a position
   */
  replay(id: string, wanted: Replay): Promise<number | null>;
  /** Drops what was given up, of some positions or all. Returns how much. */
  drop(id: string, positions: readonly number[] | null): Promise<number>;
}

/** Settings of a new receiver. */
export interface ReceiverSettings {
  readonly types: readonly string[] | undefined;
  readonly payload: Receiver["payload"] | undefined;
  readonly since: number | undefined;
}

/** What was made, with the secret that is shown once; null where it has none. */
export interface MadeReceiver {
  readonly tenant: string;
  readonly id: string;
  readonly secret: string | null;
  /** What is worth a look in how it was made. */
  readonly notices: readonly Notice[];
}

/** Receivers of the database. */
export function receiversHere(
  parts: ReceiverPorts,
  family: ReceiverFamily,
  tenant: string,
): ReceiverAdministration {
  const named = (id: string) => ({ tenant, id });
  return {
    list: async () =>
      Promise.all(
        (await listReceivers(parts, family, tenant)).map((each) => shownReceiver(parts.receivers, each)),
      ),
    change: async (id, state) => void (await changeReceiver(parts, { family, name: named(id) }, { state })),
    remove: (id) => removeReceiver(parts, { family, name: named(id) }),
    dead: (id, after) =>
      allBehind(after, (place, limit) =>
        listDead(parts, { family, name: named(id) }, { after: place, limit }),
      ),
    replay: (id, wanted) => replay(parts, { family, name: named(id) }, wanted),
    drop: (id, positions) => dropDead(parts, { family, name: named(id) }, positions),
  };
}

const RECEIVER = ["id", "kind", "state", "types", "payload", "position", "waiting", "dead", "url"] as const;
const DEAD = ["position", "type", "resource", "attempts", "since"] as const;

/** Receivers of a server. */
export function receiversAtServer(
  admin: AdminClient,
  family: ReceiverFamily,
  tenant: string,
): ReceiverAdministration {
  const all = receiversPath(family, tenant);
  const one = (id: string): string => `${all}${at`/${id}`}`;
  return {
    list: () => allTypedOf<ShownReceiver>(admin, { path: all, name: `${family}s` }, RECEIVER),
    change: async (id, state) =>
      void (await admin.change({ method: "PATCH", path: one(id), body: { state } })),
    remove: async (id) => void (await admin.change({ method: "DELETE", path: one(id) })),
    dead: (id, after) =>
      allBehind(after, async (since, limit) => {
        const request = { method: "GET", path: `${one(id)}/dead`, query: { since, limit } } as const;
        return typedIn<DeadLetter>(await admin.send(request), "dead", DEAD);
      }),
    replay: async (id, wanted) => {
      const body = wanted.kind === "behind" ? { since: wanted.position } : deadOf(wanted.positions);
      const answers = [wanted.kind === "behind" ? "since" : "revived"];
      const { revived } = await admin.send({ method: "POST", path: `${one(id)}/replay`, body, answers });
      return typeof revived === "number" ? revived : null;
    },
    drop: async (id, positions) => {
      const body = deadOf(positions);
      const answers = ["dropped"];
      return Number(
        (await admin.send({ method: "POST", path: `${one(id)}/drop`, body, answers }))["dropped"],
      );
    },
  };
}

/** The body that names what was given up: of some positions, or all. */
function deadOf(positions: readonly number[] | null): JsonObject {
  return positions === null ? {} : { dead: [...positions] };
}

/** Dead letters behind a position, in as many pages as it takes. */
async function allBehind(
  after: number,
  read: (place: number, limit: number) => Promise<readonly DeadLetter[]>,
): Promise<readonly DeadLetter[]> {
  const { entries } = await upTo(Number.POSITIVE_INFINITY, after, async (place, count) => {
    const page = await read(place, count);
    return { entries: page, next: page.at(-1)?.position ?? place };
  });
  return entries;
}

/** The address of the receivers of a family; webhooks of the trail of administration have one beside the tenants. */
export function receiversPath(family: ReceiverFamily, tenant: string): string {
  if (family === "webhook" && tenant === ADMIN_TENANT) return "/webhooks";
  return `${at`/tenants/${tenant}`}/${family}s`;
}

/** What an answer says of a receiver that was made, or has a new secret. */
export function madeIn(body: JsonObject, secret: "secret" | "token"): MadeReceiver {
  const { tenant, id, [secret]: text } = body;
  return {
    tenant: cell(tenant),
    id: cell(id),
    secret: typeof text === "string" ? text : null,
    notices: noticesIn(body),
  };
}
