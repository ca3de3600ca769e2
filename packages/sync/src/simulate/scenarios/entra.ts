/**
 * Microsoft Entra ID: its whole life cycle, with its groups and deletions.
 * @module
 */
import { ENTERPRISE_USER_URN, USER_URN } from "@scim/schemas";
import type { Scenario, Step } from "../scenario.ts";
import { HOLDS_BACK, QUARANTINE } from "./entra-faults.ts";
import { DELTA, DISABLE } from "./entra-delta.ts";
import { CONNECTION, INITIAL } from "./entra-initial.ts";
import { deleting, listing, making, makingAgain, patching } from "./requests.ts";
import { active, errorOf, first, members, total, value } from "./shared-checks.ts";

const GROUPS: readonly Step[] = [
  {
    id: "rename-group",
    phase: "groups",
    does: "renames a group",
    ...patching(
      "/Groups/{group.id}",
      [{ op: "Replace", path: "displayName", value: "Treasury {run}" }],
      [value(["displayName"], "Treasury {run}"), members("ines", "bo")],
    ),
    means: QUARANTINE,
    mend: "Take a replacement of displayName, and leave the members as they are.",
  },
  {
    id: "rename-group-without-path",
    phase: "groups",
    does: "renames a group by a value without path",
    ...patching(
      "/Groups/{group.id}",
      [{ op: "replace", value: { displayName: "Payroll {run}" } }],
      [value(["displayName"], "Payroll {run}"), members("ines", "bo")],
    ),
    evidence: "observed",
    means: QUARANTINE,
    mend: "Take operations without path (RFC 7644 §3.5.2.3), and leave what they do not name.",
  },
  {
    id: "match-group",
    phase: "groups",
    does: "finds the group in other letter case",
    ...listing("/Groups?excludedAttributes=members&filter=displayName+eq+%22PAYROLL+{run}%22", [
      total(1, "The group is made a second time."),
      first("group"),
    ]),
    means: QUARANTINE,
    mend: "Compare displayName without regard to letter case.",
  },
  {
    id: "remove-member",
    phase: "groups",
    does: "removes a member, named in the value",
    ...patching(
      "/Groups/{group.id}",
      [{ op: "Remove", path: "members", value: [{ $ref: null, value: "{ines.id}" }] }],
      [members("bo")],
    ),
    means: "People keep access that they should have lost.",
    mend: "Remove the values that are named in 'value', and no others.",
  },
  {
    id: "remove-member-again",
    phase: "groups",
    does: "removes a member that is none any more",
    ...patching(
      "/Groups/{group.id}",
      [{ op: "Remove", path: "members", value: [{ $ref: null, value: "{ines.id}" }] }],
      [members("bo")],
    ),
    evidence: "observed",
    means: HOLDS_BACK,
    mend: "Answer the removal of what is not there like any other.",
  },
  {
    id: "remove-member-by-filter",
    phase: "groups",
    does: "removes a member by a filter, as with the flag aadOptscim062020",
    ...patching("/Groups/{group.id}", [{ op: "remove", path: 'members[value eq "{bo.id}"]' }], [members()]),
    means: "People keep access that they should have lost.",
    mend: "Take a filter in the path of remove (RFC 7644 §3.5.2.2).",
  },
];

const RETRY: readonly Step[] = [
  {
    id: "create-user-again",
    phase: "retry",
    does: "makes the user again, as after an answer that was lost",
    ...makingAgain(
      {
        schemas: [USER_URN, ENTERPRISE_USER_URN],
        externalId: "ext-{run}",
        userName: "ines.{run}@corp.example",
        active: true,
        meta: { resourceType: "User" },
      },
      [errorOf(409)],
    ),
    means: "One person has two accounts, of which one is never disabled.",
    mend: "Refuse a userName that is taken with 409 and scimType uniqueness, in any letter case.",
  },
  {
    id: "match-after-conflict",
    phase: "retry",
    does: "finds the user that is there, and takes it for its own",
    ...listing("/Users?filter=userName+eq+%22ines.{run}%40corp.example%22", [
      total(1, "The conflict is met for ever."),
      first("ines"),
    ]),
    means: QUARANTINE,
    mend: "Let filters find whatever a creation can clash with.",
  },
];

const DELETE: readonly Step[] = [
  {
    id: "soft-delete-user",
    phase: "delete",
    does: "disables a user who was deleted in Entra",
    ...patching("/Users/{bo.id}", [{ op: "Replace", path: "active", value: "False" }], [active(false)]),
    means: "Somebody who has left keeps the account for thirty days more.",
    mend: 'Take "False" for a boolean.',
  },
  {
    id: "delete-user",
    phase: "delete",
    does: "deletes the user, thirty days later",
    ...deleting("/Users/{bo.id}", [204, 404]),
    means: "Accounts of people who have left stay for ever.",
    mend: "Answer 204 without a body (RFC 7644 §3.6).",
  },
  {
    id: "delete-user-again",
    phase: "delete",
    does: "deletes a user who is gone",
    method: "DELETE",
    path: "/Users/{bo.id}",
    accepts: [404, 204],
    evidence: "observed",
    means: QUARANTINE,
    mend: "Answer 404 with a SCIM Error.",
  },
  {
    id: "look-up-deleted-user",
    phase: "delete",
    does: "looks for the user who is gone",
    ...listing("/Users?filter=userName+eq+%22bo.{run}%40corp.example%22", [
      total(0, "Somebody who comes back is joined to what was deleted."),
    ]),
    means: QUARANTINE,
    mend: "Answer 200 and an empty ListResponse.",
  },
  {
    id: "create-deleted-user",
    phase: "delete",
    does: "makes a user anew who was deleted",
    ...making("back", "/Users", {
      body: {
        schemas: [USER_URN],
        externalId: "ext-bo-{run}",
        userName: "bo.{run}@corp.example",
        active: true,
      },
    }),
    evidence: "inferred",
    means: "Somebody who comes back gets no account.",
    mend: "Let the userName of a deleted user be used again.",
  },
  {
    id: "delete-group",
    phase: "delete",
    does: "deletes a group",
    ...deleting("/Groups/{group.id}", [204, 404]),
    means: "Groups that are gone in Entra stay for ever.",
    mend: "Answer 204 without a body.",
  },
];

/** Microsoft Entra ID. */
export const ENTRA: Scenario = {
  id: "entra",
  name: "Microsoft Entra ID",
  readHeaders: {},
  writeHeaders: { "content-type": "application/scim+json; charset=utf-8" },
  steps: [...CONNECTION, ...INITIAL, ...DELTA, ...DISABLE, ...GROUPS, ...RETRY, ...DELETE],
};
