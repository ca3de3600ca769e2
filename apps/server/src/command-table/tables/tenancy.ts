/**
 * The commands of tenants and connections.
 * @module
 */
import { PROFILES } from "@scim/core";
import { DISCOVERIES, RETENTION_KINDS, SECRET_HANDLINGS, TENANT_LIMIT_NAMES } from "@scim/tenancy";
import type { ConnectionFlags } from "../../commands/connection.ts";
import type { TenantFlags } from "../../commands/tenant.ts";
import type { ExitCode } from "../../failure.ts";
import { OR_SERVER, TENANT, text, texts, toggle, type FlagTable, type Operand } from "../arguments.ts";
import { action, example, type Call, type Command } from "../command.ts";

const runTenant = async (call: Call<TenantFlags>): Promise<ExitCode> =>
  (await import("../../commands/tenant.ts")).tenantCommand(call);

const NAMED_TENANT: Operand = { name: "NAME", does: "name of the tenant" };

/** `scim tenant`. */
export const TENANTS: Command = {
  name: "tenant",
  does: "tenants: customers, who own resources and see no other's",
  actions: [
    action({
      name: "create",
      does: "make a tenant with its first connection, 'default'",
      begins: true,
      operands: [NAMED_TENANT],
      flags: { "display-name": text("TEXT", "what people call it"), ...OR_SERVER },
      run: runTenant,
    }),
    action({ name: "list", does: "list tenants", flags: OR_SERVER, run: runTenant }),
    action({
      name: "show",
      does: "show one tenant",
      operands: [NAMED_TENANT],
      flags: OR_SERVER,
      run: runTenant,
    }),
    action({
      name: "change",
      does: "change a tenant",
      operands: [NAMED_TENANT],
      flags: {
        "display-name": text("TEXT", "what people call it; an empty one takes it away"),
        limit: texts(
          "NAME=N",
          `a limit below the server's, or 'default': ${TENANT_LIMIT_NAMES.join(", ")}; may be repeated`,
        ),
        keep: texts(
          "KIND=DAYS",
          `how long what is over is kept, or 'default': ${RETENTION_KINDS.join(", ")}; may be repeated`,
        ),
        discovery: text(
          "WHO",
          "who may read its schemas and what the service can do: those with a 'token', or everybody, 'open'",
          { offers: DISCOVERIES },
        ),
        secrets: text(
          "WORD",
          "what becomes of passwords and other secrets: drop, or hash to verify them by",
          { offers: SECRET_HANDLINGS },
        ),
        ...OR_SERVER,
      },
      run: runTenant,
    }),
    action({
      name: "suspend",
      does: "refuse its tokens within a second, and lose nothing",
      operands: [NAMED_TENANT],
      flags: OR_SERVER,
      run: runTenant,
    }),
    action({
      name: "resume",
      does: "take a suspension back",
      operands: [NAMED_TENANT],
      flags: OR_SERVER,
      run: runTenant,
    }),
    action({
      name: "delete",
      does: "delete a suspended tenant for good",
      operands: [NAMED_TENANT],
      flags: {
        exported: toggle("say that 'scim export' has kept what is to stay; refused without it"),
        ...OR_SERVER,
      },
      run: runTenant,
    }),
  ],
  examples: [
    example('scim tenant create acme --display-name "Acme Ltd"'),
    example("scim token create --tenant acme", "a token for its first connection, 'default'"),
    example("scim tenant change acme --limit filter.maxResults=200 --keep deleted=7"),
    example("scim tenant change acme --secrets hash", "keep hashes of passwords"),
    example("scim tenant list --url https://scim.example", "of a running server, by SCIM_ADMIN_TOKEN"),
    example("scim tenant suspend acme", "to look before anything is lost"),
    example("scim export acme.jsonl --tenant acme && scim tenant delete acme --exported"),
  ],
};

const runConnection = async (call: Call<ConnectionFlags>): Promise<ExitCode> =>
  (await import("../../commands/connection.ts")).connectionCommand(call);

const NAMED_CONNECTION: Operand = { name: "NAME", does: "name of the connection" };

const CONNECTION_FLAGS = {
  profile: text("NAME", "how it is answered; 'default' as the server is set", {
    offers: [...Object.keys(PROFILES), "default"],
  }),
  switches: text("LIST", "switches to flip in it: require-version,-bare-token; an empty list flips none"),
  rate: text("N", "requests per second; 'default' as the server is set", { offers: ["default"] }),
  burst: text("N", "requests that may come at once"),
  guard: text("MODE", "against mass deactivations, deletions and removals; 'default' as the server is set", {
    offers: ["off", "observe", "hold", "default"],
  }),
  "guard-bound": text("50,10,60", "bound of the guard: so many in any case, percent, minutes"),
  "guard-named": text("LIST", "ids or userNames that always pass the guard"),
  "silent-after": text("MINUTES", "when it counts as silent; 0 never, 'default' as its runs have it", {
    offers: ["0", "default"],
  }),
  tenant: TENANT,
  ...OR_SERVER,
} satisfies FlagTable;

/** `scim connection`. */
export const CONNECTIONS: Command = {
  name: "connection",
  does: "connections: provisioning clients of a tenant, with credentials of their own",
  actions: [
    action({
      name: "create",
      does: "make a connection",
      begins: true,
      operands: [NAMED_CONNECTION],
      flags: CONNECTION_FLAGS,
      run: runConnection,
    }),
    action({
      name: "list",
      does: "list the connections of a tenant",
      flags: { tenant: TENANT, ...OR_SERVER },
      run: runConnection,
    }),
    action({
      name: "show",
      does: "show one connection",
      operands: [NAMED_CONNECTION],
      flags: { tenant: TENANT, ...OR_SERVER },
      run: runConnection,
    }),
    action({
      name: "switches",
      does: "tell of each switch whether the connection has it on",
      operands: [NAMED_CONNECTION],
      flags: { tenant: TENANT, ...OR_SERVER },
      run: async (call) => (await import("../../commands/connection.ts")).connectionSwitches(call),
    }),
    action({
      name: "change",
      does: "change a connection",
      operands: [NAMED_CONNECTION],
      flags: CONNECTION_FLAGS,
      run: runConnection,
    }),
    action({
      name: "suspend",
      does: "refuse its credentials within a second, and lose nothing",
      operands: [NAMED_CONNECTION],
      flags: { tenant: TENANT, ...OR_SERVER },
      run: runConnection,
    }),
    action({
      name: "resume",
      does: "take a suspension back",
      operands: [NAMED_CONNECTION],
      flags: { tenant: TENANT, ...OR_SERVER },
      run: runConnection,
    }),
    action({
      name: "delete",
      does: "delete a connection with its tokens and clients",
      operands: [NAMED_CONNECTION],
      flags: { tenant: TENANT, ...OR_SERVER },
      run: runConnection,
    }),
  ],
  examples: [
    example("scim connection create okta --tenant acme --profile okta"),
    example("scim connection change okta --tenant acme --switches=require-version,-bare-token"),
    example("scim connection switches okta --tenant acme", "what is forgiven, and by whom?"),
    example("scim connection change okta --tenant acme --rate 10 --burst 40"),
    example("scim token create --tenant acme --connection okta", "its token"),
  ],
};
