/**
 * A resource type of documents alone: Team, with owners that are Users or Teams, and what a User and a Team
 * show of it.
 * @module
 */
import { USER_RESOURCE_TYPE, type JsonObject, type SchemaRegistry } from "@scim/schemas";

/** URN of the Team schema. */
export const TEAM_URN = "urn:example:params:scim:schemas:core:2.0:Team";
/** URN of an extension of Team with a reference collection of its own. */
export const PROJECT_URN = "urn:example:params:scim:schemas:extension:project:2.0:Team";
/** URN of a schema whose every attribute is readOnly. */
export const REPORT_URN = "urn:example:Report";

function references(name: string, types: readonly string[], rest: JsonObject = {}): JsonObject {
  return {
    name,
    type: "complex",
    multiValued: true,
    ...rest,
    subAttributes: [
      { name: "value", type: "string", caseExact: true },
      { name: "$ref", type: "reference", referenceTypes: types, caseExact: true },
      { name: "type", type: "string", canonicalValues: types },
      { name: "display", type: "string" },
    ],
  };
}

/** Adds Team, which owns Users and other Teams and shows by which Teams it is owned. */
export function addTeams(registry: SchemaRegistry): void {
  registry.addSchema({
    id: TEAM_URN,
    name: "Team",
    attributes: [
      { name: "displayName", type: "string", required: true, uniqueness: "server" },
      { name: "budget", type: "integer" },
      references("owners", ["User", "Team"]),
      references("guests", ["User"]),
      references("ownedBy", ["Team"], { mutability: "readOnly" }),
      {
        name: "lead",
        type: "complex",
        subAttributes: [
          { name: "value", type: "string", caseExact: true },
          { name: "$ref", type: "reference", referenceTypes: ["User"] },
          { name: "display", type: "string" },
        ],
      },
    ],
  });
  registry.addResourceType({ name: "Team", endpoint: "/Teams", schema: TEAM_URN });
}

/** Adds Team with an extension that holds a reference collection. */
export function addTeamsWithProjects(registry: SchemaRegistry): void {
  addTeams(registry);
  registry.addSchema({
    id: PROJECT_URN,
    name: "Project",
    attributes: [{ name: "code", type: "string" }, references("sponsors", ["User"])],
  });
  registry.addResourceType({
    name: "Team",
    endpoint: "/Teams",
    schema: TEAM_URN,
    schemaExtensions: [{ schema: PROJECT_URN, required: false }],
  });
}

/** Adds Report, which clients can only read. */
export function addReports(registry: SchemaRegistry): void {
  registry.addSchema({
    id: REPORT_URN,
    name: "Report",
    attributes: [{ name: "lines", type: "integer", mutability: "readOnly" }],
  });
  registry.addResourceType({ name: "Report", endpoint: "/Reports", schema: REPORT_URN });
}

/** Users that may only be read and created. */
export function narrowUsers(registry: SchemaRegistry): void {
  registry.addResourceType(
    { ...USER_RESOURCE_TYPE, operations: ["read", "create"] },
    { allowBreaking: true },
  );
}

/** A Team with no more than it must have, and what is added. */
export function team(members: JsonObject = {}): JsonObject {
  return { schemas: [TEAM_URN], displayName: "Red", ...members };
}
