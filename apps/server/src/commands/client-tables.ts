/**
 * One OAuth client for people: what it is, and a table each of its secrets and of the issuers that it trusts.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { cell, listCell } from "../output.ts";
import { objectsIn } from "../remote/admin-requests.ts";
import { columns } from "../columns.ts";

/** The tables of a client as it is shown, with its secrets and trusts. */
export function clientTables(client: JsonObject): string {
  const secrets = objectsIn(client, "secrets").map((each) => [
    cell(each["id"]),
    cell(each["expires"], "never"),
    cell(each["lastUsed"], "never"),
    cell(each["createdBy"]),
  ]);
  const trusts = objectsIn(client, "trusts").map((each) => TRUST.map((name) => cell(each[name])));
  return [
    columns(factsOf(client)),
    titled("Secrets", [["id", "expires", "last used", "made by"], ...secrets]),
    titled("Trusts", [TRUST, ...trusts]),
  ].join("\n\n");
}

const TRUST = ["id", "purpose", "issuer", "audience", "claim", "subject"];

function factsOf(client: JsonObject): readonly (readonly string[])[] {
  return [
    ["client_id", cell(client["clientId"])],
    ["name", cell(client["name"])],
    ["connection", cell(client["connection"])],
    ["state", cell(client["state"])],
    ["scopes", listCell(client["scopes"], " ")],
    ["tokens", `${cell(client["tokenLifetime"])} s`],
    ["made", `${cell(client["created"])} by ${cell(client["createdBy"])}`],
  ];
}

/** A table below its title; nothing but the title where it has no rows. */
function titled(title: string, [heads = [], ...rows]: readonly (readonly string[])[]): string {
  return rows.length === 0 ? `${title}: none` : `${title}\n${columns([heads, ...rows])}`;
}
