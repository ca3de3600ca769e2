/**
 * The tools of one caller on one service.
 * @module
 */
import { ServiceError, type ScimClient } from "@scim/client/fetch";
import type { JsonObject } from "@scim/schemas";
import { createToolFilter, type ToolAccess } from "./access.ts";
import { createMask, holdsMask, MASK, type MaskingPolicy } from "./masking.ts";
import { checkParams, textOf } from "./parameters.ts";
import { invalidParams, scimToolError, toolErrorOf } from "./tool-error.ts";
import { findRefusedRights } from "./refused-rights.ts";
import { discoverTypes, type ToolResourceType } from "./resource-types.ts";
import type { Tool, ToolDescription, ToolDiscovery } from "./tool.ts";
import { explainFilterTool } from "./tools/explain-filter.ts";
import { memberTools } from "./tools/member-tools.ts";
import { queryTool } from "./tools/query-tool.ts";
import { resourceTools } from "./tools/resource-tools.ts";
import { asJson, serviceTools } from "./tools/service-tools.ts";
import { withRawVersion } from "./versions.ts";

/** What tools are made of. */
export interface ScimToolsOptions {
  /** Sends the requests, with the credentials of the caller. */
  readonly client: ScimClient;
  /** What the caller may use. Default: everything; the service decides. */
  readonly access?: ToolAccess | undefined;
  /** What is hidden in results; or false for nothing. Default false. */
  readonly mask?: MaskingPolicy | false | undefined;
  /** The tenant of the token, which `tenant_id` may name. Default: not known, and no `tenant_id` is taken. */
  readonly tenant?: string | null | undefined;
  /** The client for another tenant that the caller may name; null where it may not. Default: none may be named. */
  readonly clientOf?: ((tenant: string) => ScimClient | null) | undefined;
  /** Finds the resource types. Default: by discovery; Users and Groups where the service has none. */
  readonly resourceTypes?: (() => Promise<readonly ToolResourceType[]>) | undefined;
  /** Finds who tells what the service can do. Default: the client asks it once. */
  readonly discovery?: (() => Promise<ToolDiscovery>) | undefined;
  /** Gives up, when it is aborted, what is asked on behalf of no call: of resource types and rights. Default: never. */
  readonly signal?: AbortSignal | undefined;
  /** Told of what a tool threw that is a fault of its own: its caller is told that it failed, and no more. */
  readonly onFault?: ((thrown: unknown) => void) | undefined;
}

/** Tools, to be listed and called. */
export interface ScimTools {
  /** The tools that the caller has. @throws ToolError where the service cannot be asked */
  list(): Promise<readonly ToolDescription[]>;
  /**
   * Calls a tool with named parameters.
   * @throws ToolError and nothing else
   */
  call(name: string, params: JsonObject, options?: ToolCallOptions): Promise<JsonObject>;
  /** The schemas of the service, as `/Schemas` tells them. @throws ToolError */
  schemas(options?: ToolCallOptions): Promise<readonly JsonObject[]>;
}

/** What a call may be told beside its parameters. */
export interface ToolCallOptions {
  /** Gives the call up when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the tools of a caller. The resource types are found on first use, and kept: custom types have the same tools as
 * users.
 *
 * @example
 * const tools = createScimTools({ client, access: { readOnly: true }, mask: {} });
 * const { Resources } = await tools.call("scim_search_users", { attribute: "userName", value: "bjensen" });
 */
export function createScimTools(options: ScimToolsOptions): ScimTools {
  const { client, access = {}, mask = false, signal: ended } = options;
  const { resourceTypes = () => discoverTypes(client, ended) } = options;
  const isThere = createToolFilter(access);
  const maskResource = mask === false ? null : createMask(mask);
  // The service has said that the token does not open these.
  const closed = new Set<string>();
  const find = onceMade(async () => knownOf(await resourceTypes(), options, isThere));
  const ask = onceMade(async () => {
    const { types, offered } = await find();
    const isRefused = await findRefusedRights(client, types, ended);
    for (const { name, right } of offered) if (right !== null && isRefused(right)) closed.add(name);
  });

  const run = async (
    name: string,
    params: JsonObject,
    signal: AbortSignal | undefined,
  ): Promise<JsonObject> => {
    const { types, all } = await find();
    const tool = requireTool(all.get(name), isThere, name);
    checkParams(tool.inputSchema, params);
    if (maskResource !== null && !tool.annotations.readOnlyHint) refuseMasked(params);
    return tool.run({
      client: clientFor(options, textOf(params, "tenant_id")),
      params,
      signal,
      types,
      discovery: options.discovery ?? (async () => client.discovery),
      hidesValues: maskResource !== null,
      shown: (type, resource) => {
        const raw = withRawVersion(resource);
        return maskResource === null ? raw : maskResource(type, raw);
      },
    });
  };
  /** Whatever is thrown is told as the error of a tool. */
  const told = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (thrown) {
      const error = toolErrorOf(thrown);
      if (error.code === "internalError") options.onFault?.(thrown);
      throw error;
    }
  };

