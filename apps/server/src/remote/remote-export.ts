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
import { typesInOrder } from "./types-in-order.ts";
import { wholeList } from "./whole-resources.ts";

/** A list that held fewer resources than the service said, from its first page to its last. */
export interface IncompleteList {
  /** Name of the resource type. */
  readonly type: string;
  readonly told: number;
  readonly listed: number;
}

/** What is written of a service. */
export interface RemoteLines {
  /** Of this type alone; undefined for all. */
  readonly type: string | undefined;
  /** Told where resources are missing: such a file is not all that there was. */
  readonly onIncomplete: (list: IncompleteList) => void;
}

/** Gives each resource as a line: of one type, or of all that can be read, what others refer to before them. */
export async function* remoteLines(
  client: ScimClient,
  { type: wanted, onIncomplete }: RemoteLines,
): AsyncGenerator<string, void, undefined> {
  const types = await typesOf(client);
  for (const type of wanted === undefined
    ? typesInOrder(types.filter(isReadable))
    : [typeNamed(types, wanted)]) {
    const list = wholeList(client.resource(type));
    const totals = new Set<number | null>();
    for await (const { resources, totalResults } of list.pages()) {
      totals.add(totalResults);
      for (const resource of resources) yield `${JSON.stringify(resource)}\n`;
    }
    const [told = null] = totals;
    const { resources: listed } = list.report;
    // Where resources come and go, a total is what it was at some moment.
    if (totals.size === 1 && told !== null && listed < told) onIncomplete({ type: type.name, told, listed });
  }
}

function isReadable({ operations }: ClientResourceType): boolean {
  return operations === undefined || operations.includes("read");
}

/** A service that does not tell which types it has, has users and groups. */
async function typesOf(client: ScimClient): Promise<readonly ClientResourceType[]> {
  try {
    return await client.discovery.resourceTypes();
  } catch (cause) {
    const isUntold = isScimClientError(cause) && cause instanceof ServiceError && cause.status === 404;
    if (!isUntold) throw cause;
    // Only their endpoints count here.
    return [USER, GROUP] as readonly ClientResourceType[];
  }
}
