/**
 * Reads the resources of a running service whole: with what it returns on request alone (RFC 7643 §7).
 * @module
 */
import {
  wholeAttributes,
  type DynamicResource,
  type DynamicShape,
  type ResourceClient,
  type ResourceList,
} from "@scim/client";

/** All resources, or those that a filter finds. */
export function wholeList(
  resources: ResourceClient<DynamicShape>,
  options: { readonly filter?: string } = {},
): ResourceList<DynamicResource> {
  const attributes = wholeAttributes(resources.type);
  if (attributes === undefined) return resources.list(options);
  // Nothing is left out where all is asked for.
  return resources.list({ ...options, attributes }) as ResourceList<DynamicResource>;
}

/** The resource of an id. */
export async function wholeResource(
  resources: ResourceClient<DynamicShape>,
  id: string,
): Promise<DynamicResource> {
  const attributes = wholeAttributes(resources.type);
  return attributes === undefined
    ? resources.get(id)
    : ((await resources.get(id, { attributes })) as DynamicResource);
}
