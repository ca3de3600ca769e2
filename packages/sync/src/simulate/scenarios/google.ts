/**
 * Google Workspace: its automatic provisioning, of which little is public. What is inferred says so.
 * @module
 */
import { USER_URN } from "@scim/schemas";
import type { Scenario } from "../scenario.ts";
import { deleting, listing, making, makingAgain, patching } from "./requests.ts";
import { active, total, value } from "./shared-checks.ts";

const STATE = "The user is shown as failed in the provisioning report.";

/** Google Workspace. It provisions users, and no groups. */
export const GOOGLE: Scenario = {
  id: "google",
  name: "Google Workspace",
  readHeaders: { accept: "application/scim+json" },
  writeHeaders: { accept: "application/scim+json", "content-type": "application/scim+json" },
  steps: [
    {
      id: "read-attributes",
      phase: "connection",
      does: "reads the list of attributes",
      ...listing("/Schemas"),
      evidence: "inferred",
      weight: "hinders",
      means: "Attributes cannot be mapped to those of your own.",
      mend: "Serve /Schemas as a ListResponse (RFC 7644 §4).",
    },
    {
      id: "probe",
      phase: "connection",
      does: "reads one user",
      ...listing("/Users?count=1"),
      evidence: "unverified",
      means: "Provisioning cannot be turned on.",
      mend: "Serve pages without startIndex.",
    },
    {
      id: "look-up-user",
      phase: "initial",
      does: "looks for a user before it makes one",
      ...listing("/Users?filter=userName%20eq%20%22ines.{run}%40corp.example%22", [
        total(0, "The user is joined to a stranger's account."),
      ]),
      evidence: "inferred",
      means: STATE,
      mend: "Answer 200 and an empty ListResponse.",
    },
    {
      id: "create-user",
      phase: "initial",
      does: "makes a user of whom only userName is sure",
      ...making("ines", "/Users", {
        body: { schemas: [USER_URN], userName: "ines.{run}@corp.example" },
        checks: [value(["active"], true, { is: "equalOrAbsent", fault: "a new user is inactive" })],
      }),
      evidence: "unverified",
      means: STATE,
      mend: "Ask for nothing but userName.",
    },
    {
      id: "update-user",
      phase: "delta",
      does: "changes the name",
      ...patching(
        "/Users/{ines.id}",
        [
          { op: "replace", path: "name.givenName", value: "Ines" },
          { op: "replace", path: "name.familyName", value: "Okafor" },
        ],
        [value(["name", "familyName"], "Okafor")],
      ),
      evidence: "inferred",
      means: STATE,
      mend: "Take paths with a dot, also where the user has no name yet.",
    },
    {
      id: "suspend-user",
      phase: "disable",
      does: "suspends a user",
      ...patching("/Users/{ines.id}", [{ op: "replace", path: "active", value: false }], [active(false)]),
      means: "Somebody who has left keeps the account.",
      mend: "Take active: false in PATCH.",
    },
    {
      id: "create-user-again",
      phase: "retry",
      does: "makes the user again, as after an answer that was lost",
      ...makingAgain({ schemas: [USER_URN], userName: "ines.{run}@corp.example" }),
      evidence: "inferred",
      means: "One person has two accounts.",
      mend: "Refuse a userName that is taken with 409.",
    },
    {
      id: "delete-user",
      phase: "delete",
      does: "deletes a user, up to three weeks later",
      ...deleting("/Users/{ines.id}"),
      means: "Accounts of people who have left stay for ever.",
      mend: "Answer 204 without a body (RFC 7644 §3.6).",
    },
  ],
};
