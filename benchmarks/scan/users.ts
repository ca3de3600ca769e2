/**
 * A database file with many users, written through the store without the rules: it is what is read that counts.
 * @module
 */
import type { ResourceStore, WritePlan } from "@scim/core";
import { openSqliteStore } from "@scim/store/sqlite";
import { SAMPLE_USER } from "../sample-user.ts";

/** Writes that share commits on SQLite. */
const TOGETHER = 5000;

/** What is filled. */
export interface FilledTenant {
  readonly tenant: string;
  readonly users: number;
  /** Writes that are under way at once. */
  readonly together: number;
}

/** Fills a new file. */
export async function fillUsers(path: string, users: number): Promise<void> {
  const store = await openSqliteStore({ path });
  await fillTenant(store.resources, { tenant: "default", users, together: TOGETHER });
  await store.close();
}

/** Fills a tenant. */
export async function fillTenant(
  store: Pick<ResourceStore, "write">,
  { tenant, users, together }: FilledTenant,
): Promise<void> {
  const scope = { tenant, connection: "default" };
  for (let from = 0; from < users; from += together) {
    const numbers = Array.from({ length: Math.min(together, users - from) }, (_, index) => from + index);
    await Promise.all(numbers.map((number) => store.write(scope, planOf(number))));
  }
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
