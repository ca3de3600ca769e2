/**
 * scimmy-routers over Express with its resources in memory. A program of its own.
 * @module
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import express from "express";
import scimmy from "scimmy";
import ScimmyRouters from "scimmy-routers";
import { tellAddress } from "./tell-address.ts";

interface Entry {
  readonly id: string;
  readonly meta: { readonly created: Date; readonly lastModified: Date };
}

/** What the handlers of a resource type are told of a request. */
interface Asked {
  readonly id?: string;
  readonly filter?: { match(entries: Entry[]): Entry[] };
}

/** Handlers that keep resources in a map. */
function inMemory() {
  const entries = new Map<string, Entry>();
  return {
    ingress: (asked: Asked, data: object) => {
      const known = entries.get(asked.id ?? "");
      const now = new Date();
      const entry = {
        ...JSON.parse(JSON.stringify(data)),
        id: known?.id ?? randomUUID(),
        meta: { created: known?.meta.created ?? now, lastModified: now },
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

// The types of the handlers ask for what scimmy itself never reads.
scimmy.Resources.declare(scimmy.Resources.User, inMemory() as object);
scimmy.Resources.declare(scimmy.Resources.Group, inMemory() as object);
// The routers take this as the limit of every body.
scimmy.Config.set("bulk", { maxPayloadSize: 67_108_864 });

const app = express();
app.use("/scim/v2", new ScimmyRouters({ type: "bearer", handler: () => "benchmark" }));
const server = createServer(app).listen(0, () => tellAddress(server));
