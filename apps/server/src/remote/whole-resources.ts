/**
 * Reads the resources of a running service whole: with what it returns on request alone (RFC 7643 §7).
 * @module
 */
import type {
  ClientResourceType,
  DynamicResource,
  DynamicShape,
  ResourceClient,
  ResourceList,
} from "@scim/client";
import type { AttributeDefinition } from "@scim/schemas";

/** What answers leave out where attributes are named (RFC 7644 §3.9): `id` and `schemas` are always there. */
const COMMON = ["externalId", "meta"];

/** All resources, or those that a filter finds. */
export function wholeList(
  resources: ResourceClient<DynamicShape>,
  options: { readonly filter?: string } = {},
): ResourceList<DynamicResource> {
  const attributes = namesToAsk(resources.type);
  if (attributes === undefined) return resources.list(options);
  // Nothing is left out where all is asked for.
  return resources.list({ ...options, attributes }) as ResourceList<DynamicResource>;
}

/** The resource of an id. */
export async function wholeResource(
  resources: ResourceClient<DynamicShape>,
  id: string,
): Promise<DynamicResource> {
  const attributes = namesToAsk(resources.type);
  return attributes === undefined
    ? resources.get(id)
    : ((await resources.get(id, { attributes })) as DynamicResource);
}

/** All attributes of a type, where some have to be asked for; undefined where a service shows all that it ever does. */
function namesToAsk({ schema, extensions }: ClientResourceType): readonly string[] | undefined {
  const [shown, requested]: [string[], string[]] = [[], []];
  const add = (attributes: readonly AttributeDefinition[], prefix: string): void => {
    for (const attribute of attributes) {
      const path = `${prefix}${attribute.name}`;
      if (attribute.returned === "never") continue;
      (attribute.returned === "request" ? requested : shown).push(path);
      const parts = attribute.type === "complex" ? attribute.subAttributes : [];
      for (const { name, returned } of parts) if (returned === "request") requested.push(`${path}.${name}`);
    }
  };
  add(schema.attributes, "");
  for (const { id, attributes } of extensions) add(attributes, `${id}:`);
  return requested.length === 0 ? undefined : [...COMMON, ...shown, ...requested];
}
