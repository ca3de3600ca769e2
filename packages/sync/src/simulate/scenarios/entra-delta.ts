/**
 * Microsoft Entra ID: what changes of users become, without and with the flag `aadOptscim062020`.
 * @module
 */
import { ENTERPRISE_USER_URN } from "@scim/schemas";
import type { Step } from "../scenario.ts";
import { HOLDS_BACK, QUARANTINE } from "./entra-faults.ts";
import { listing, patching } from "./requests.ts";
import { active, first, none, total, value } from "./shared-checks.ts";

/** Delta cycles. */
export const DELTA: readonly Step[] = [
  {
    id: "update-user",
    phase: "delta",
    does: "changes a user, one operation for each attribute",
    ...patching(
      "/Users/{ines.id}",
      [
        { op: "Replace", path: "displayName", value: "Ines Moreau" },
        { op: "Replace", path: 'emails[type eq "work"].value', value: "moreau.{run}@corp.example" },
        { op: "Replace", path: "name.familyName", value: "Moreau" },
        { op: "Add", path: `${ENTERPRISE_USER_URN}:employeeNumber`, value: "E-4471" },
        { op: "Add", path: "title", value: "Analyst" },
      ],
      [
        value(["displayName"], "Ines Moreau"),
        value(["emails", { type: "work" }, "value"], "moreau.{run}@corp.example"),
        value(["name", "familyName"], "Moreau"),
        value(["name", "givenName"], "Ines", { fault: "what was not named is gone from name" }),
        value([ENTERPRISE_USER_URN, "employeeNumber"], "E-4471"),
      ],
    ),
    means: HOLDS_BACK,
    mend: "Take op in any letter case, paths with a filter, and paths behind the URN of an extension.",
  },
  {
    id: "add-by-filter",
    phase: "delta",
    does: "adds a telephone number by a path whose filter matches nothing yet",
    ...patching(
      "/Users/{ines.id}",
      [{ op: "Add", path: 'phoneNumbers[type eq "mobile"].value', value: "+1-555-0100" }],
      [value(["phoneNumbers", { type: "mobile" }, "value"], "+1-555-0100")],
    ),
    evidence: "observed",
    means: HOLDS_BACK,
    mend: "Make the value from what the filter says, where it matches nothing, also for replace: no 400 noTarget.",
  },
  {
    id: "set-manager",
    phase: "delta",
    does: "sets the manager, as a plain text",
    ...patching(
      "/Users/{ines.id}",
      [{ op: "Add", path: `${ENTERPRISE_USER_URN}:manager`, value: "{bo.id}" }],
      [value([ENTERPRISE_USER_URN, "manager", "value"], "{bo.id}")],
    ),
    means: HOLDS_BACK,
    mend: "Take the id of a manager as a plain text for manager.value.",
  },
  {
    id: "check-reference",
    phase: "delta",
    does: "asks whether the manager is set",
    ...listing("/Users?filter=id+eq+%22{ines.id}%22+and+manager+eq+%22{bo.id}%22&attributes=id"),
    evidence: "observed",
    weight: "hinders",
    means: "References are written anew in each cycle.",
    mend: "Take filters that compare id, and manager without its URN.",
  },
  {
    id: "remove-manager",
    phase: "delta",
    does: "takes the manager away",
    ...patching(
      "/Users/{ines.id}",
      [{ op: "Remove", path: `${ENTERPRISE_USER_URN}:manager` }],
      [none([ENTERPRISE_USER_URN, "manager"])],
    ),
    evidence: "observed",
    means: HOLDS_BACK,
    mend: "Take remove with the path of an attribute of an extension.",
  },
  {
    id: "remove-manager-by-value",
    phase: "delta",
    does: "sets a manager, and takes that manager away by the value",
    ...patching(
      "/Users/{ines.id}",
      [
        { op: "add", path: `${ENTERPRISE_USER_URN}:manager`, value: "{bo.id}" },
        { op: "remove", path: `${ENTERPRISE_USER_URN}:manager[value eq "{bo.id}"]` },
      ],
      [none([ENTERPRISE_USER_URN, "manager"])],
    ),
    evidence: "observed",
    means: HOLDS_BACK,
    mend: "Take the one object of an attribute for a list of it where a path has a filter.",
  },
  {
    id: "update-user-with-flag",
    phase: "delta",
    does: "changes a user with the flag aadOptscim062020: names with dots and URNs in one value",
    ...patching(
      "/Users/{ines.id}",
      [
        {
          op: "replace",
          value: {
            displayName: "Ines M.",
            "name.givenName": "Inès",
            [`${ENTERPRISE_USER_URN}:department`]: "R&D",
          },
        },
        { op: "replace", path: 'emails[type eq "work"].value', value: "im.{run}@corp.example" },
      ],
      [
        value(["displayName"], "Ines M."),
        value(["name", "givenName"], "Inès"),
        value([ENTERPRISE_USER_URN, "department"], "R&D"),
        value(["emails", { type: "work" }, "value"], "im.{run}@corp.example"),
      ],
    ),
    means: HOLDS_BACK,
    mend: "Read names in a value without path as paths, or leave the flag out of the tenant URL.",
  },
];

/** People who leave, and come back. */
export const DISABLE: readonly Step[] = [
  {
    id: "disable-user",
    phase: "disable",
    does: 'disables a user, by the text "False"',
    ...patching("/Users/{ines.id}", [{ op: "Replace", path: "active", value: "False" }], [active(false)]),
    means: "Somebody who has left keeps the account, while Entra tries for ever.",
    mend: 'Take "False" and "True" for booleans, or have aadOptscim062020 put in the tenant URL.',
  },
  {
    id: "find-disabled-user",
    phase: "disable",
    does: "finds the disabled user",
    ...listing("/Users?filter=userName+eq+%22ines.{run}%40corp.example%22", [
      total(1, "The user is made again, and meets 409 for ever."),
      first("ines"),
    ]),
    means: QUARANTINE,
    mend: "List inactive users like others: active false is no deletion.",
  },
  {
    id: "enable-user",
    phase: "disable",
    does: "enables the user again",
    ...patching("/Users/{ines.id}", [{ op: "replace", path: "active", value: true }], [active(true)]),
    means: "Somebody who came back cannot work.",
    mend: "Let active be set to true again.",
  },
];
