/**
 * What Schema and ResourceType documents share: the common attributes that they carry when they are served.
 * @module
 */
import { resolveAttribute, type Attribute } from "../attribute.ts";
import { COMMON_ATTRIBUTES } from "../definitions/common-attributes.ts";
import { isSameUrn } from "../urns.ts";
import type { IssueList } from "./issue-list.ts";

/** `schemas` and `id` as a document may carry them; `schemas` may be left out. */
export function commonMembers(options: { readonly idRequired: boolean }): readonly Attribute[] {
  return COMMON_ATTRIBUTES.filter((attribute) => attribute.name === "schemas" || attribute.name === "id").map(
    (attribute) => ({
      ...resolveAttribute(attribute),
      required: attribute.name === "id" && options.idRequired,
    }),
  );
}

/** Members that a service says about itself; a document that was served may bring them, and they mean nothing here. */
export const IGNORED_MEMBERS: ReadonlySet<string> = new Set(["meta"]);

/** Where a document states its schemas, the one that makes it such a document must be among them. */
export function checkSchemas(schemas: readonly string[] | undefined, urn: string, issues: IssueList): void {
  if (schemas !== undefined && !schemas.some((schema) => isSameUrn(schema, urn))) {
    issues.add("schemas", `must hold ${urn}`);
  }
}
