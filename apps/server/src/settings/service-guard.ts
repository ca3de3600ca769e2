/**
 * The guard that the service is set to: of connections that have none of their own.
 * @module
 */
import type { ConnectionGuard } from "@scim/tenancy";
import type { Settings } from "./table.ts";

/** The guard of the settings. It names nobody: whom it lets pass is a matter of each connection. */
export function guardOfService(settings: Settings): ConnectionGuard {
  return {
    mode: settings["guard.mode"],
    atLeast: settings["guard.atLeast"],
    percent: settings["guard.percent"],
    window: settings["guard.window"],
    named: [],
  };
}
