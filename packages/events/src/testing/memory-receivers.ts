/**
 * A store of receivers in memory: the reference implementation of its port.
 * @module
 */
import type { EventFeed } from "@scim/core";
import { hasCome } from "../delivery/backoff.ts";
import type { DeliveryProgress, Lease, ReceiverStore } from "../delivery/port.ts";
import { type AsideDelivery, familyOf, type Receiver, type ReceiverName } from "../delivery/receiver.ts";

interface Held {
  receiver: Receiver;
  lease: Pick<Lease, "holder" | "until"> | null;
  aside: ReadonlyMap<number, AsideDelivery>;
}

/** Makes an empty store of receivers beside a feed. */
export function createMemoryReceivers(events: Pick<EventFeed, "head">): ReceiverStore {
  const all = new Map<string, Held>();
  const heldOf = ({ tenant, id }: ReceiverName): Held | undefined => all.get(`${tenant} ${id}`);
  const ofTenant = (tenant: string): Held[] =>
    [...all.values()]
      .filter(({ receiver }) => receiver.tenant === tenant)
      .toSorted((a, b) => (a.receiver.id < b.receiver.id ? -1 : 1));

  return {
    tenants: async (after, limit) =>
      [...new Set([...all.values()].map(({ receiver }) => receiver.tenant))]
        .filter((tenant) => tenant > after)
        .toSorted()
        .slice(0, limit),
    list: async (tenant) => ofTenant(tenant).map(({ receiver }) => receiver),
    find: async (name) => heldOf(name)?.receiver ?? null,
    add: async (receiver, _decision, most = Number.POSITIVE_INFINITY) => {
      const family = familyOf(receiver.kind);
      const others = ofTenant(receiver.tenant).filter(({ receiver: { kind } }) => familyOf(kind) === family);
      if (heldOf(receiver) !== undefined || others.length >= most) return false;
      all.set(`${receiver.tenant} ${receiver.id}`, { receiver, lease: null, aside: new Map() });
      return true;
    },
    replace: async (receiver, before) => {
      const held = heldOf(receiver);
      if (held?.receiver.revision !== before) return false;
      const { url, state, reason, types, payload, secrets, audience, revision } = receiver;
      const isNew = state === "active" && held.receiver.state !== "active";
      const failingSince = isNew ? null : held.receiver.failingSince;
      const settings = { url, state, reason, types, payload, secrets, audience, revision, failingSince };
      held.receiver = Object.assign({}, held.receiver, settings);
      return true;
    },
    remove: async ({ tenant, id, revision }) =>
      heldOf({ tenant, id })?.receiver.revision === revision && all.delete(`${tenant} ${id}`),
    due: async (tenant, present) => {
      const head = await events.head(tenant);
      const isDue = ({ receiver, aside }: Held): boolean =>
        receiver.position !== head ||
        [...aside.values()].some(({ state, next }) => state === "waiting" && hasCome(next, present));
      return ofTenant(tenant)
        .filter((held) => held.receiver.kind !== "poll" && held.receiver.state === "active" && isDue(held))
        .map(({ receiver }) => receiver.id);
    },
    lease: async (name, { holder, until, ...present }) => {
      const held = heldOf(name);
      if (held?.receiver.state !== "active") return null;
      const isFree =
        held.lease === null || held.lease.holder === holder || hasCome(held.lease.until, present);
      if (!isFree) return null;
      held.lease = { holder, until };
      return held.receiver;
    },
    release: async (name, holder) => {
      const held = heldOf(name);
      if (held?.lease?.holder === holder) held.lease = null;
    },
    advance: async (name, progress) => {
      const held = heldOf(name);
      if (held?.lease?.holder !== progress.holder) return false;
      const { url, position } = held.receiver;
      if (url !== progress.url || position !== progress.from) return false;
      write(held, progress);
      return true;
    },
    aside: async (name, { state, after, limit }) =>
      [...(heldOf(name)?.aside.values() ?? [])]
        .filter((delivery) => delivery.state === state && delivery.position > after)
        .toSorted((a, b) => a.position - b.position)
        .slice(0, limit),
    rewind: async (name, position) => {
      const held = heldOf(name);
      if (held === undefined) return false;
      held.receiver = { ...held.receiver, position };
      held.lease = null;
      held.aside = new Map([...held.aside].filter(([at]) => at <= position));
      return true;
    },
    revive: async (name, positions, { at }) => {
      const held = heldOf(name);
      const revived = givenUp(held, positions).map(
        (delivery) =>
          [delivery.position, { ...delivery, state: "waiting", attempts: 0, since: at, next: at }] as const,
      );
      if (held !== undefined) held.aside = new Map([...held.aside, ...revived]);
      return revived.length;
    },
    drop: async (name, positions) => {
      const held = heldOf(name);
      const dropped = new Set(givenUp(held, positions).map(({ position }) => position));
      if (held !== undefined) held.aside = new Map([...held.aside].filter(([at]) => !dropped.has(at)));
      return dropped.size;
    },
  };
}

function givenUp(held: Held | undefined, positions: readonly number[] | null): readonly AsideDelivery[] {
  return [...(held?.aside.values() ?? [])].filter(
    ({ state, position }) => state === "dead" && (positions === null || positions.includes(position)),
  );
}

function write(held: Held, { to, outcome, disabled, aside, done }: DeliveryProgress): void {
  const { receiver } = held;
  held.receiver = { ...receiver, ...outcome, position: to };
  if (disabled !== null && receiver.state === "active") {
    held.receiver = {
      ...held.receiver,
      state: "disabled",
      reason: disabled,
      revision: receiver.revision + 1,
    };
  }
  const entries = [...held.aside, ...aside.map((delivery) => [delivery.position, delivery] as const)];
  held.aside = new Map(entries.filter(([position]) => !done.includes(position)));
}
