/**
 * A service on a database file with many users and some groups.
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ScimService } from "@scim/core";
import { GROUP_URN, type JsonObject } from "@scim/schemas";
import { openSqliteStore } from "@scim/store/sqlite";
import { CONTEXT, serviceOver } from "../in-process.ts";
import { SAMPLE_USER } from "../sample-user.ts";

/** How many users there are, and how many of them are in each of the groups. */
export const USERS = 100_000;
const GROUPS = 10;
const MEMBERS = 1000;
/** Creates that share commits. */
const TOGETHER = 500;

/** A service that holds them. */
export interface FilledService {
  readonly service: ScimService;
  /** Id of a user that is in a group. */
  readonly userId: string;
  close(): Promise<void>;
}

/** Fills a service. */
export async function fillService(): Promise<FilledService> {
  const folder = mkdtempSync(join(tmpdir(), "scim-queries-"));
  const store = await openSqliteStore({ path: join(folder, "scim.db") });
  const service = serviceOver(store.resources);
  const ids: string[] = [];
  for (let from = 0; from < USERS; from += TOGETHER) {
    const batch = Array.from({ length: TOGETHER }, (_, index) =>
      create(service, "User", userOf(from + index)),
    );
    ids.push(...(await Promise.all(batch)));
  }
  for (let number = 0; number < GROUPS; number += 1) {
    const members = ids
      .slice(number * MEMBERS, (number + 1) * MEMBERS)
      .map((value) => ({ value, type: "User" }));
    await create(service, "Group", { schemas: [GROUP_URN], displayName: `group ${String(number)}`, members });
  }
  return {
    service,
    userId: ids[0] ?? "",
    close: async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Names in no order, as they come. */
function userOf(number: number): JsonObject {
  const scattered = (number * 7919) % USERS;
  const name = `user-${String(scattered).padStart(6, "0")}`;
  return {
    ...SAMPLE_USER,
    userName: name,
    externalId: name,
    nickName: `nick-${String((scattered * 31) % USERS)}`,
  };
}

async function create(service: ScimService, type: string, body: JsonObject): Promise<string> {
  const none = { attributes: null, excludedAttributes: null };
  const { resource } = await service.create(CONTEXT, { type, body, ...none });
  return String(resource["id"]);
}
