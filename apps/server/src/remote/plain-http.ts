/**
 * Whether commands may send a token over plain HTTP to another machine: the variable `SCIM_PLAIN_HTTP`.
 * @module
 */
import type { PlainHttp } from "@scim/client";
import type { Environment } from "../command-table/arguments.ts";
import { CommandFailure, EXIT } from "../failure.ts";

/**
 * What `SCIM_PLAIN_HTTP` says; `warn` where it says nothing.
 * @throws CommandFailure where it says something else
 */
export function plainHttpIn(environment: Environment): PlainHttp {
  const said = environment["SCIM_PLAIN_HTTP"] ?? "";
  if (said === "") return "warn";
  if (said === "warn" || said === "allow" || said === "refuse") return said;
  throw new CommandFailure(EXIT.usage, "SCIM_PLAIN_HTTP is warn, allow or refuse.");
}
