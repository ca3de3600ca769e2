/**
 * A node of a resource type's attribute tree: what every rule asks about an attribute.
 * @module
 */
import type { Attribute, AttributeAnnotation } from "@scim/schemas";

/**
 * How the values of an attribute are kept.
 * - `value`: in the resource's own JSON.
 * - `collection`: references to other resources, kept as rows (`Group.members`).
 * - `inverse`: computed from another type's collection (`User.groups`).
 * - `column`: one of the common attributes that the store keeps in columns (`id`, `meta.*`).
 */
export type AttributeStorage = "value" | "collection" | "inverse" | "column";

/** An attribute or sub-attribute of a resource type. */
export interface AttributeNode {
  readonly attribute: Attribute;
  /** URN of the extension that defines it, or null for the base schema and common attributes. */
  readonly extension: string | null;
  /** Canonical attribute path: `name.givenName`, `urn:…:enterprise:2.0:User:manager.value`. */
  readonly path: string;
  /** Member names from the resource to the attribute. */
  readonly keys: readonly string[];
  readonly parent: AttributeNode | null;
  /** Sub-attributes by lower-case name. */
  readonly subAttributes: ReadonlyMap<string, AttributeNode>;
  readonly storage: AttributeStorage;
  /** Whether filters and sorts on it are served by an index. */
  readonly indexed: boolean;
  readonly annotation: AttributeAnnotation;
}

/** A multi-valued attribute that refers to other resources and is kept as rows. */
export interface ReferenceCollection {
  readonly node: AttributeNode;
  /** Names of the resource types that its values may name. */
  readonly types: readonly string[];
}

/** A readOnly attribute computed from the collections of other resource types. */
export interface InverseCollection {
  readonly node: AttributeNode;
  readonly sources: readonly InverseSource[];
}

/** A collection that feeds an inverse. */
export interface InverseSource {
  /** Name of the resource type that owns the collection, such as `Group`. */
  readonly type: string;
  /** Path of the collection in it, such as `members`. */
  readonly collection: string;
  /** Member of the owner's JSON that is shown as `display`, or null. */
  readonly displayKey: string | null;
}
