/**
 * Okta: what it does to users.
 * @module
 */
import { USER_URN, type JsonObject } from "@scim/schemas";
import type { Step } from "../scenario.ts";
import { making, patching, reading } from "./requests.ts";
import { active, CREATED, first, none, patch, total, value, PAGE } from "./shared-checks.ts";

/** What comes of most faults. */
export const TASK = "The task fails, and an administrator has to try it again by hand.";

/** The user as Okta sends it, whole. */
export function user(more: JsonObject): JsonObject {
  return {
    schemas: [USER_URN],
    userName: "ines.{run}@corp.example",
    externalId: "00u{run}",
    name: { givenName: "Ines", middleName: "", familyName: "Okafor" },
    emails: [
      { primary: true, value: "ines.{run}@corp.example", type: "work", display: "ines.{run}@corp.example" },
    ],
    displayName: "Ines Okafor",
    locale: "en-US",
    active: true,
    groups: [],
    ...more,
  };
}

/** Credentials, imports, and users. */
export const USERS: readonly Step[] = [
  {
    id: "test-credentials",
    phase: "connection",
    does: "reads two users",
    ...reading("/Users?startIndex=1&count=2", PAGE),
    means: 'The credentials are refused: "No results for users returned".',
    mend: "Answer 200 with a ListResponse that has all its members, also where there is no user.",
  },
  {
    id: "import-users",
    phase: "initial",
    does: "imports the users there are",
    ...reading("/Users?startIndex=1&count=100", PAGE),
    means: "Nobody is imported.",
    mend: "Serve pages by startIndex and count, in an order that does not change.",
  },
  {
    id: "import-groups",
    phase: "initial",
    does: "imports the groups there are",
    ...reading("/Groups?startIndex=1&count=100", PAGE),
    means: "Group push cannot be set up.",
    mend: "Serve /Groups, an empty ListResponse where there are none.",
  },
  {
    id: "look-up-user",
    phase: "initial",
    does: "looks for a user before it makes one",
    method: "GET",
    path: "/Users?filter=userName%20eq%20%22ines.{run}%40corp.example%22&startIndex=1&count=100",
    accepts: [200, 404],
    means: TASK,
    mend: "Answer 200 and an empty ListResponse.",
  },
  {
    id: "create-user",
    phase: "initial",
    does: "makes a user, with a password",
    method: "POST",
    path: "/Users",
    body: user({ password: "Xk3-{run}-vQ!" }),
    accepts: [201],
    checks: [
      ...CREATED,
      value(["userName"], "ines.{run}@corp.example"),
      value(["name", "givenName"], "Ines"),
      active(true),
      none(["password"], {
        fault: "the password is in the answer",
        means: "Secrets come into logs.",
        mend: "Never return a password (RFC 7643 §4.1.1).",
      }),
    ],
    makes: "ines",
    means: '"Create new user returned empty user", or the task fails.',
    mend: "Take groups: [], and answer 201 with the resource.",
  },
  {
    id: "create-second-user",
    phase: "initial",
    does: "makes another user",
    ...making("bo", "/Users", {
      body: {
        ...user({ userName: "bo.{run}@corp.example", externalId: "00ub{run}", displayName: "Bo Okafor" }),
        emails: [{ primary: true, value: "bo.{run}@corp.example", type: "work" }],
      },
    }),
    means: TASK,
    mend: "Answer 201 with the resource.",
  },
  {
    id: "match-user",
    phase: "initial",
    does: "finds the user again",
    ...reading("/Users?filter=userName%20eq%20%22ines.{run}%40corp.example%22&startIndex=1&count=100", [
      ...PAGE,
      total(1, "The user is made a second time."),
      first("ines"),
    ]),
    means: TASK,
    mend: "Take filters by userName, percent-encoded.",
  },
  {
    id: "read-user",
    phase: "delta",
    does: "reads the user before it changes it",
    ...reading("/Users/{ines.id}", [
      value(["id"], "{ines.id}"),
      value(["name", "familyName"], "Okafor"),
      value(["emails", 0, "value"], "ines.{run}@corp.example"),
    ]),
    means: TASK,
    mend: "Answer with id, userName, name, emails and active.",
  },
  {
    id: "update-user",
    phase: "delta",
    does: "replaces the user, with everything that it read",
    method: "PUT",
    path: "/Users/{ines.id}",
    body: user({
      id: "{ines.id}",
      name: { givenName: "Ines", familyName: "Moreau" },
      displayName: "Ines Moreau",
      meta: { resourceType: "User" },
    }),
    accepts: [200],
    checks: [value(["name", "familyName"], "Moreau"), value(["id"], "{ines.id}")],
    means: "Changes of profiles do not arrive.",
    mend: "Take PUT with id, meta and groups in it, and answer 200 with the resource.",
  },
  {
    id: "rename-user",
    phase: "delta",
    does: "gives the user another userName",
    method: "PUT",
    path: "/Users/{ines.id}",
    body: user({ id: "{ines.id}", userName: "ines.moreau.{run}@corp.example" }),
    accepts: [200],
    checks: [value(["userName"], "ines.moreau.{run}@corp.example"), value(["id"], "{ines.id}")],
    means: "People who change their names cannot sign in.",
    mend: "Let userName be changed, and keep the id.",
  },
  {
    id: "set-password",
    phase: "delta",
    does: "sends a new password",
    method: "PATCH",
    path: "/Users/{ines.id}",
    body: patch({ op: "replace", value: { password: "Zz9-{run}-pL!" } }),
    accepts: [200, 204],
    weight: "hinders",
    means: "Passwords are not kept in step, where that is turned on.",
    mend: "Take a password in PATCH, or turn the feature off in Okta.",
  },
  {
    id: "deactivate-user",
    phase: "disable",
    does: "deactivates a user, as applications of the catalogue do",
    ...patching("/Users/{ines.id}", [{ op: "replace", value: { active: false } }], [active(false)]),
    means: "Somebody who has left keeps the account.",
    mend: "Take operations without path (RFC 7644 §3.5.2.3).",
  },
  {
    id: "reactivate-user",
    phase: "disable",
    does: "activates the user again",
    ...patching("/Users/{ines.id}", [{ op: "replace", value: { active: true } }], [active(true)]),
    means: "Somebody who came back cannot work.",
    mend: "Let active be set to true again.",
  },
  {
    id: "deactivate-user-by-put",
    phase: "disable",
    does: "deactivates a user, as applications made by the wizard do",
    method: "PUT",
    path: "/Users/{bo.id}",
    body: user({ id: "{bo.id}", userName: "bo.{run}@corp.example", externalId: "00ub{run}", active: false }),
    accepts: [200],
    checks: [active(false)],
    afterwards: { path: "/Users/{bo.id}", checks: [active(false)] },
    means: "Somebody who has left keeps the account.",
    mend: "Take active: false in PUT.",
  },
];
