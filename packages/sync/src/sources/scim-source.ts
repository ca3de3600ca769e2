/**
 * Another SCIM service as a source.
 * @module
 */
import { defineResourceType, isScimClientError, ServiceError, type ScimClient } from "@scim/client";
import { isJsonObject, type JsonObject } from "@scim/schemas";
import { instantOf } from "../service-clock.ts";
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
  /** Ends the reading: going through the items throws a SourceError then. */
  readonly signal?: AbortSignal | undefined;
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
  { changesOnly: wanted = false, signal }: ScimSourceOptions = {},
): Source {
  const type = defineResourceType({ name: endpoint, endpoint, schema: { id: endpoint, attributes: [] } });
  const resources = client.resource(type);
  return {
    open: async (since) => {
      const begun = wanted ? await explained(() => instantOf(client, signal)) : null;
      const changesOnly =
        wanted &&
        since !== null &&
        // A clock that went back gives changes instants that were asked for before.
        begun !== null &&
        begun >= Date.parse(since) &&
        (await explained(() => tellsChanges(client, { endpoint, since, signal })));
      const filter = changesOnly ? { filter: `meta.lastModified ge "${since}"` } : {};
      async function* items(): AsyncGenerator<SourceItem, void, undefined> {
        const listed = resources.list({ ...filter, pageSize: PAGE_SIZE, signal });
        try {
          for await (const resource of listed) {
            // What a service answers with is JSON.
            const fields = resource as unknown as JsonObject & { readonly id: string };
            yield { kind: "record", fields, place: `${endpoint}/${fields.id}` };
          }
          // Whoever is missing has not left for that.
          const { totalResults, resources: given } = listed.report;
          if (totalResults !== null && given < totalResults)
            yield {
              kind: "unreadable",
              place: endpoint,
              fault: `The service says that it has ${totalResults}, and listed ${given}: records are missing. Run it again, and tell the operator of the service where it stays so.`,
            };
        } catch (cause) {
          throw explanation(cause);
        }
      }
      const reading: SourceReading = {
        items: items(),
        changesOnly,
        token: () => (begun === null ? null : new Date(begun - MARGIN_MS).toISOString()),
      };
      return reading;
    },
  };
}

/** Whether a service obeys the filter: one that ignores it gives resources that are older. */
async function tellsChanges(
  client: ScimClient,
  {
    endpoint,
    since,
    signal,
  }: Pick<ScimSourceOptions, "signal"> & Readonly<Record<"endpoint" | "since", string>>,
): Promise<boolean> {
  const filter = encodeURIComponent(`meta.lastModified lt "${since}" and meta.lastModified ge "${since}"`);
  try {
    const path = `${endpoint}?filter=${filter}&count=1`;
    const { body } = await client.request({ method: "GET", path, signal });
    return isJsonObject(body ?? "") && body?.["totalResults"] === 0;
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 400 || error.status === 501)) return false;
    throw error;
  }
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
