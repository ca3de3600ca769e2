/**
 * Another SCIM service as a source.
 * @module
 */
import { defineResourceType, isScimClientError, ServiceError, type ScimClient } from "@scim/client";
import { isJsonObject, type JsonObject } from "@scim/schemas";
import { SourceError, type Source, type SourceItem, type SourceReading } from "./source.ts";

/** Milliseconds by which changes are looked for earlier than the last reading began. */
const MARGIN_MS = 5000;

const PAGE_SIZE = 1000;

/** How a service is read. */
export interface ScimSourceOptions {
  /**
   * Whether a later reading takes what changed alone, where the service can be asked for it (`meta.lastModified`). Such
   * a reading does not tell who was deleted: read everything now and then. Default false.
   */
  readonly changesOnly?: boolean | undefined;
}

/**
 * The resources of a collection as a source; their attributes are the fields: `{name.givenName}`.
 *
 * @param endpoint path of the collection, such as `/Users`
 * @example
 * const people = scimSource(createScimClient({ baseUrl: "https://old.example/scim/v2", auth: token }), "/Users");
 */
export function scimSource(
  client: ScimClient,
  endpoint: string,
  { changesOnly: wanted = false }: ScimSourceOptions = {},
): Source {
  const type = defineResourceType({ name: endpoint, endpoint, schema: { id: endpoint, attributes: [] } });
  const resources = client.resource(type);
  return {
    open: async (since) => {
      const begun = await explained(() => instantOf(client));
      const changesOnly =
        since !== null && (await explained(() => tellsChanges(client, { endpoint, since })));
      const filter = changesOnly ? { filter: `meta.lastModified ge "${since}"` } : {};
      async function* items(): AsyncGenerator<SourceItem, void, undefined> {
        const listed = resources.list({ ...filter, pageSize: PAGE_SIZE });
        try {
          for await (const resource of listed) {
            // What a service answers with is JSON.
            const fields = resource as unknown as JsonObject & { readonly id: string };
            yield { kind: "record", fields, place: `${endpoint}/${fields.id}` };
          }
        } catch (cause) {
          throw explanation(cause);
        }
      }
      const reading: SourceReading = {
        items: items(),
        changesOnly,
        token: () => (!wanted || begun === null ? null : new Date(begun - MARGIN_MS).toISOString()),
      };
      return reading;
    },
  };
}

/** Whether a service obeys the filter: one that ignores it gives resources that are older. */
async function tellsChanges(
  client: ScimClient,
  { endpoint, since }: { readonly endpoint: string; readonly since: string },
): Promise<boolean> {
  const filter = encodeURIComponent(`meta.lastModified lt "${since}" and meta.lastModified ge "${since}"`);
  try {
    const { body } = await client.request({ method: "GET", path: `${endpoint}?filter=${filter}&count=1` });
    return isJsonObject(body ?? "") && body?.["totalResults"] === 0;
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 400 || error.status === 501)) return false;
    throw error;
  }
}

async function instantOf(client: ScimClient): Promise<number | null> {
  const { headers } = await client.request({ method: "GET", path: "/ServiceProviderConfig" });
  const instant = Date.parse(headers["date"] ?? "");
  return Number.isNaN(instant) ? null : instant;
}

async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw explanation(cause);
  }
}

function explanation(cause: unknown): unknown {
  return isScimClientError(cause)
    ? new SourceError(`The source: ${cause.message.replace(/\.?$/, ".")} ${cause.remedy}`, cause)
    : cause;
}