  return {
    list: () =>
      told(
        (async () => {
          if (access.ask === true) await ask();
          return (await find()).offered.filter(({ name }) => !closed.has(name)).map(described);
        })(),
      ),
    schemas: async ({ signal } = {}) => (await told(client.discovery.schemas({ signal }))).map(asJson),
    call: (name, params, { signal } = {}) =>
      told(
        run(name, params, signal).catch((error: unknown) => {
          const isForbidden = error instanceof ServiceError && error.code === "forbidden";
          if (isForbidden && concernsAll(params, options)) closed.add(name);
          throw error;
        }),
      ),
  };
}

/**
 * The names of an allow-list that no tool of these resource types has: whoever misspells one opens nothing by it, and is told by
 * nobody.
 *
 * @param allow names, in which `*` stands for any characters
 */
export function unknownTools(
  allow: readonly string[],
  types: readonly ToolResourceType[],
): readonly string[] {
  const { offered } = knownOf(types, {}, () => true);
  return allow.filter((name) => !offered.some(createToolFilter({ allow: [name] })));
}

/** Makes something once; again, where that failed. */
function onceMade<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | null = null;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    }));
}

interface Known {
  readonly types: readonly ToolResourceType[];
  readonly all: ReadonlyMap<string, Tool>;
  readonly offered: readonly Tool[];
}

function knownOf(
  types: readonly ToolResourceType[],
  { access = {}, mask = false, tenant = null }: Pick<ScimToolsOptions, "access" | "mask" | "tenant">,
  isThere: (tool: Tool) => boolean,
): Known {
  const names: string[] = [];
  const facts = { tenant, readOnly: access.readOnly ?? false, hidesValues: mask !== false, tools: names };
  const tools = [...toolsOf(types), ...serviceTools(types, facts)];
  const all = new Map(tools.map((tool) => [tool.name, tool]));
  const offered = [...all.values()].filter(isThere);
  names.push(...offered.map(({ name }) => name));
  return { types, all, offered };
}

const toolsByTypes = new WeakMap<readonly ToolResourceType[], readonly Tool[]>();

/** The tools of resource types: made once, where the same list comes again. */
function toolsOf(types: readonly ToolResourceType[]): readonly Tool[] {
  const known = toolsByTypes.get(types);
  if (known !== undefined) return known;
  const tools = [
    ...types.flatMap(resourceTools),
    ...memberTools(types),
    queryTool(types),
    explainFilterTool(types),
  ];
  toolsByTypes.set(types, tools);
  return tools;
}

function described(tool: Tool): ToolDescription {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return { name, title, description, inputSchema, outputSchema, annotations };
}

function requireTool(tool: Tool | undefined, isThere: (tool: Tool) => boolean, name: string): Tool {
  if (tool === undefined) {
    const shown = /^[\w.-]{1,64}$/.test(name) ? ` '${name}'` : "";
    throw scimToolError("methodNotFound", "notFound", {
      detail: `There is no tool${shown}.`,
      remedy:
        "Call one that there is: 'tools/list' of the Model Context Protocol tells them, and so does 'rpc.discover' of JSON-RPC.",
    });
  }
  if (isThere(tool)) return tool;
  throw scimToolError("refused", "forbidden", {
    detail: `The tool '${name}' is not open to you: the scopes of the token, or whoever set the tools up, do not allow it.`,
    remedy:
      "Do without it, or ask whoever set the tools up to open it, or for a token with the scope that it needs.",
  });
}

/**
 * The client of the tenant that a call names.
 * @throws ToolError as if there were no such tenant
 */
function clientFor({ client, tenant, clientOf }: ScimToolsOptions, named: string | undefined): ScimClient {
  if (named === undefined || named === tenant) return client;
  const other = clientOf?.(named) ?? null;
  if (other !== null) return other;
  throw scimToolError(
    "refused",
    "notFound",
    "There is no such tenant for this token. Leave 'tenant_id' out, or name the tenant of the token.",
  );
}

/** Whether a refusal is one of all that a tool is for: of one resource type, or another tenant, it says nothing of the others. */
function concernsAll(
  { resource_type: type, tenant_id: named }: JsonObject,
  { tenant }: ScimToolsOptions,
): boolean {
  return type === undefined && (named === undefined || named === tenant);
}

function refuseMasked(params: JsonObject): void {
  if (!holdsMask(params)) return;
  throw invalidParams(
    `A value holds '${MASK}', which stands for one that was hidden and would be lost. Change single attributes by patching them.`,
  );
}
