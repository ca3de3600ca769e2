/**
 * Memberships of groups, and sponsors of teams, as resource types that show rows.
 * @module
 */
import {
  GROUP_MEMBERSHIP_RESOURCE_TYPE,
  GROUP_MEMBERSHIP_SCHEMA,
  GROUP_MEMBERSHIP_URN,
  GROUP_URN,
  type JsonObject,
  type SchemaRegistry,
} from "@scim/schemas";
import { addTeamsWithProjects, PROJECT_URN } from "./teams.ts";

/** URN of the schema of sponsorships. */
export const SPONSORSHIP_URN = "urn:example:params:scim:schemas:core:2.0:Sponsorship";

/** Adds the memberships of groups. */
export function addMemberships(registry: SchemaRegistry): void {
  registry.addSchema(GROUP_MEMBERSHIP_SCHEMA);
  registry.addResourceType(GROUP_MEMBERSHIP_RESOURCE_TYPE);
}

/** Adds Team, and the sponsors that its extension holds as a type of their own. */
export function addSponsorships(registry: SchemaRegistry): void {
  addTeamsWithProjects(registry);
  const reference = (name: string, type: string): JsonObject => ({
    name,
    type: "complex",
    required: true,
    mutability: "immutable",
    subAttributes: [
      { name: "value", type: "string", required: true, caseExact: true, mutability: "immutable" },
      { name: "$ref", type: "reference", referenceTypes: [type] },
    ],
  });
  registry.addSchema({
    id: SPONSORSHIP_URN,
    name: "Sponsorship",
    attributes: [reference("team", "Team"), reference("sponsor", "User")],
  });
  registry.addResourceType({
    name: "Sponsorship",
    endpoint: "/Sponsorships",
    schema: SPONSORSHIP_URN,
    rowsOf: { type: "Team", path: `${PROJECT_URN}:sponsors`, owner: "team", value: "sponsor" },
  });
}

/** A membership to create. */
export function membership(group: string, member: string, rest: JsonObject = {}): JsonObject {
  return { schemas: [GROUP_MEMBERSHIP_URN], group: { value: group }, member: { value: member, ...rest } };
}

/** A group to create. */
export function groupOf(displayName: string, ...members: readonly (string | JsonObject)[]): JsonObject {
  return {
    schemas: [GROUP_URN],
    displayName,
    members: members.map((member) => (typeof member === "string" ? { value: member } : member)),
  };
}
