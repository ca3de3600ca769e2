/**
 * What the tools of a resource type are called.
 * @module
 */
import type { ClientResourceType } from "@scim/client/fetch";

/** The names that tools of a resource type are made of. */
export interface TypeNames {
  /** `user`, `endpoint_app`. */
  readonly one: string;
  /** `users`, `endpoint_apps`. */
  readonly many: string;
}

/** The names of a resource type: by its own name, and by the end of its endpoint. */
export function namesOf({ name, endpoint }: Pick<ClientResourceType, "name" | "endpoint">): TypeNames {
  return { one: snakeCase(name), many: snakeCase(endpoint.split("/").at(-1) ?? name) };
}

/** `EndpointApp` as `endpoint_app`. */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .toLowerCase();
}
