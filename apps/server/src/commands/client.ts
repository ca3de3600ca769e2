/**
 * `scim client`: makes, shows and takes back OAuth clients, their secrets, and the issuers that are trusted for them.
 * @module
 */
import { clientOfId, type ClientTarget } from "@scim/tenancy";
import { administer } from "../administration/administer.ts";
import { type ClientAdministration, CLIENTS, type CredentialKind } from "../administration/clients.ts";
import type { Call } from "../command-table/command.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { cell, listCell, print, tell } from "../output.ts";
import { columns } from "../columns.ts";
import { clientTables } from "./client-tables.ts";
import { type ClientFlags, newClientOf, newTrustOf, type NewTrustFlags } from "./client-flags.ts";
import { expiryFlag } from "./expiry-flag.ts";
import { tenantFlag } from "./tenant-flag.ts";

/** Runs `scim client trust add`. */
export async function addClientTrust(call: Call<NewTrustFlags>): Promise<ExitCode> {
  const [, , client = ""] = call.positionals;
  const run = addTrust(targetOf(client, call.flags), call.flags);
  return administer({ ...call, command: "scim client trust" }, CLIENTS, run);
}

/** Runs every other `scim client <action>`. */
export async function clientCommand(call: Call<ClientFlags>): Promise<ExitCode> {
  const { positionals, flags } = call;
  const run = actionOf(positionals, flags);
  return administer({ ...call, command: `scim client ${positionals[0] ?? ""}` }, CLIENTS, run);
}

type Action = (clients: ClientAdministration) => Promise<ExitCode>;

function actionOf([action, ...rest]: readonly string[], flags: ClientFlags): Action {
  const [first = "", second = "", third = ""] = rest;
  if (action === "secret" || action === "trust") {
    return credentialAction({ kind: action, verb: first, client: second, id: third }, flags);
  }
  if (action === "create") return create(flags);
  if (action === "list") return list(flags);
  const target = targetOf(first, flags);
  switch (action) {
    case "show":
      return async (clients) => {
        const found = await clients.find(target);
        return print(flags, found, clientTables(found));
      };
    case "suspend":
    case "resume":
      return async (clients) => {
        const state = action === "suspend" ? "suspended" : "active";
        const after = await clients.change(target, { state });
        return print(flags, after, `Client ${target.id} is ${state}. Servers know it within one second.`);
      };
    case "delete":
      return async (clients) => {
        await clients.remove(target);
        const told = `Client ${target.id} is deleted. Servers refuse it and its access tokens within one second.`;
        return print(flags, { deleted: target.id }, told);
      };
    default:
      throw new TypeError(`There is no 'scim client ${String(action)}'.`);
  }
}

interface CredentialAction {
  readonly kind: CredentialKind;
  readonly verb: string;
  readonly client: string;
  readonly id: string;
}

function credentialAction({ kind, verb, client, id }: CredentialAction, flags: ClientFlags): Action {
  const target = targetOf(client, flags);
  if (verb === "add") return addSecret(target, flags);
  return async (clients) => {
    await clients.revoke(target, kind, id);
    const told = "It is revoked. Servers refuse it, and the access tokens given for it, within one second.";
    return print(flags, { revoked: id }, told);
  };
}

/** The `client_id` alone goes to standard output, so that a script can take it. */
function create(flags: ClientFlags): Action {
  const wanted = newClientOf(tenantFlag(flags), flags);
  return async (clients) => {
    const made = await clients.create(wanted);
    const { id, connection, clientId } = made;
    tell(flags, `Client ${cell(id)} of connection '${cell(connection)}'. Add a secret or a trust to it.`);
    return print(flags, made, cell(clientId));
  };
}

function list(flags: ClientFlags): Action {
  const tenant = tenantFlag(flags);
  return async (clients) => {
    const found = await clients.list(tenant, flags.connection ?? null);
    const rows = found.map(({ clientId, connection, state, scopes, tokenLifetime, name }) => [
      cell(clientId),
      cell(connection),
      cell(state),
      listCell(scopes, " "),
      `${cell(tokenLifetime)} s`,
      cell(name),
    ]);
    const heads = ["client_id", "connection", "state", "scopes", "tokens", "name"];
    return print(flags, { clients: found }, columns([heads, ...rows]));
  };
}

/** The secret alone goes to standard output. */
function addSecret(target: ClientTarget, flags: ClientFlags): Action {
  const expires = flags.expires === undefined ? undefined : expiryFlag(flags.expires);
  return async (clients) => {
    const made = await clients.addSecret(target, expires);
    tell(
      flags,
      `Secret ${cell(made["id"])}, good until ${cell(made["expires"])}. It is shown once; only its hash is kept.`,
    );
    return print(flags, made, cell(made["secret"]));
  };
}

function addTrust(target: ClientTarget, flags: NewTrustFlags): Action {
  const wanted = newTrustOf(flags);
  return async (clients) => {
    const trust = await clients.addTrust(target, wanted);
    tell(flags, `JWTs of ${wanted.issuer} stand for client ${target.id} now.`);
    return print(flags, trust, cell(trust["id"]));
  };
}

/**
 * A client by its `client_id`, which holds its tenant, or by its id and `--tenant`.
 * @throws CommandFailure where the two name different tenants
 */
function targetOf(text: string, flags: ClientFlags): ClientTarget {
  const { tenant, connection } = flags;
  const named = clientOfId(text) ?? { tenant: tenantFlag(flags), id: text };
  if (tenant === undefined || tenant === named.tenant) return { ...named, connection };
  throw new CommandFailure(
    EXIT.usage,
    `${text} is a client of tenant '${named.tenant}', and --tenant names '${tenant}'.`,
  );
}
