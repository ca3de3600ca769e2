/**
 * A database file with many users, written through the store without the rules: it is what is read that counts.
 * @module
 */
import type { WritePlan } from "@scim/core";
import { openSqliteStore } from "@scim/store/sqlite";
import { SAMPLE_USER } from "../sample-user.ts";

/** Writes that share commits. */
const TOGETHER = 5000;

const SCOPE = { tenant: "default", connection: "default" };

/** Fills a new file. */
export async function fillUsers(path: string, users: number): Promise<void> {
  const store = await openSqliteStore({ path });
  for (let from = 0; from < users; from += TOGETHER) {
    const numbers = Array.from({ length: Math.min(TOGETHER, users - from) }, (_, index) => from + index);
    await Promise.all(numbers.map((number) => store.resources.write(SCOPE, planOf(number))));
  }
  await store.close();
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
