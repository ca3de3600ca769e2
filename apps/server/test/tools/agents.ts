/**
 * Agents: the official client of the Model Context Protocol, and messages of JSON-RPC.
 * @module
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { JsonObject, JsonValue } from "@scim/schemas";
import { onTestFinished } from "vitest";

/** A transport of the SDK, whose own types disagree about members that are absent. */
type AgentTransport = Parameters<Client["connect"]>[0];

/** Connects the official client; it leaves with the test. */
export async function connected(transport: object): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport as AgentTransport);
  onTestFinished(() => client.close());
  return client;
}

/** The official client at `/mcp`, or at the address of a tenant. */
export async function agentOf(origin: string, token: string, tenant?: string): Promise<Client> {
  const path = tenant === undefined ? "/mcp" : `/mcp/${tenant}`;
  return connected(
    new StreamableHTTPClientTransport(new URL(origin + path), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
}

/** What a tool gave: its structured content, and whether it is an error. */
export async function use(
  client: Client,
  name: string,
  parameters: Record<string, unknown> = {},
): Promise<{ readonly failed: boolean; readonly result: JsonObject }> {
  const { isError, structuredContent } = await client.callTool({ name, arguments: parameters });
  // It came as JSON.
  return { failed: isError === true, result: structuredContent as JsonObject };
}

/** A message. */
export function message(method: string, params: JsonValue = {}, id: JsonValue = 1): JsonObject {
  return { jsonrpc: "2.0", id, method, params };
}

/** An answer to a message. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonValue;
}

/** Posts a message, as JSON or as it stands. */
export async function post(
  {
    origin,
    token,
    path = "/rpc",
  }: { readonly origin: string; readonly token: string; readonly path?: string },
  body: JsonValue,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const response = await fetch(origin + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  // Every answer is JSON, or nothing.
  const read = text === "" ? null : (JSON.parse(text) as JsonValue);
  return { status: response.status, headers: response.headers, body: read };
}
