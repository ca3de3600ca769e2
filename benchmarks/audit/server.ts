/**
 * The server as `scim serve` starts it, on a database of its own, with the audit log or without it. A program of its own:
 * `server.ts with|without ADDRESS`; it tells the process that started it the port and a token.
 * @module
 */
import { randomBytes } from "node:crypto";
import process from "node:process";
import { createLog } from "../../apps/server/src/log.ts";
import { loadRegistries } from "../../apps/server/src/schemas/schema-registry.ts";
import { startServer } from "../../apps/server/src/serve/start-server.ts";
import { resolveSettings } from "../../apps/server/src/settings/resolve.ts";
import { startStore } from "../../apps/server/src/store/start-store.ts";

const [kind, address = ""] = process.argv.slice(2);

const token = `scim_default_${randomBytes(32).toString("base64url")}`;
const { values: settings } = resolveSettings({
  flags: {},
  environment: {
    SCIM_PORT: "0",
    SCIM_DATABASE_URL: address,
    SCIM_MIGRATIONS: "auto",
    SCIM_TOKEN: token,
    SCIM_SECRET_KEYS: `1:${randomBytes(32).toString("base64")}`,
    // What is measured is the server, and not its limit.
    SCIM_RATE_PER_SECOND: "0",
  },
});
const log = await createLog(settings.logLevel, "files");
const registries = loadRegistries(settings, log);
// A store that is not told what is served makes no entries of the events that it gives positions to.
const { opened } = await startStore(settings, log, kind === "with" ? { registries } : {});
const { port } = await startServer({ settings, log, registries, opened });
process.send?.({ port, token });
