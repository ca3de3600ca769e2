/**
 * JumpCloud: custom SCIM integrations.
 * @module
 */
import { ENTERPRISE_USER_URN, GROUP_URN, USER_URN, type JsonObject } from "@scim/schemas";
import type { Scenario, Step } from "../scenario.ts";
import { deleting, listing, making, makingAgain, patching, replacing } from "./requests.ts";
import { active, members, total, value } from "./shared-checks.ts";

const TASK = "The user is shown with an error, and tried again with the next change.";
const ACTIVATION = "The integration cannot be activated.";

function user(more: JsonObject): JsonObject {
  return {
    schemas: [USER_URN],
    userName: "ines.{run}",
    externalId: "jc-{run}",
    name: { givenName: "Ines", familyName: "Okafor" },
    displayName: "Ines Okafor",
    emails: [{ value: "ines.{run}@corp.example", type: "work", primary: true }],
    active: true,
    ...more,
  };
}

const ACTIVATE: readonly Step[] = [
  {
    id: "list-users",
    phase: "connection",
    does: "lists the users",
    ...listing("/Users"),
    means: ACTIVATION,
    mend: "Answer 200 with a ListResponse, also where there is no user.",
  },
  {
    id: "create-test-user",
    phase: "connection",
    does: "makes a user for a test",
    ...making("test", "/Users", {
      body: {
        schemas: [USER_URN],
        userName: "test.{run}",
        name: { givenName: "Test", familyName: "User" },
        active: true,
      },
    }),
    means: ACTIVATION,
    mend: "Answer 201 with the resource.",
  },
  {
    id: "create-test-group",
    phase: "connection",
    does: "makes a group for a test",
    ...making("testgroup", "/Groups", { body: { schemas: [GROUP_URN], displayName: "Test {run}" } }),
    means: ACTIVATION,
    mend: "Answer 201 with the resource, or turn groups off in the integration.",
  },
  {
    id: "delete-test-user",
    phase: "connection",
    does: "deletes the user",
    ...deleting("/Users/{test.id}"),
    weight: "hinders",
    means: "The user of the test is deactivated instead, and stays.",
    mend: "Answer 204 without a body (RFC 7644 §3.6).",
  },
  {
    id: "delete-test-group",
    phase: "connection",
    does: "deletes the group",
    ...deleting("/Groups/{testgroup.id}"),
    means: ACTIVATION,
    mend: "Answer 204 without a body.",
  },
];

/** JumpCloud. */
export const JUMPCLOUD: Scenario = {
  id: "jumpcloud",
  name: "JumpCloud",
  readHeaders: { accept: "application/scim+json" },
  writeHeaders: { accept: "application/scim+json", "content-type": "application/scim+json" },
  steps: [
    ...ACTIVATE,
    {
      id: "look-up-user",
      phase: "initial",
      does: "looks for a user before it makes one",
      ...listing("/Users?filter=userName%20eq%20%22ines.{run}%22", [
        total(0, "The user is joined to a stranger's account."),
      ]),
      means: TASK,
      mend: "Answer 200 and an empty ListResponse.",
    },
    {
      id: "create-user",
      phase: "initial",
      does: "makes a user",
      ...making("ines", "/Users", { body: user({}), checks: [active(true)] }),
      means: TASK,
      mend: "Answer 201 with the resource.",
    },
    {
      id: "create-second-user",
      phase: "initial",
      does: "makes another user",
      ...making("bo", "/Users", {
        body: user({ userName: "bo.{run}", externalId: "jc-bo-{run}", emails: null }),
      }),
      evidence: "observed",
      means: TASK,
      mend: "Take null for an attribute without a value (RFC 7643 §2.5).",
    },
    {
      id: "update-user",
      phase: "delta",
      does: "replaces the user, with empty lists",
      ...replacing(
        "/Users/{ines.id}",
        user({
          schemas: [USER_URN, ENTERPRISE_USER_URN],
          addresses: [],
          phoneNumbers: [{ type: "work", value: "tel:+1-555-0100" }],
          photos: [],
          [ENTERPRISE_USER_URN]: { department: "R&D", employeeNumber: "4471" },
        }),
        [
          value([ENTERPRISE_USER_URN, "department"], "R&D"),
          value(["phoneNumbers", { type: "work" }, "value"], "tel:+1-555-0100"),
        ],
      ),
      evidence: "observed",
      means: "Changes of people do not arrive.",
      mend: "Take empty lists for attributes without a value, and telephone numbers as they are.",
    },
    {
      id: "patch-user",
      phase: "delta",
      does: "changes single attributes",
      ...patching(
        "/Users/{ines.id}",
        [
          { op: "replace", path: "name.givenName", value: "Nessa" },
          { op: "replace", path: "displayName", value: "Nessa Okafor" },
        ],
        [value(["name", "givenName"], "Nessa"), value(["name", "familyName"], "Okafor")],
      ),
      evidence: "observed",
      means: "Changes of people do not arrive.",
      mend: "Take paths with a dot, and leave what they do not name.",
    },
    {
      id: "deactivate-user",
      phase: "disable",
      does: "deactivates a user",
      ...patching("/Users/{ines.id}", [{ op: "replace", path: "active", value: false }], [active(false)]),
      evidence: "observed",
      means: "Somebody who has left keeps the account.",
      mend: "Take active: false in PATCH.",
    },
    {
      id: "create-group",
      phase: "groups",
      does: "makes a group",
      ...making("group", "/Groups", { body: { schemas: [GROUP_URN], displayName: "Payroll {run}" } }),
      means: "Groups are not provisioned.",
      mend: "Answer 201 with the resource.",
    },
    {
      id: "add-members",
      phase: "groups",
      does: "adds members",
      ...patching(
        "/Groups/{group.id}",
        [{ op: "add", path: "members", value: [{ value: "{ines.id}" }, { value: "{bo.id}" }] }],
        [members("ines", "bo")],
      ),
      evidence: "observed",
      means: "People lack access.",
      mend: "Take additions to members by PATCH.",
    },
    {
      id: "remove-member",
      phase: "groups",
      does: "removes a member, named in the value",
      ...patching(
        "/Groups/{group.id}",
        [{ op: "remove", path: "members", value: [{ value: "{ines.id}" }] }],
        [members("bo")],
      ),
      evidence: "observed",
      means: "People keep access that they should have lost, or everybody loses it.",
      mend: "Remove the values that are named in 'value', and no others.",
    },
    {
      id: "create-user-again",
      phase: "retry",
      does: "makes the user again, as after an answer that was lost",
      ...makingAgain(user({})),
      evidence: "inferred",
      means: "One person has two accounts.",
      mend: "Refuse a userName that is taken with 409.",
    },
    {
      id: "delete-user",
      phase: "delete",
      does: "deletes a user",
      ...deleting("/Users/{bo.id}"),
      weight: "hinders",
      means: "Users are deactivated instead, and stay.",
      mend: "Answer 204 without a body (RFC 7644 §3.6).",
    },
    {
      id: "delete-group",
      phase: "delete",
      does: "deletes a group",
      ...deleting("/Groups/{group.id}"),
      means: "Groups that are gone in JumpCloud stay for ever.",
      mend: "Answer 204 without a body.",
    },
  ],
};
