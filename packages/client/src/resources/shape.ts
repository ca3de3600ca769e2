/**
 * The types of a resource type, worked out from its schemas.
 * @module
 */
import type { FieldsOf } from "../filter/fields.ts";
import type { AttributePathOf, InputOf, JsonObject, ResourceOf, SchemaDefinition } from "@scim/schemas";

/** What the methods of a resource type take and give. */
export interface ResourceShape {
  /** A resource as the service answers with it. */
  readonly Resource: object;
  /** A resource as it is sent. */
  readonly Input: object;
  /** The paths of its attributes. */
  readonly Path: string;
  /** Its attributes, as filters are built of them. */
  readonly Fields: object;
}

/** A list of extensions. */
export type Extensions = readonly SchemaDefinition[];

/** The shape of a resource type whose schemas are known when the program is compiled. */
export interface ShapeOf<S extends SchemaDefinition, E extends Extensions = readonly []> {
  readonly Resource: ResourceOf<S, E>;
  /** `schemas` may be left out: the client works it out. */
  readonly Input: Omit<InputOf<S, E>, "schemas"> & { readonly schemas?: readonly string[] };
  readonly Path: AttributePathOf<S, E> & string;
  readonly Fields: FieldsOf<S, E>;
}

/** A resource of a type that is found out about at run time. */
export interface DynamicResource extends JsonObject {
  readonly id: string;
}

/** The shape of a resource type that is found out about at run time. */
export interface DynamicShape {
  readonly Resource: DynamicResource;
  readonly Input: JsonObject;
  readonly Path: string;
  readonly Fields: object;
}

/** A resource of which some attributes were not asked for. */
export type Projected<Resource> = Partial<Resource> &
  (Resource extends { readonly id: infer Id } ? { readonly id: Id } : object);
