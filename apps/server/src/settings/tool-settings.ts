/**
 * Settings of the tools for agents.
 * @module
 */
import { readToolNames, readWebOrigins } from "./forms.ts";
import { choice, text, type Setting } from "./setting.ts";

/** What `/mcp` and `/rpc` offer, by key. */
export const TOOL_SETTINGS = {
  tools: choice({
    doc: "Whether tools for agents are served at `/mcp` and `/rpc`; `read-only` leaves out those that change something.",
    fallback: "on",
    words: ["on", "read-only", "off"],
  }),
  "tools.allow": text({
    doc: "Tools that are served at all; `*` stands for any characters. The log of a start warns of those that there are not. Default: all that the scopes of a token open.",
    bound: "names separated by commas, such as scim_get_*,scim_query",
    read: readToolNames,
  }),
  "tools.personal": choice({
    doc: "Whether tools show personal values; `hidden` shows ids, versions, references, flags, numbers and names of groups alone.",
    fallback: "shown",
    words: ["shown", "hidden"],
  }),
  "tools.origins": text({
    doc: "Web pages that may call the tools, by their origin; a browser tells it. Default: those of the server alone.",
    bound: "origins separated by commas, such as https://agents.example",
    read: readWebOrigins,
  }),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
