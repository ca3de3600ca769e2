/**
 * Microsoft Entra ID: the test of a connection, and the initial cycle.
 * @module
 */
import { ENTERPRISE_USER_URN, GROUP_URN, USER_URN } from "@scim/schemas";
import type { Step } from "../scenario.ts";
import { QUARANTINE } from "./entra-faults.ts";
import { listing, making, patching, reading } from "./requests.ts";
import { active, first, LIST, members, none, total, value } from "./shared-checks.ts";

const NOBODY = "5f3a1c77-9a0b-4f0e-8a3e-0f9c2d7711aa";
const ENTERPRISE_GROUP = "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group";

/** Test Connection, and the page of mappings. */
export const CONNECTION: readonly Step[] = [
  {
    id: "test-connection",
    phase: "connection",
    does: "looks for a user that is not there",
    method: "GET",
    path: `/Users?filter=userName+eq+%22${NOBODY}%22`,
    accepts: [200],
    checks: [
      ...LIST,
      total(0, "Every user seems to be there already, and is joined to a stranger's account."),
    ],
    means: "Test Connection fails, and provisioning cannot be turned on.",
    mend: "Answer a filter that matches nothing with 200 and an empty ListResponse, never with 404.",
  },
  {
    id: "test-groups",
    phase: "connection",
    does: "looks for a group that is not there, without members",
    method: "GET",
    path: `/Groups?excludedAttributes=members&filter=displayName+eq+%22${NOBODY}%22`,
    accepts: [200],
    checks: [...LIST, total(0, "Every group seems to be there already.")],
    means: "Groups cannot be provisioned.",
    mend: "Answer a filter that matches nothing with 200 and an empty ListResponse, never with 404.",
  },
  {
    id: "schemas",
    phase: "connection",
    does: "reads the schemas for the page of mappings",
    ...listing("/Schemas", [
      {
        at: [],
        is: "withoutNulls",
        weight: "hinders",
        fault: "the schemas hold nulls",
        means: "The page of mappings cannot be opened.",
        mend: "Leave members out that have no value.",
      },
    ]),
    weight: "hinders",
    means: "Attributes of your own must be typed into the page of mappings by hand.",
    mend: "Serve /Schemas as a ListResponse (RFC 7644 §4).",
  },
];

/** The initial cycle. */
export const INITIAL: readonly Step[] = [
  {
    id: "look-up-user",
    phase: "initial",
    does: "looks for a user before it makes one",
    ...listing("/Users?filter=userName+eq+%22ines.{run}%40corp.example%22", [
      total(0, "The user is joined to a stranger's account."),
    ]),
    means: QUARANTINE,
    mend: "Answer 200 and an empty ListResponse.",
  },
  {
    id: "create-user",
    phase: "initial",
    does: "makes a user",
    ...making("ines", "/Users", {
      body: {
        schemas: [USER_URN, ENTERPRISE_USER_URN],
        externalId: "ext-{run}",
        userName: "ines.{run}@corp.example",
        active: true,
        emails: [{ primary: true, type: "work", value: "ines.{run}@corp.example" }],
        meta: { resourceType: "User" },
        name: { formatted: "Ines Okafor", familyName: "Okafor", givenName: "Ines" },
        roles: [],
      },
      checks: [value(["userName"], "ines.{run}@corp.example"), active(true)],
    }),
    means: "Nobody is provisioned.",
    mend: "Take meta and empty lists without complaint, and answer 201 with the resource.",
  },
  {
    id: "create-manager",
    phase: "initial",
    does: "makes another user",
    ...making("bo", "/Users", {
      body: {
        schemas: [USER_URN, ENTERPRISE_USER_URN],
        externalId: "ext-bo-{run}",
        userName: "bo.{run}@corp.example",
        active: true,
        meta: { resourceType: "User" },
        displayName: "Bo Okafor",
      },
    }),
    means: "Nobody is provisioned.",
    mend: "Ask for nothing but userName.",
  },
  {
    id: "match-user",
    phase: "initial",
    does: "finds the user again, in other letter case",
    ...listing("/Users?filter=userName+eq+%22INES.{run}%40Corp.Example%22", [
      total(1, "The user is made a second time, and meets 409 for ever."),
      first("ines"),
    ]),
    means: QUARANTINE,
    mend: "Compare userName without regard to letter case (RFC 7643 §4.1.1).",
  },
  {
    id: "match-by-external-id",
    phase: "initial",
    does: "finds the user by externalId, where that is the matching attribute",
    ...listing("/Users?filter=externalId+eq+%22ext-{run}%22", [
      total(1, "The user is made a second time."),
      first("ines"),
    ]),
    means: "externalId cannot be the matching attribute.",
    mend: "Store externalId, and let filters compare it exactly.",
  },
  {
    id: "read-user",
    phase: "initial",
    does: "reads the user",
    ...reading("/Users/{ines.id}", [value(["id"], "{ines.id}")]),
    means: QUARANTINE,
    mend: "Serve each resource at its own address.",
  },
  {
    id: "create-group",
    phase: "initial",
    does: "makes a group, without members",
    ...making("group", "/Groups", {
      body: {
        schemas: [GROUP_URN, ENTERPRISE_GROUP],
        externalId: "group-{run}",
        displayName: "Payroll {run}",
        meta: { resourceType: "Group" },
      },
    }),
    means: "Groups cannot be provisioned.",
    mend: "Take schemas that you do not know, and groups without members.",
  },
  {
    id: "add-members",
    phase: "initial",
    does: "adds several members at once",
    ...patching(
      "/Groups/{group.id}",
      [
        {
          op: "Add",
          path: "members",
          value: [
            { $ref: null, value: "{ines.id}" },
            { $ref: null, value: "{bo.id}" },
          ],
        },
      ],
      [members("ines", "bo")],
    ),
    means: QUARANTINE,
    mend: "Take op in any letter case, several values in one operation, and $ref: null.",
  },
  {
    id: "read-group-without-members",
    phase: "initial",
    does: "reads the group without its members",
    method: "GET",
    path: "/Groups/{group.id}?excludedAttributes=members",
    accepts: [200],
    checks: [
      none(["members"], {
        weight: "hinders",
        fault: "members are there though they are excluded",
        means: "Cycles become slow with large groups, and the validator of Entra refuses the application.",
        mend: "Leave out what excludedAttributes names (RFC 7644 §3.9).",
      }),
    ],
    means: QUARANTINE,
    mend: "Take excludedAttributes on lists and on single resources.",
  },
];
