/**
 * What is said at a start of tools that settings name, and nobody has.
 * @module
 */
import type { Logger } from "pino";
import type { ServiceRegistries } from "../schemas/schema-registry.ts";
import { DEFAULT_TENANT, type Settings } from "../settings/table.ts";
import { toolTypesOf } from "./toolbox.ts";

/** Warns of each name of `tools.allow` that is no tool's: where it is misspelt, agents lack a tool and nobody is told why. */
export async function noticeUnknownTools(
  settings: Pick<Settings, "tools" | "tools.allow">,
  registries: Pick<ServiceRegistries, "of">,
  log: Pick<Logger, "warn">,
): Promise<void> {
  const allow = settings["tools.allow"];
  // What knows the tools takes time to load.
  if (allow === null || settings.tools === "off") return;
  const { unknownTools } = await import("@scim/mcp");
  for (const tool of unknownTools(allow, toolTypesOf(registries.of(DEFAULT_TENANT))))
    log.warn(
      { setting: "tools.allow", tool },
      "a setting names a tool that no resource type of the service has so, and opens nothing by it",
    );
}
