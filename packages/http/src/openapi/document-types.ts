/**
 * The parts of an OpenAPI 3.1 document that a SCIM service needs.
 * @module
 */
import type { JsonObject, JsonValue } from "@scim/schemas";

/** A Schema Object: JSON Schema 2020-12. */
export type Schema = JsonObject;

/** A reference to one of the components. */
export interface Reference {
  readonly $ref: string;
}

/** A Parameter Object. */
export interface Parameter {
  readonly name: string;
  readonly in: "query" | "header" | "path";
  readonly description: string;
  readonly required?: boolean;
  readonly style?: "form";
  readonly explode?: boolean;
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: JsonValue }>>;
}

/** A Header Object. */
export interface Header {
  readonly description: string;
  readonly schema: Schema;
}

/** Media types and the schema of what they hold. */
export type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: JsonValue }>>;

/** A Request Body Object. */
export interface RequestBody {
  readonly description?: string;
  readonly required: true;
  readonly content: Content;
}

/** A Response Object. */
export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

/** Responses by status. */
export type Responses = Readonly<Record<string, Response | Reference>>;

/** An Operation Object. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Reference[];
  readonly requestBody?: RequestBody;
  readonly responses: Responses;
  /** The scopes that the token needs, by security scheme. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

/** The methods that operations stand under. HEAD and OPTIONS follow from the others. */
export type OperationMethod = "get" | "post" | "put" | "patch" | "delete";

/** A Path Item Object. */
export type PathItem = { readonly [Method in OperationMethod]?: Operation } & {
  readonly parameters?: readonly Reference[];
};

/** Path items by path. */
export type Paths = Readonly<Record<string, PathItem>>;

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly paths: Paths;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, JsonObject>>;
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/** Components by kind, as far as references name them. */
type ComponentKind = "schemas" | "parameters" | "headers" | "responses";

/** A reference to a component. */
export function refer(kind: ComponentKind, name: string): { readonly $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}
