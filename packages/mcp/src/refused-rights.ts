/**
 * Finds out which rights a token lacks, by asking the service what it does not mind being asked.
 * @module
 */
import { InvalidAnswerError, ServiceError, type PlainRequest, type ScimClient } from "@scim/client/fetch";
import { PATCH_OP_URN } from "@scim/schemas";
import type { ToolResourceType } from "./resource-types.ts";
import type { ToolRight } from "./tool.ts";

/** Resource types that are asked for at most; of the others, nothing is known. */
const MOST_TYPES = 20;

/** Milliseconds that the answers are waited for: whoever wants to know the tools waits as long. */
const PATIENCE_MS = 5000;

/** Names no resource of a service that makes its ids itself. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

/** Tells whether the service has refused a right. */
export type IsRefused = (right: ToolRight) => boolean;

/**
 * Asks for a list of nothing, and tries out a change and a deletion of what is not there, where the service has dry
 * runs: it tells a token that it lacks the scope before it looks at anything else. Nothing is written. What cannot be
 * found out, or not in time, counts as not refused.
 */
export async function findRefusedRights(
  client: ScimClient,
  types: readonly ToolResourceType[],
  signal?: AbortSignal,
): Promise<IsRefused> {
  const { dryRun } = await client.discovery.configExtension({ signal }).catch((error: unknown) => {
    if (error instanceof ServiceError || error instanceof InvalidAnswerError) return { dryRun: false };
    throw error;
  });
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const inTime = signal === undefined ? patience : AbortSignal.any([signal, patience]);
  const asked = types.slice(0, MOST_TYPES);
  const refused = new Set<string>();
  const ask = async (key: string, request: PlainRequest): Promise<void> => {
    if (await isForbidden(client, { ...request, signal: inTime })) refused.add(key);
  };
  await Promise.all(
    asked.flatMap(({ name, endpoint }) => [
      ask(`read ${name}`, { method: "GET", path: `${endpoint}?count=0` }),
      ...(dryRun
        ? [
            ask(`write ${name}`, {
              method: "PATCH",
              path: `/.dry-run${endpoint}/${NOBODY}`,
              body: { schemas: [PATCH_OP_URN], Operations: [] },
            }),
            ask(`delete ${name}`, { method: "DELETE", path: `/.dry-run${endpoint}/${NOBODY}` }),
          ]
        : []),
    ]),
  );
  return ({ verb, type }) =>
    type === null
      ? types.every(({ name }) => refused.has(`${verb} ${name}`))
      : refused.has(`${verb} ${type}`);
}

async function isForbidden(client: ScimClient, request: PlainRequest): Promise<boolean> {
  try {
    await client.request({ ...request, repeatable: true });
    return false;
  } catch (error) {
    return error instanceof ServiceError && error.status === 403;
  }
}
