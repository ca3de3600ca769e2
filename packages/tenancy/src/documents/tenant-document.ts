/**
 * Schema and ResourceType documents of tenants, and what the service asks of a store of them.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { AdminAct } from "../acts/admin-act.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { ServedStore } from "./served-definitions.ts";

/** What a document defines. */
export type DocumentKind = "Schema" | "ResourceType";

/** A Schema or ResourceType document of a tenant. */
export interface TenantDocument {
  readonly kind: DocumentKind;
  /** URN of the schema in lower case, or name of the resource type: of one tenant, no two are alike. */
  readonly name: string;
  /** As it was entered. */
  readonly document: JsonObject;
  /** When it was entered, UTC with milliseconds. */
  readonly changed: string;
}

/** A change of a tenant's documents. */
export interface DocumentChange {
  /** The tenant with its new revision, and its new revision of documents. */
  readonly tenant: Tenant;
  /** The revision of the tenant that it takes the place of. */
  readonly before: number;
  /** Documents that are added, or take the place of those of their names. */
  readonly put: readonly TenantDocument[];
  /** Names of documents that go. */
  readonly remove: readonly string[];
  /** Names of the resource types that mean something else then, or are no more: no resource may be of them. */
  readonly broken: readonly string[];
  readonly acts: readonly AdminAct[];
}

/** What became of a change: nothing of it, where it was not written. */
export type DocumentOutcome =
  | { readonly kind: "written" }
  /** The stored tenant has not the revision `before`. */
  | { readonly kind: "changed" }
  /** There are resources of a type that would break; those among them that were deleted and can be restored. */
  | { readonly kind: "filled"; readonly type: string };

/** Port of documents. */
export interface DocumentStore extends ServedStore {
  /** The documents of a tenant in the order of their names. */
  list(tenant: string): Promise<readonly TenantDocument[]>;
  /**
   * Writes documents and the tenant with its new revisions, and tells the acts, all or nothing. A resource of a broken
   * type that is written at the same time by the former documents is either there before, so that nothing is changed, or
   * it is refused (`CreatePlan.schemas`).
   */
  change(change: DocumentChange): Promise<DocumentOutcome>;
}
