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
import { CommandFailure, EXIT } from "../failure.ts";

/** Gives each resource as a line: all types, users first, or one. */
export async function* remoteLines(
  client: ScimClient,
  type: string | undefined,
): AsyncGenerator<string, void, undefined> {
  for (const each of chosen(await typesOf(client), type)) {
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

function chosen(
  types: readonly ClientResourceType[],
  wanted: string | undefined,
): readonly ClientResourceType[] {
  if (wanted === undefined) return types;
  const found = types.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (found !== undefined) return [found];
  const names = types.map(({ name }) => name).join(", ");
  throw new CommandFailure(EXIT.usage, `The service has no resource type '${wanted}'; it has ${names}.`);
}
