/**
 * Every command, in the order and the groups of the help.
 * @module
 */
import type { Command } from "./command.ts";
import { ADMINISTRATORS } from "./tables/administrators.ts";
import { CLIENTS, TOKENS } from "./tables/credentials.ts";
import { STREAMS, WEBHOOKS } from "./tables/delivery.ts";
import { DELETED, ERASE, EXPORT, IMPORT, SYNC } from "./tables/moving.ts";
import { GENERATE, MCP, SIMULATE } from "./tables/remote.ts";
import { BACKUP, CONFIG, DOCTOR, INDEX, MIGRATE, SCHEMA, SERVE } from "./tables/serving.ts";
import { COMPLETION } from "./tables/shell.ts";
import { CONNECTIONS, TENANTS } from "./tables/tenancy.ts";
import { AUDIT, CASE, EVENTS, GUARD, PROFILE_COMMAND, REQUESTS } from "./tables/watching.ts";

/** Commands of one purpose. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** The groups. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { title: "Serve", commands: [SERVE, CONFIG, SCHEMA, DOCTOR, COMPLETION] },
  { title: "Customers and credentials", commands: [TENANTS, CONNECTIONS, TOKENS, CLIENTS, ADMINISTRATORS] },
  { title: "Data", commands: [IMPORT, EXPORT, SYNC, DELETED, ERASE, MIGRATE, BACKUP, INDEX] },
  { title: "What happened", commands: [REQUESTS, CASE, PROFILE_COMMAND, GUARD, AUDIT, EVENTS] },
  { title: "Telling others", commands: [WEBHOOKS, STREAMS] },
  { title: "Services of any make", commands: [SIMULATE, GENERATE, MCP] },
];

/** Every command. */
export const COMMANDS: readonly Command[] = COMMAND_GROUPS.flatMap(({ commands }) => commands);
