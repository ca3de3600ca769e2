/**
 * Changes of bulk jobs whose request, or its answer, is lost while somebody else changes the resource, and changes it
 * back.
 * @module
 */
import type { ClientResourceType } from "@scim/client";
import {
  ENTERPRISE_USER_SCHEMA,
  ENTERPRISE_USER_URN,
  GROUP_SCHEMA,
  USER_SCHEMA,
  type JsonObject,
  type PatchOperation,
} from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { losing, type Loss } from "./support/losing.ts";

const USERS: ClientResourceType = {
  name: "User",
  endpoint: "/Users",
  schema: USER_SCHEMA,
  extensions: [ENTERPRISE_USER_SCHEMA],
};
const GROUPS: ClientResourceType = {
  name: "Group",
  endpoint: "/Groups",
  schema: GROUP_SCHEMA,
  extensions: [],
};

const ROLES = [{ value: "admin" }, { value: "x" }];
const WORK = { type: "work", value: "a@x.example", display: "A" };
const HOME = { type: "home", value: "h@x.example" };
const USER = {
  userName: "a",
  title: "Ms",
  displayName: "ada",
  active: true,
  name: { givenName: "A", familyName: "B" },
  emails: [WORK, HOME],
  roles: ROLES,
};
const MEMBERS = ["a", "b"].map((value) => ({ value, type: "User", display: value }));
const GROUP = { displayName: "g", members: MEMBERS };

const MANAGER = `${ENTERPRISE_USER_URN}:manager`;

interface Row {
  readonly what: string;
  /** What the resource is replaced with, or operations on it. */
  readonly change: JsonObject | readonly PatchOperation[];
}

const USER_CHANGES: readonly Row[] = [
  { what: "PUT that clears a value", change: { ...USER, title: null } },
  { what: "PUT that clears a list", change: { ...USER, roles: [] } },
  { what: "PUT that removes a value of a list", change: { ...USER, roles: ROLES.slice(1) } },
  { what: "PUT that clears a part", change: { ...USER, name: { givenName: "A" } } },
  {
    what: "PUT that clears a part of a value",
    change: { ...USER, emails: [{ type: "work", value: "a@x.example" }, HOME] },
  },
  { what: "PUT in other letters", change: { ...USER, displayName: "Ada" } },
  { what: "PUT in another order", change: { ...USER, roles: ROLES.toReversed() } },
  { what: "PATCH to other letters", change: [{ op: "replace", path: "displayName", value: "Ada" }] },
  { what: "PATCH without a path", change: [{ op: "replace", value: { roles: ROLES.slice(1) } }] },
  { what: "PATCH of a list", change: [{ op: "replace", path: "roles", value: ROLES.slice(1) }] },
  { what: "PATCH to an empty list", change: [{ op: "replace", path: "roles", value: [] }] },
  {
    what: "PATCH that clears a part of a value",
    change: [{ op: "replace", path: "emails", value: [{ ...WORK, display: null }, HOME] }],
  },
  { what: "PATCH that clears a part of all values", change: [{ op: "remove", path: "emails.display" }] },
  {
    what: "PATCH that sets a part of all values",
    change: [{ op: "replace", path: "emails.type", value: "x" }],
  },
  { what: "PATCH that adds a value", change: [{ op: "add", path: "roles", value: [{ value: "new" }] }] },
  {
    what: "PATCH of a reference with an address",
    change: [{ op: "replace", path: MANAGER, value: { value: "m", $ref: "../Users/m" } }],
  },
  { what: "PATCH of one part", change: [{ op: "replace", path: "name", value: { familyName: "C" } }] },
];

const GROUP_CHANGES: readonly Row[] = [
  { what: "PUT that removes a member", change: { displayName: "g", members: [{ value: "b" }] } },
  { what: "PATCH of all members", change: [{ op: "replace", path: "members", value: [{ value: "b" }] }] },
  { what: "PATCH that adds a member", change: [{ op: "add", path: "members", value: [{ value: "c" }] }] },
];

/** What becomes of a change: its outcome, how often it reached the service, and what the resource is then. */
async function lost(loss: Loss, type: ClientResourceType, change: Row["change"]) {
  const { client, other, lose, reached } = losing();
  const [resources, theirs] = [client.resource(type), other.resource(type)];
  const made = await resources.create(type === USERS ? USER : GROUP);
  const job = client.bulk();
  if (isPatch(change)) job.patch(resources, made, { operations: change });
  else job.replace(resources, made, { input: change });
  lose(loss, async () => {
    await theirs.patch(made.id, [{ op: "add", path: "externalId", value: "x" }]);
    await theirs.patch(made.id, [{ op: "remove", path: "externalId" }]);
  });
  const [outcome] = (await job.run()).outcomes;
  return { id: made.id, outcome, reached: reached.slice(1), found: await theirs.get(made.id), made };
}

function isPatch(change: Row["change"]): change is readonly PatchOperation[] {
  return Array.isArray(change);
}

describe.each([
  ["of a user", USERS, USER_CHANGES],
  ["of a group", GROUPS, GROUP_CHANGES],
] as const)("%s", (_of, type, changes) => {
  test.each(changes)("a $what that was not made is unknown, and not made", async ({ change }) => {
    const { id, outcome, reached, found, made } = await lost("undone", type, change);
    expect(outcome).toMatchObject({
      kind: "failed",
      error: { code: "unknownOutcome", candidates: [id] },
    });
    expect(reached).toEqual([]);
    expect({ ...found, meta: null }).toEqual({ ...made, meta: null });
  });

  test.each(changes)("a $what that was made is done, and not made again", async ({ change }) => {
    const { id, outcome, reached, found, made } = await lost("done", type, change);
    expect(outcome).toMatchObject({ kind: "done", id });
    expect(reached).toEqual(["POST 200"]);
    expect({ ...found, meta: null }).not.toEqual({ ...made, meta: null });
  });
});
