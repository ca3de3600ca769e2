/**
 * Resource types (RFC 7643 §6): an endpoint, its schema and the extensions bound to it.
 * @module
 */

/** A schema extension bound to a resource type. */
export interface SchemaExtensionBinding {
  /** URN of the extension. */
  readonly schema: string;
  /** Whether every resource of the type must carry the extension. */
  readonly required: boolean;
}

/** What a client may do with resources of a type. */
export type ResourceOperation = "create" | "read" | "replace" | "patch" | "delete" | "query";

/** All operations, in the order in which documents list them. */
export const RESOURCE_OPERATIONS: readonly ResourceOperation[] = [
  "create",
  "read",
  "replace",
  "patch",
  "delete",
  "query",
];

/** How a value is treated in logs: shown, as a keyed hash, or not at all. */
export type Sensitivity = "none" | "personal" | "secret";

/** All ways in which values are treated in logs. */
export const SENSITIVITIES: readonly Sensitivity[] = ["none", "personal", "secret"];

/**
 * What SCIM's characteristics cannot say about an attribute. Keyed by attribute path in
 * {@link ResourceTypeDefinition.annotations}; never served at `/Schemas`.
 */
export interface AttributeAnnotation {
  /** Least length of a string, in code points. */
  readonly minLength?: number;
  /** Greatest length of a string, in code points. The service's own limit holds where it is tighter, for numbers too. */
  readonly maxLength?: number;
  /** Least value of a number. */
  readonly minimum?: number;
  /** Greatest value of a number. */
  readonly maximum?: number;
  /** Greatest number of significant digits of a decimal. */
  readonly precision?: number;
  /** Greatest number of digits after the point of a decimal. */
  readonly scale?: number;
  /**
   * Value that the service sets where a POST or PUT gives none. That of a sub-attribute is set in complex values that
   * are there; a PATCH sets none.
   */
  readonly default?: string | number | boolean;
  /** Whether filters and sorts on the attribute are served by an index. */
  readonly indexed?: boolean;
  /** How the value is treated in logs. Default `personal` for strings. */
  readonly sensitivity?: Sensitivity;
}

/**
 * Says that the resources of a type are the rows of a reference collection: one for each value, kept nowhere else.
 * Adding one adds the value, deleting one removes it. The id of a row is `<owner>~<value>`; in the owner's id, `~`
 * and `%` are percent-encoded.
 */
export interface RowsOfCollection {
  /** Name of the resource type that owns the collection, such as `Group`. */
  readonly type: string;
  /** Path of the collection in it, such as `members` or `urn:example:…:Group:sponsors`. */
  readonly path: string;
  /** Name of the attribute, of the schema of the rows, that refers to the owner. */
  readonly owner: string;
  /** Name of the attribute that holds the value of the collection. */
  readonly value: string;
}

/** A resource type as its document states it (RFC 7643 §6). */
export interface ResourceTypeDefinition {
  /** Name, such as `User`; also its `id` and the `meta.resourceType` of its resources. */
  readonly name: string;
  readonly description?: string;
  /** Path of the collection below the base URL, such as `/Users`. */
  readonly endpoint: string;
  /** URN of the base schema. */
  readonly schema: string;
  readonly schemaExtensions?: readonly SchemaExtensionBinding[];
  /** Narrows what clients may do. Default: everything. */
  readonly operations?: readonly ResourceOperation[];
  /** Shows the rows of a reference collection as resources. Never served at `/ResourceTypes`. */
  readonly rowsOf?: RowsOfCollection;
  /** Annotations by attribute path, such as `userName` or `urn:example:…:User:badge`. */
  readonly annotations?: Readonly<Record<string, AttributeAnnotation>>;
}
