/**
 * `scim client`: makes, shows and takes back OAuth clients, their secrets, and the issuers that are trusted for them.
 * @module
 */
import {
  addClientSecret,
  addClientTrust,
  changeClient,
  clientIdOf,
  clientOfId,
  type ClientTarget,
  createClient,
  deleteClient,
  removeClientTrust,
  revokeClientSecret,
  type TenancyPorts,
} from "@scim/tenancy";
import { administer } from "../administration/administer.ts";
import { clientDetails, shownClient, shownSecret, shownTrust } from "../administration/shown-clients.ts";
import type { ExitCode } from "../failure.ts";
import { print, tell } from "../output.ts";
import { columns } from "../settings/show.ts";
import type { Settings } from "../settings/table.ts";
import { type ClientFlags, newClientOf, newTrustOf } from "./client-flags.ts";
import { expiryFlag } from "./expiry-flag.ts";
import { tenantFlag } from "./tenant-flag.ts";

/** Runs `scim client <action>`. */
export async function clientCommand(
  settings: Settings,
  positionals: readonly string[],
  flags: ClientFlags,
): Promise<ExitCode> {
  const run = actionOf(positionals, flags);
  return administer(settings, `scim client ${positionals[0] ?? ""}`, run);
}

type Action = (ports: TenancyPorts) => Promise<ExitCode>;

const CREATED_BY = "command line";

function actionOf([action, ...rest]: readonly string[], flags: ClientFlags): Action {
  const [first = "", second = "", third = ""] = rest;
  if (action === "secret" || action === "trust") {
    return credentialAction({ kind: action, verb: first, client: second, id: third }, flags);
  }
  if (action === "create") return create(flags);
  if (action === "list") return list(flags);
  const target = targetOf(first, flags);
  const json = flags.json === true;
  switch (action) {
    case "show":
      return async (ports) => {
        const details = await clientDetails(ports, target);
        return print({ json: true }, details, "");
      };
    case "suspend":
    case "resume":
      return async (ports) => {
        const state = action === "suspend" ? "suspended" : "active";
        const after = await changeClient(ports, { ...target, expected: null }, { state });
        const told = `Client ${target.id} is ${state}. Servers know it within one second.`;
        return print({ json }, shownClient(after), told);
      };
    case "delete":
      return async (ports) => {
        await deleteClient(ports, { ...target, expected: null });
        const told = `Client ${target.id} is deleted. Servers refuse it and its access tokens within one second.`;
        return print({ json }, { deleted: target.id }, told);
      };
    default:
      throw new TypeError(`There is no 'scim client ${String(action)}'.`);
  }
}

interface CredentialAction {
  readonly kind: "secret" | "trust";
  readonly verb: string;
  readonly client: string;
  readonly id: string;
}

function credentialAction({ kind, verb, client, id }: CredentialAction, flags: ClientFlags): Action {
  const target = targetOf(client, flags);
  if (verb === "add") {
    return kind === "secret" ? addSecret(target, flags) : addTrust(target, flags);
  }
  return async (ports) => {
    const revoke = kind === "secret" ? revokeClientSecret : removeClientTrust;
    await revoke(ports, { tenant: target.tenant, client: target.id, id });
    const told = "It is revoked. Servers refuse it, and the access tokens given for it, within one second.";
    return print(flags, { revoked: id }, told);
  };
}

/** The `client_id` alone goes to standard output, so that a script can take it. */
function create(flags: ClientFlags): Action {
  const wanted = { ...newClientOf(tenantFlag(flags), flags), createdBy: CREATED_BY };
  return async (ports) => {
    const client = await createClient(ports, wanted);
    tell(flags, `Client ${client.id} of connection '${client.connection}'. Add a secret or a trust to it.`);
    return print(flags, shownClient(client), clientIdOf(client));
  };
}

function list(flags: ClientFlags): Action {
  const tenant = tenantFlag(flags);
  return async ({ clients }) => {
    const found = await clients.listClients(tenant, flags.connection ?? null);
    const rows = found.map((each) => [
      clientIdOf(each),
      each.connection,
      each.state,
      each.scopes.join(" "),
      `${each.tokenLifetime} s`,
      each.name ?? "-",
    ]);
    const heads = ["client_id", "connection", "state", "scopes", "tokens", "name"];
    return print(flags, { clients: found.map(shownClient) }, columns([heads, ...rows]));
  };
}

/** The secret alone goes to standard output. */
function addSecret(target: ClientTarget, flags: ClientFlags): Action {
  const expires = flags.expires === undefined ? undefined : expiryFlag(flags.expires);
  return async (ports) => {
    const { text, secret } = await addClientSecret(ports, target, { expires, createdBy: CREATED_BY });
    tell(
      flags,
      `Secret ${secret.id}, good until ${secret.expires}. It is shown once; only its hash is kept.`,
    );
    return print(flags, { ...shownSecret(secret), secret: text }, text);
  };
}

function addTrust(target: ClientTarget, flags: ClientFlags): Action {
  const wanted = { ...newTrustOf(flags), createdBy: CREATED_BY };
  return async (ports) => {
    const trust = await addClientTrust(ports, target, wanted);
    tell(flags, `JWTs of ${trust.issuer} stand for client ${trust.client} now.`);
    return print(flags, shownTrust(trust), trust.id);
  };
}

/** A client by its `client_id`, which holds its tenant, or by its id and `--tenant`. */
function targetOf(text: string, flags: ClientFlags): ClientTarget {
  const named = clientOfId(text) ?? { tenant: tenantFlag(flags), id: text };
  return { ...named, connection: flags.connection };
}
