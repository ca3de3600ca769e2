/**
 * The resources of a running service, as JSON lines.
 * @module
 */
import {
  GROUP,
  isScimClientError,
  ServiceError,
  USER,
  type ClientResourceType,
  type ScimClient,
} from "@scim/client";
import { typeNamed } from "./named-type.ts";

/** Gives each resource as a line: all types, users first, or one. */
export async function* remoteLines(
  client: ScimClient,
  type: string | undefined,
): AsyncGenerator<string, void, undefined> {
  const types = await typesOf(client);
  for (const each of type === undefined ? types : [typeNamed(types, type)]) {
    for await (const resource of client.resource(each).list()) yield `${JSON.stringify(resource)}\n`;
  }
}

/** A service that does not tell which types it has, has users and groups. */
async function typesOf(client: ScimClient): Promise<readonly ClientResourceType[]> {
  try {
    return await client.discovery.resourceTypes();
  } catch (cause) {
    const isUntold = isScimClientError(cause) && cause instanceof ServiceError && cause.code === "notFound";
    if (!isUntold) throw cause;
    // Only their endpoints count here.
    return [USER, GROUP] as readonly ClientResourceType[];
  }
}
