/**
 * The tools of one request: over the SCIM handler of this process, with the token of the caller.
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Authenticator, Principal } from "@scim/core";
import type { ScimClient } from "@scim/client/fetch";
import type { MaskingPolicy, ScimTools, ToolResourceType } from "@scim/mcp";
import type { ScimHandler } from "@scim/http";
import type { SchemaRegistry } from "@scim/schemas";
import type { FastifyBaseLogger } from "fastify";
import type { ServedTenants } from "../serve/served-tenants.ts";
import type { Settings } from "../settings/table.ts";

/** What tools are made of. */
export interface ToolboxOptions {
  readonly settings: Settings;
  /** Answers the requests of the tools, and logs them; it counts none, since the calls are counted. */
  readonly handler: ScimHandler;
  /** Makes a handler that answers whoever an authenticator finds, and logs nothing. */
  readonly quietHandler: (authenticate: Authenticator) => ScimHandler;
  readonly served: ServedTenants;
}

/** Who calls, and where from. */
export interface ToolCaller {
  readonly principal: Principal;
  readonly token: string;
  /** The address of SCIM by which the caller reaches the server. */
  readonly baseUrl: string;
  /** The tenant that the address names; null where the token decides. */
  readonly tenant: string | null;
  readonly address: string;
  /** Id of the request that holds the calls. */
  readonly requestId: string;
  /** Told of faults of the tools. */
  readonly log: Pick<FastifyBaseLogger, "error">;
}

/** Milliseconds that a request of a tool may take. */
const TIMEOUT_MS = 30_000;

/** Greatest answer that a tool reads, in bytes (16 MiB): more than any model takes. */
const MOST_BYTES = 16_777_216;

/** Makes what makes the tools of a caller. What it needs is loaded on first use. */
export function toolboxes(options: ToolboxOptions): (caller: ToolCaller) => Promise<ScimTools> {
  const { settings, served } = options;
  const typesOf = resourceTypesOf();
  return async (caller) => {
    const { principal } = caller;
    const [{ createScimTools }, { registry }] = await Promise.all([
      import("@scim/mcp"),
      served.of(principal.tenant),
    ]);
    const readOnly = settings.tools === "read-only";
    return createScimTools({
      client: await clientOf(options.handler, caller),
      tenant: principal.tenant,
      access: { scopes: principal.scopes, readOnly, allow: settings["tools.allow"] ?? undefined },
      onFault: (thrown) => caller.log.error({ err: thrown, req: caller.requestId }, "a tool failed"),
      mask: settings["tools.personal"] === "hidden" && maskingBy(registry),
      resourceTypes: async () => typesOf(registry),
      discovery: async () => {
        const quiet = options.quietHandler(async () => ({ ...principal, scopes: new Set(["scim:read"]) }));
        return (await clientOf(quiet, caller)).discovery;
      },
    });
  };
}

async function clientOf(handler: ScimHandler, caller: ToolCaller): Promise<ScimClient> {
  const { baseUrl, tenant, token, address, requestId } = caller;
  const [{ createScimClient }, { createInProcessTransport }] = await Promise.all([
    import("@scim/client/fetch"),
    import("@scim/client/in-process"),
  ]);
  let count = 0;
  const nextId = (): string => {
    count += 1;
    return `${requestId}.${count}`;
  };
  // A long body was read and written in this turn: it is read again, and stored, in one that others may have theirs before.
  const inTurn: ScimHandler = { handle: async (request) => handler.handle(await nextTurn(request)) };
  return createScimClient({
    baseUrl,
    auth: token,
    transport: createInProcessTransport(inTurn, { tenant, requestId: nextId, address }),
    limits: { timeout: TIMEOUT_MS, maxAnswerBytes: MOST_BYTES },
    // The caller is told to wait, and does so itself.
    retries: { attempts: 1 },
    cache: false,
  });
}

function maskingBy(registry: SchemaRegistry): MaskingPolicy {
  return {
    sensitivityOf: (type, path) => registry.resourceType(type)?.annotations?.[path]?.sensitivity,
  };
}

interface MadeTypes {
  readonly revision: number;
  readonly types: readonly ToolResourceType[];
}

/** The resource types of a registry as the client has them: the same list while it is the same. */
function resourceTypesOf(): (registry: SchemaRegistry) => readonly ToolResourceType[] {
  const made = new WeakMap<SchemaRegistry, MadeTypes>();
  return (registry) => {
    const known = made.get(registry);
    if (known?.revision === registry.revision) return known.types;
    const types = toolTypesOf(registry);
    made.set(registry, { revision: registry.revision, types });
    return types;
  };
}

/** The resource types of a registry as tools have them. */
export function toolTypesOf(registry: SchemaRegistry): readonly ToolResourceType[] {
  return registry.resourceTypes().flatMap((definition): ToolResourceType[] => {
    const { name, endpoint, schemaExtensions = [], operations } = definition;
    const schema = registry.schema(definition.schema);
    const extensions = schemaExtensions.flatMap((bound) => registry.schema(bound.schema) ?? []);
    return schema === undefined ? [] : [{ name, endpoint, schema, extensions, operations }];
  });
}
