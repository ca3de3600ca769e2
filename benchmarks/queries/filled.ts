/**
 * A service on a database with many users and some groups.
 * @module
 */
import type { ScimService } from "@scim/core";
import { GROUP_URN, type JsonObject } from "@scim/schemas";
import { CONTEXT, serviceOver } from "../in-process.ts";
import { SAMPLE_USER } from "../sample-user.ts";
import { cloneResources, numbers, padded, withoutIndexes } from "./clone-rows.ts";
import type { Engine, RawDatabase } from "./database.ts";

/** Users of one group; each user is in one. */
const MEMBERS = 1000;

/** Names in no order, as they come: numbers up to that of the users, each once. */
const SCATTER = 7919;

/** A service that holds them. */
export interface FilledService {
  readonly engine: Engine["name"];
  readonly users: number;
  /** Address of the database, as a server is told it. */
  readonly url: string;
  readonly service: ScimService;
  readonly raw: RawDatabase;
  close(): Promise<void>;
}

/** What the user of a number holds. */
export const user = {
  id: (number: number): string => `00000000-0000-7000-8000-${pad(number, 12)}`,
  /** userName, and what stands before `@example.com` in its first address. */
  name: (number: number, users: number): string => `user-${pad((number * SCATTER) % users, 6)}`,
  /** What ten display names begin with. */
  displayPrefix: (ten: number): string => `name-${pad(ten, 6)}`,
};

const UNIQUE = "texts-of-the-first";

/** Fills a service. At most a million users. */
export async function fillService(engine: Engine, users: number): Promise<FilledService> {
  const database = await engine.open();
  const { store, raw } = database;
  const service = serviceOver(store.resources);
  const first = {
    user: await create(service, "User", sampleUser()),
    group: await create(service, "Group", SAMPLE_GROUP),
  };
  await withoutIndexes(raw, async () => {
    const scattered = `(n * ${String(SCATTER)} % ${String(users)})`;
    await cloneResources(raw, {
      type: "User",
      id: first.user,
      count: users,
      newId: idOf("n"),
      texts: {
        [`name-${UNIQUE}`]: `'name-' || ${padded(`${scattered} / 10`)} || '-' || CAST(${scattered} % 10 AS TEXT)`,
        [`nick-${UNIQUE}`]: `'nick-' || CAST(${scattered} * 31 % ${String(users)} AS TEXT)`,
        [`user-${UNIQUE}`]: `'user-' || ${padded(scattered)}`,
      },
    });
    const groups = users / MEMBERS;
    await cloneResources(raw, {
      type: "Group",
      id: first.group,
      count: groups,
      newId: idOf("n"),
      texts: { [`group-${UNIQUE}`]: "'group-' || CAST(n AS TEXT)" },
    });
    await raw.run(`INSERT INTO reference_values (tenant, type, owner, path, position, value, rest)
      SELECT 'default', 'Group', ${idOf(`n / ${String(MEMBERS)}`)}, 'members', n % ${String(MEMBERS)} + 1,
        ${idOf("n")}, '{"type":"User"}'
      FROM ${numbers(users)} ORDER BY n`);
  });
  const none = { ifMatch: null, ifNoneMatch: null };
  await service.delete(CONTEXT, { type: "User", id: first.user, precondition: none });
  await service.delete(CONTEXT, { type: "Group", id: first.group, precondition: none });
  return { engine: engine.name, users, url: database.url, service, raw, close: () => database.close() };
}

function idOf(expression: string): string {
  return `'00000000-0000-7000-8000-' || ${padded(expression, 12)}`;
}

function pad(number: number, digits: number): string {
  return String(number).padStart(digits, "0");
}

function sampleUser(): JsonObject {
  return {
    ...SAMPLE_USER,
    userName: `user-${UNIQUE}`,
    externalId: `user-${UNIQUE}`,
    displayName: `name-${UNIQUE}`,
    nickName: `nick-${UNIQUE}`,
    emails: [
      { value: `user-${UNIQUE}@example.com`, type: "work", primary: true },
      { value: `user-${UNIQUE}@home.example`, type: "home" },
    ],
  };
}

const SAMPLE_GROUP: JsonObject = { schemas: [GROUP_URN], displayName: `group-${UNIQUE}` };

async function create(service: ScimService, type: string, body: JsonObject): Promise<string> {
  const { resource } = await service.create(CONTEXT, {
    type,
    body,
    attributes: null,
    excludedAttributes: null,
  });
  return String(resource["id"]);
}
