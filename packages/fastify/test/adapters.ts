/**
 * One handler behind each adapter: the plugin, `node:http`, and the Fetch standard, as Hono serves it on Node.js.
 * @module
 */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import type { ScimHandler } from "@scim/http";
import { createFetchHandler } from "@scim/http/fetch";
import { createNodeHandler } from "@scim/http/node";
import Fastify from "fastify";
import { onTestFinished } from "vitest";
import { scimPlugin } from "../src/index.ts";

/** What every adapter is told. */
export interface Mounted {
  readonly prefix: string;
  readonly publicUrl?: string;
}

type Listen = (handler: ScimHandler, options: Mounted) => Promise<Server>;

const fastify: Listen = async (handler, options) => {
  const app = Fastify();
  await app.register(scimPlugin, { ...options, handler });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return app.server;
};

const node: Listen = async (handler, options) => {
  const server = createServer(createNodeHandler(handler, options)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
};

const fetch: Listen = async (handler, options) => {
  const scim = createFetchHandler(handler, options);
  const server = serve({ fetch: (request) => scim(request), hostname: "127.0.0.1", port: 0 });
  await once(server, "listening");
  // No other kind was asked for.
  return server as Server;
};

/** The adapters by name. */
const ADAPTERS = { fastify, node, fetch };

export const ADAPTER_NAMES: readonly AdapterName[] = ["fastify", "node", "fetch"];

/** The name of an adapter. */
export type AdapterName = keyof typeof ADAPTERS;

/** Listens until the test is finished. */
export async function listen(adapter: AdapterName, handler: ScimHandler): Promise<Server> {
  const own = { Request: globalThis.Request, Response: globalThis.Response };
  const server = await ADAPTERS[adapter](handler, { prefix: "/scim/v2", publicUrl: "https://id.example" });
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
    // Hono puts lighter ones in their place.
    Object.assign(globalThis, own);
  });
  return server;
}

/** The origin that a server listens at. */
export function originOf(server: Server): string {
  // It listens on a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
