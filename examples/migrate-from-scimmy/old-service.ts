/**
 * The service that is to be replaced: scimmy-routers over Express, with its resources in memory.
 * @module
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import scimmy from "scimmy";
import ScimmyRouters from "scimmy-routers";

interface Entry {
  readonly id: string;
  readonly meta: { readonly created: Date; readonly lastModified: Date };
}

/** What the handlers of a resource type are told of a request. */
interface Asked {
  readonly id?: string;
  readonly filter?: { match(entries: Entry[]): Entry[] };
}

/** When the old service was new: its resources are older than the move. */
const CREATED = new Date("2021-02-03T04:05:06.789Z");

/** Handlers that keep resources in a map. */
function inMemory() {
  const entries = new Map<string, Entry>();
  return {
    ingress: (asked: Asked, data: object) => {
      const entry = {
        ...JSON.parse(JSON.stringify(data)),
        id: asked.id ?? randomUUID(),
        meta: { created: CREATED, lastModified: new Date() },
      };
      entries.set(entry.id, entry);
      return entry;
    },
    egress: (asked: Asked) => {
      if (asked.id === undefined) return asked.filter?.match([...entries.values()]) ?? [...entries.values()];
      const entry = entries.get(asked.id);
      if (entry === undefined) throw new scimmy.Types.Error(404, "", `No resource has the id ${asked.id}.`);
      return entry;
    },
    degress: (asked: Asked) => {
      entries.delete(asked.id ?? "");
    },
  };
}

/** A service that runs until it is stopped. */
export interface OldService {
  readonly baseUrl: string;
  readonly token: string;
  stop(): Promise<void>;
}

/** Starts the service on a free port. */
export async function startOldService(): Promise<OldService> {
  // The types of the handlers ask for what scimmy itself never reads.
  scimmy.Resources.User.extend(scimmy.Schemas.EnterpriseUser, false);
  scimmy.Resources.declare(scimmy.Resources.User, inMemory() as object);
  scimmy.Resources.declare(scimmy.Resources.Group, inMemory() as object);
  const app = express();
  app.use("/scim/v2", new ScimmyRouters({ type: "bearer", handler: () => "identity provider" }));
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/scim/v2`,
    token: "token-of-the-old-service",
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
