/**
 * Tools as data: a name, what it takes and gives, what it does to the world, and a function.
 * @module
 */
import type { ClientResourceType, Discovery, ScimClient } from "@scim/client/fetch";
import type { JsonObject } from "@scim/schemas";

/** The types of JSON that a tool takes or gives. */
type ValueType = "string" | "integer" | "number" | "boolean" | "object" | "array" | "null";

/** What a parameter, or a member of a result, may hold: as much of JSON Schema 2020-12 as the tools need. */
export interface ValueSchema {
  readonly type?: ValueType;
  /** In the place of `type` where there are several: no list of types, which some agents cannot read. */
  readonly anyOf?: readonly { readonly type: ValueType }[];
  readonly description?: string;
  readonly items?: ValueSchema;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** The parameters of a tool by name. No others are taken. */
export interface InputSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, ValueSchema>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** What a tool gives. Members that are not listed may be there too. */
export interface OutputSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
}

/** What a tool does to the world, as the Model Context Protocol words it. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  /** Whether it may take something away that was there. */
  readonly destructiveHint: boolean;
  /** Whether the same call again changes nothing more. */
  readonly idempotentHint: boolean;
  /** Whether it reaches beyond the one service. */
  readonly openWorldHint: boolean;
}

/** The right that a tool asks for: what a scope of a token opens. */
export interface ToolRight {
  readonly verb: "read" | "write" | "delete";
  /** Name of the resource type; null where the right for any one will do. */
  readonly type: string | null;
}

/** A tool, as its caller sees it. */
export interface ToolDescription {
  /** Such as `scim_create_user`. */
  readonly name: string;
  readonly title: string;
  /** What it is for, and what to know before it is used. */
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly outputSchema: OutputSchema;
  readonly annotations: ToolAnnotations;
}

/** What a tool works with. */
export interface ToolCall {
  readonly client: ScimClient;
  /** Parameters, checked against the tool's schema. */
  readonly params: JsonObject;
  readonly signal: AbortSignal | undefined;
  /** A resource as the caller may see it: raw version, and masked where the policy says so. */
  readonly shown: (type: ClientResourceType, resource: JsonObject) => JsonObject;
  /** Whether personal values are hidden. */
  readonly hidesValues: boolean;
  /** Finds who tells what the service can do. */
  readonly discovery: () => Promise<ToolDiscovery>;
  /** The resource types of the service. */
  readonly types: readonly ClientResourceType[];
}

/** What tells what a service can do. */
export type ToolDiscovery = Pick<Discovery, "capabilities" | "configExtension">;

/** A tool. */
export interface Tool extends ToolDescription {
  /** Null for a tool that asks the service nothing. */
  readonly right: ToolRight | null;
  readonly run: (call: ToolCall) => Promise<JsonObject>;
}

/** Reads, and changes nothing. */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Adds something each time. */
export const ADDS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

/** Changes what is there, or takes it away; once done, the same again changes nothing more. */
export const CHANGES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

/** Parameters. Those whose names end in `?` may be left out. */
export function takes(parameters: Readonly<Record<string, ValueSchema>>): InputSchema {
  const entries = Object.entries(parameters);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace("?", ""), schema])),
    required: entries.flatMap(([name]) => (name.endsWith("?") ? [] : [name])),
    additionalProperties: false,
  };
}

/** A result; members whose names end in `?` may be missing. */
export function gives(members: Readonly<Record<string, ValueSchema>>): OutputSchema {
  const { properties, required } = takes(members);
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}
