/**
 * A database with many users, written through the store without the rules: it is what is read that counts.
 * @module
 */
import type { WritePlan } from "@scim/core";
import type { Store } from "@scim/store/sqlite";
import { SAMPLE_USER } from "../sample-user.ts";

/** Users of one transaction. */
const TOGETHER = 2000;

/** Events that are given their positions at once. */
const PLACED = 5000;

/** What is filled. */
export interface FilledTenant {
  readonly tenant: string;
  readonly users: number;
}

/** Fills a tenant. No event is left that a server would have to give its position. */
export async function fillTenant(
  { resources, events }: Pick<Store, "resources" | "events">,
  { tenant, users }: FilledTenant,
): Promise<void> {
  const { imports } = resources;
  if (imports === undefined) throw new TypeError("The store takes no imports.");
  const scope = { tenant, connection: "default" };
  for (let from = 0; from < users; from += TOGETHER) {
    const plans = Array.from({ length: Math.min(TOGETHER, users - from) }, (_, index) =>
      planOf(from + index),
    );
    const { kind } = await imports.writeAll(scope, plans, null);
    if (kind === "refused") throw new Error(`Users from ${String(from)} on could not be written.`);
  }
  while ((await events.assign(PLACED)) > 0);
}

/** The id of a user: in the order of writing, as UUIDs of version 7 are. */
export function idOf(number: number): string {
  return `${number.toString(16).padStart(8, "0")}-0000-7000-8000-000000000000`;
}

function planOf(number: number): WritePlan {
  const userName = `user-${String(number)}`;
  const { schemas: _schemas, ...values } = SAMPLE_USER;
  return {
    kind: "create",
    type: "User",
    id: idOf(number),
    at: "2026-01-01T00:00:00.000Z",
    nonce: "nonce",
    event: { kind: "created", subject: null, changed: [] },
    body: { ...values, userName, externalId: userName, nickName: `nick-${String(number % 1000)}` },
    index: [
      { path: "userName", key: userName },
      { path: "externalId", key: userName },
    ],
    unique: [{ path: "userName", scope: "type:User", key: userName }],
    collections: [],
  };
}
