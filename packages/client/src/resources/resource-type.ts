/**
 * Resource types as the client knows them: an endpoint and its schemas.
 * @module
 */
import {
  ENTERPRISE_USER_SCHEMA,
  GROUP_SCHEMA,
  USER_SCHEMA,
  type AttributeDefinition,
  type ResourceOperation,
  type SchemaDefinition,
} from "@scim/schemas";
import { UsageError } from "../errors/usage-error.ts";
import { requireSchema } from "./given-definitions.ts";
import type { DynamicShape, Extensions, ResourceShape, ShapeOf } from "./shape.ts";

declare const SHAPE: unique symbol;

/** A resource type: where its resources are, and what they hold. `Shape` is a matter of types alone. */
export interface ClientResourceType<Shape extends ResourceShape = DynamicShape> {
  /** Name, such as `User`. */
  readonly name: string;
  /** Path of the collection below the base address, such as `/Users`. */
  readonly endpoint: string;
  readonly schema: SchemaDefinition;
  readonly extensions: readonly SchemaDefinition[];
  /** What clients may do with its resources, where the service narrows that. Default: everything. */
  readonly operations?: readonly ResourceOperation[] | undefined;
  readonly [SHAPE]?: Shape;
}

/** What a resource type is defined by. */
export interface ResourceTypeOptions<S extends SchemaDefinition, E extends Extensions> {
  readonly name: string;
  readonly endpoint: string;
  readonly schema: S;
  /** Default none. */
  readonly extensions?: E;
}

/**
 * Defines a resource type, whose types are inferred from its schemas.
 *
 * @example
 * const DEVICE = defineResourceType({ name: "Device", endpoint: "/Devices", schema: DEVICE_SCHEMA });
 * const device = await client.resource(DEVICE).create({ serial: "4711" });
 * @throws {@link UsageError} `invalidOption` where the endpoint is no path, or a schema no definition
 */
export function defineResourceType<S extends SchemaDefinition, const E extends Extensions = readonly []>(
  options: ResourceTypeOptions<S, E>,
): ClientResourceType<ShapeOf<S, E>> {
  const { name, endpoint, schema, extensions = [] } = options;
  // A service may give a type any text for a name, none included: what is generated of it must load.
  if (typeof name !== "string")
    throw new UsageError("invalidOption", "The name of a resource type is a text such as 'Device'.");
  if (!/^(?:\/[\w.~-]+)+$/.test(endpoint)) {
    throw new UsageError("invalidOption", `The endpoint of ${name} is a path such as '/Devices'.`);
  }
  requireSchema(schema, `The schema of ${name}`);
  if (!Array.isArray(extensions))
    throw new UsageError("invalidOption", `The extensions of ${name} are a list of schemas.`);
  for (const [at, each] of extensions.entries()) requireSchema(each, `Extension ${at} of ${name}`);
  return { name, endpoint, schema, extensions };
}

/** Users, with the enterprise extension (RFC 7643 §4.1, §4.3). */
export const USER = defineResourceType({
  name: "User",
  endpoint: "/Users",
  schema: USER_SCHEMA,
  extensions: [ENTERPRISE_USER_SCHEMA],
});

/** Groups (RFC 7643 §4.2). */
export const GROUP = defineResourceType({ name: "Group", endpoint: "/Groups", schema: GROUP_SCHEMA });

/** The attributes of a type that a service works out itself beside `meta` and `id`, such as `groups` of a User. */
export function derivedAttributes({
  schema,
}: Pick<ClientResourceType, "schema">): readonly AttributeDefinition[] {
  return schema.attributes.filter(
    ({ mutability, multiValued, type }) =>
      mutability === "readOnly" && multiValued === true && type === "complex",
  );
}
