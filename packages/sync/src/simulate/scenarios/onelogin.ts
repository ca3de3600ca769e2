/**
 * OneLogin: its SCIM 2.0 connector, with a body from the template that administrators edit.
 * @module
 */
import { ENTERPRISE_USER_URN, GROUP_URN, USER_URN, type JsonObject } from "@scim/schemas";
import type { Scenario } from "../scenario.ts";
import { deleting, listing, making, makingAgain, patching, replacing } from "./requests.ts";
import { active, CREATED, first, members, none, total, value } from "./shared-checks.ts";

const TASK = "The user stays in the state 'failed' until an administrator tries again.";

function user(more: JsonObject): JsonObject {
  return {
    schemas: [USER_URN, ENTERPRISE_USER_URN],
    userName: "ines.{run}@corp.example",
    name: { givenName: "Ines", familyName: "Okafor", formatted: "Ines Okafor" },
    displayName: "Ines Okafor",
    emails: [{ value: "ines.{run}@corp.example", type: "work" }],
    active: true,
    ...more,
  };
}

/** OneLogin. */
export const ONELOGIN: Scenario = {
  id: "onelogin",
  name: "OneLogin",
  readHeaders: { accept: "application/scim+json" },
  writeHeaders: { accept: "application/scim+json", "content-type": "application/scim+json" },
  steps: [
    {
      id: "test-connection",
      phase: "connection",
      does: "looks for a user that is not there",
      method: "GET",
      path: "/Users?filter=userName%20eq%20%22scim-probe-{run}%22",
      accepts: [200, 404],
      means: "The connection cannot be enabled.",
      mend: "Take filters by userName.",
    },
    {
      id: "list-groups",
      phase: "connection",
      does: "lists the groups, which rules choose from",
      ...listing("/Groups"),
      means: "Rules that give groups cannot be made.",
      mend: "Serve /Groups, an empty ListResponse where there are none.",
    },
    {
      id: "create-user",
      phase: "initial",
      does: "makes a user, with nulls of its template",
      method: "POST",
      path: "/Users",
      body: user({ [ENTERPRISE_USER_URN]: { department: "Ops", manager: null } }),
      accepts: [201],
      checks: [...CREATED, value(["emails", 0, "value"], "ines.{run}@corp.example"), active(true)],
      afterwards: {
        path: "/Users/{ines.id}",
        checks: [value([ENTERPRISE_USER_URN, "department"], "Ops"), none([ENTERPRISE_USER_URN, "manager"])],
      },
      makes: "ines",
      // That users are made of a template is documented; that what it lacks comes as null, is not.
      evidence: "unverified",
      means: TASK,
      mend: "Take nulls for attributes without a value (RFC 7643 §2.5), and emails without primary.",
    },
    {
      id: "match-user",
      phase: "initial",
      does: "finds the user again",
      ...listing("/Users?filter=userName%20eq%20%22ines.{run}%40corp.example%22", [
        total(1, "The user is made a second time."),
        first("ines"),
      ]),
      means: TASK,
      mend: "Take filters by userName, percent-encoded.",
    },
    {
      id: "read-user",
      phase: "initial",
      does: "reads the user",
      method: "GET",
      path: "/Users/{ines.id}",
      accepts: [200],
      means: TASK,
      mend: "Serve each resource at its own address.",
    },
    {
      id: "update-user",
      phase: "delta",
      does: "replaces the user",
      ...replacing(
        "/Users/{ines.id}",
        user({ displayName: "Ines Moreau", [ENTERPRISE_USER_URN]: { department: "R&D", manager: null } }),
        [value(["displayName"], "Ines Moreau"), value([ENTERPRISE_USER_URN, "department"], "R&D")],
      ),
      means: "Changes of profiles do not arrive.",
      mend: "Take PUT, and answer 200 with the resource.",
    },
    {
      id: "replace-emails",
      phase: "delta",
      does: "replaces the emails by one that is no list",
      ...patching(
        "/Users/{ines.id}",
        [{ op: "replace", path: "emails", value: { value: "new.{run}@corp.example" } }],
        [value(["emails", 0, "value"], "new.{run}@corp.example")],
      ),
      evidence: "observed",
      weight: "hinders",
      means: "Changes of addresses do not arrive, where the connector uses PATCH.",
      mend: "Take one object for a list of one.",
    },
    {
      id: "suspend-user",
      phase: "disable",
      does: "suspends a user",
      ...replacing("/Users/{ines.id}", user({ active: false }), [active(false)]),
      means: "Somebody who has left keeps the account.",
      mend: "Take active: false in PUT.",
    },
    {
      id: "create-group",
      phase: "groups",
      does: "makes a group",
      ...making("group", "/Groups", { body: { schemas: [GROUP_URN], displayName: "Payroll {run}" } }),
      means: "Groups cannot be made from OneLogin.",
      mend: "Take groups without members, and answer 201 with the resource.",
    },
    {
      id: "add-member",
      phase: "groups",
      does: "adds a member",
      ...patching(
        "/Groups/{group.id}",
        [{ op: "add", path: "members", value: [{ value: "{ines.id}" }] }],
        [members("ines")],
      ),
      evidence: "observed",
      means: "People lack access.",
      mend: "Take additions to members by PATCH.",
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
      ...deleting("/Users/{ines.id}", [204, 200]),
      means: "Accounts of people who have left stay for ever.",
      mend: "Answer 204 without a body (RFC 7644 §3.6).",
    },
  ],
};
