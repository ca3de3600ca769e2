/**
 * Okta: applications of its catalogue (PATCH) and those made by its wizard (PUT).
 * @module
 */
import { GROUP_URN } from "@scim/schemas";
import type { Scenario, Step } from "../scenario.ts";
import { TASK, user, USERS } from "./okta-users.ts";
import { deleting, making, makingAgain, patching, replacing } from "./requests.ts";
import { errorOf, members, value } from "./shared-checks.ts";

const AGENT = {
  accept: "application/scim+json",
  "accept-charset": "utf-8",
  "user-agent": "Okta SCIM Client 1.0.0",
};

const GROUPS: readonly Step[] = [
  {
    id: "look-up-group",
    phase: "groups",
    does: "looks for a group before it pushes one",
    method: "GET",
    path: "/Groups?filter=displayName%20eq%20%22Payroll%20{run}%22&startIndex=1&count=100",
    accepts: [200, 404],
    means: TASK,
    mend: "Answer 200 and an empty ListResponse.",
  },
  {
    id: "create-group",
    phase: "groups",
    does: "makes a group",
    ...making("group", "/Groups", {
      body: { schemas: [GROUP_URN], displayName: "Payroll {run}", members: [] },
    }),
    means: "Group push fails.",
    mend: "Take members: [], and answer 201 with the resource.",
  },
  {
    id: "add-members",
    phase: "groups",
    does: "adds members",
    ...patching(
      "/Groups/{group.id}",
      [
        {
          op: "add",
          path: "members",
          value: [
            { value: "{ines.id}", display: "ines.{run}@corp.example" },
            { value: "{bo.id}", display: "bo.{run}@corp.example" },
          ],
        },
      ],
      [members("ines", "bo")],
    ),
    means: "Group push fails, and people lack access.",
    mend: "Take several values in one operation, with display beside value.",
  },
  {
    id: "rename-group",
    phase: "groups",
    does: "renames the group, with its id in the value",
    ...patching(
      "/Groups/{group.id}",
      [{ op: "replace", value: { id: "{group.id}", displayName: "Treasury {run}" } }],
      [value(["displayName"], "Treasury {run}"), members("ines", "bo")],
    ),
    means: "Each push of the group fails: this is sent beside each change of its members.",
    mend: "Take an id in the value that is the resource's own.",
  },
  {
    id: "remove-member",
    phase: "groups",
    does: "removes a member by a filter",
    ...patching(
      "/Groups/{group.id}",
      [{ op: "remove", path: 'members[value eq "{bo.id}"]' }],
      [members("ines")],
    ),
    means: "People keep access that they should have lost.",
    mend: "Take a filter in the path of remove (RFC 7644 §3.5.2.2).",
  },
  {
    id: "push-group",
    phase: "groups",
    does: "pushes the group whole",
    ...replacing(
      "/Groups/{group.id}",
      {
        schemas: [GROUP_URN],
        id: "{group.id}",
        displayName: "Treasury {run}",
        members: [{ value: "{bo.id}", display: "bo.{run}@corp.example" }],
      },
      [members("bo")],
    ),
    means: "Applications made by the wizard cannot push groups.",
    mend: "Take PUT of a group, and replace its members.",
  },
  {
    id: "empty-group",
    phase: "groups",
    does: "takes all members away",
    ...patching("/Groups/{group.id}", [{ op: "replace", path: "members", value: [] }], [members()]),
    evidence: "observed",
    means: "People keep access that they should have lost.",
    mend: "Take a replacement of members by an empty list.",
  },
];

const AFTER: readonly Step[] = [
  {
    id: "create-user-again",
    phase: "retry",
    does: "makes a user again, as after an answer that was lost",
    ...makingAgain(
      user({ userName: "bo.{run}@corp.example", externalId: "00ub{run}", password: "Xk3-{run}-vQ!" }),
      [errorOf(409)],
    ),
    means: "One person has two accounts, of which one is never deactivated.",
    mend: "Refuse a userName that is taken with 409 and scimType uniqueness.",
  },
  {
    id: "read-unknown-user",
    phase: "retry",
    does: "reads a user that is not there",
    method: "GET",
    path: "/Users/010101001010101011001010101011",
    accepts: [404],
    checks: [errorOf(404)],
    means: "A user who was deleted on the other side is never made again.",
    mend: "Answer 404 with a SCIM Error.",
  },
  {
    id: "delete-group",
    phase: "delete",
    does: "deletes a group that is pushed no more",
    ...deleting("/Groups/{group.id}"),
    means: "Groups that are gone in Okta stay for ever.",
    mend: "Answer 204 without a body (RFC 7644 §3.6).",
  },
];

/** Okta. Users are never deleted: they are deactivated. */
export const OKTA: Scenario = {
  id: "okta",
  name: "Okta",
  readHeaders: AGENT,
  writeHeaders: { ...AGENT, "content-type": "application/scim+json; charset=utf-8" },
  steps: [...USERS, ...GROUPS, ...AFTER],
};
