/**
 * The diagnostic address.
 * @module
 */
import { refer, type Paths, type Schema } from "./document-types.ts";
import { answerContent, needs, type Describing } from "./operations.ts";
import { parameterRefs } from "./parameters.ts";

/** `/Diagnostics/ReferentialConsistency`: which references name nothing, and which hold together badly. */
export function diagnosticsPaths({ features, errors }: Describing): Paths {
  const paging = features.cursor ? ["count", "cursor"] : [];
  return {
    "/Diagnostics/ReferentialConsistency": {
      get: {
        operationId: "diagnostics.referentialConsistency",
        tags: ["Diagnostics"],
        summary: "Tell how references hold together",
        description:
          "The whole report, of one state, sent while it is made. With `count` or `cursor`, where offered, a page of it: " +
          "it may hold fewer findings, or none, though `nextCursor` leads on.",
        parameters: parameterRefs("tenantId", ...paging),
        responses: {
          200: {
            description: "What was found. Nothing was changed.",
            content: answerContent(refer("schemas", "Scim.ReferentialConsistency")),
          },
          ...errors.of("diagnostics"),
        },
        security: needs("scim:diagnostics"),
      },
    },
  };
}

const ISSUE: Schema = { type: "string", description: "What is wrong, for people." };

function findings(description: string, ...ids: readonly string[]): Schema {
  return {
    type: "array",
    description,
    items: {
      type: "object",
      properties: {
        ...Object.fromEntries(ids.map((name) => [name, { type: "string", minLength: 1 }])),
        issue: ISSUE,
      },
      required: [...ids, "issue"],
    },
  };
}

/** What the address answers with. */
export const DIAGNOSTICS_SCHEMA: Schema = {
  type: "object",
  description: "How the references of a tenant hold together.",
  properties: {
    orphanedGroupMembers: findings("Members that name no resource.", "groupId", "memberId"),
    inconsistentUserGroups: findings(
      "Members named with the type of another resource, or in groups only because of a circle, or by too many levels.",
      "userId",
    ),
    cyclicGroupMembers: findings("Members that hold their holder in turn.", "groupId", "memberId"),
    nextCursor: { type: "string", description: "Where to go on; missing on the last page." },
  },
  required: ["orphanedGroupMembers", "inconsistentUserGroups", "cyclicGroupMembers"],
};
