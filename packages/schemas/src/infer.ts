/**
 * The types of resources, worked out from schema definitions.
 * @module
 */
import type { AttributeDefinition } from "./attribute.ts";
import type { COMMON_ATTRIBUTES } from "./definitions/common-attributes.ts";
import type { SchemaDefinition } from "./schema.ts";

/** Whose view of a resource a type describes: `answer`, what a service gives; `request`, what a client sends. */
type View = "answer" | "request";

/** Attributes that are no part of a view: answers lack what is never returned, requests what is readOnly. */
type Hidden<A, V extends View> = V extends "answer"
  ? A extends { readonly returned: "never" } | { readonly mutability: "writeOnly" }
    ? true
    : false
  : A extends { readonly mutability: "readOnly" }
    ? true
    : false;

/** Attributes that are always there: required ones, and in answers those that are always returned. */
type Always<A, V extends View> = A extends { readonly required: true }
  ? true
  : V extends "answer"
    ? A extends { readonly returned: "always" }
      ? true
      : false
    : false;

type NameIf<A extends AttributeDefinition, V extends View, Wanted extends boolean> =
  Hidden<A, V> extends true ? never : Always<A, V> extends Wanted ? A["name"] : never;

type OneValue<A extends AttributeDefinition, V extends View> = A extends {
  readonly subAttributes: infer Subs extends readonly AttributeDefinition[];
}
  ? Members<Subs, V>
  : A extends { readonly type: "boolean" }
    ? boolean
    : A extends { readonly type: "decimal" | "integer" }
      ? number
      : string;

type Value<A extends AttributeDefinition, V extends View> = A extends { readonly multiValued: true }
  ? readonly OneValue<A, V>[]
  : OneValue<A, V>;

/** One object type in place of an intersection, so that editors show its members. */
type Flat<T> = { [Key in keyof T]: T[Key] };

type Members<List extends readonly AttributeDefinition[], V extends View> = Flat<
  { readonly [A in List[number] as NameIf<A, V, true>]: Value<A, V> } & {
    readonly [A in List[number] as NameIf<A, V, false>]?: Value<A, V>;
  }
>;

type Extended<List extends readonly SchemaDefinition[], V extends View> = {
  readonly [S in List[number] as S["id"]]?: Members<S["attributes"], V>;
};

type Whole<S extends SchemaDefinition, Extensions extends readonly SchemaDefinition[], V extends View> = Flat<
  Members<typeof COMMON_ATTRIBUTES, V> & Members<S["attributes"], V> & Extended<Extensions, V>
>;

/**
 * A resource as a service answers with it, unless the request left attributes out: the common attributes, those of
 * the schema, and each extension under its URN. What is never returned is absent; what is not required is optional.
 *
 * @example
 * type User = ResourceOf<typeof USER_SCHEMA, [typeof ENTERPRISE_USER_SCHEMA]>;
 * function label(user: User): string {
 *   return user.displayName ?? user.userName;
 * }
 */
export type ResourceOf<
  S extends SchemaDefinition,
  Extensions extends readonly SchemaDefinition[] = readonly [],
> = Whole<S, Extensions, "answer">;

/**
 * A resource as a client sends it to create or replace one: without `id`, `meta` and whatever else is readOnly.
 *
 * @example
 * const user: InputOf<typeof USER_SCHEMA> = { schemas: [USER_URN], userName: "ada" };
 */
export type InputOf<
  S extends SchemaDefinition,
  Extensions extends readonly SchemaDefinition[] = readonly [],
> = Whole<S, Extensions, "request">;

type PathsIn<List extends readonly AttributeDefinition[], Prefix extends string> = {
  readonly [A in List[number] as A["name"]]:
    | `${Prefix}${A["name"]}`
    | (A extends { readonly subAttributes: infer Subs extends readonly AttributeDefinition[] }
        ? `${Prefix}${A["name"]}.${Subs[number]["name"]}`
        : never);
}[List[number]["name"]];

type ExtensionPaths<List extends readonly SchemaDefinition[]> = {
  readonly [S in List[number] as S["id"]]: PathsIn<S["attributes"], `${S["id"]}:`>;
}[List[number]["id"]];

/**
 * The paths of the attributes of a resource, as filters, PATCH and projections name them (RFC 7644 §3.10): attributes
 * and sub-attributes, those of an extension behind its URN.
 *
 * @example
 * const path: AttributePathOf<typeof USER_SCHEMA> = "name.givenName";
 */
export type AttributePathOf<
  S extends SchemaDefinition,
  Extensions extends readonly SchemaDefinition[] = readonly [],
> = PathsIn<typeof COMMON_ATTRIBUTES, ""> | PathsIn<S["attributes"], ""> | ExtensionPaths<Extensions>;
