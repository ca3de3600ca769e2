/**
 * Recorded requests of identity providers, which are sent to the new service with the ids of the old one.
 * @module
 */
import { equal, ok } from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { loadIdentityProviderCases, type IdentityProviderCase } from "@scim/fixtures";
import { GROUP_URN, USER_URN, type JsonObject } from "@scim/schemas";
import type { Client } from "../scim-client.ts";

/** A recorded request, and what stands for its placeholders: ids that the identity provider knows among it. */
export interface KnownCase {
  readonly row: IdentityProviderCase;
  readonly known: ReadonlyMap<string, string>;
}

const CLIENTS: ReadonlySet<string> = new Set(["Microsoft Entra ID", "Okta"]);

/** The requests of Entra and Okta that change or read what is there, and do not count all there is. */
export function recordedCases(): readonly IdentityProviderCase[] {
  return loadIdentityProviderCases().filter(
    ({ client, given, headers }) =>
      CLIENTS.has(client) &&
      !given.alone &&
      given.extension === null &&
      headers["Authorization"] === "Bearer ${token}",
  );
}

/** Provisions what a request needs into the old service, as the identity provider did long ago. */
export async function provision(old: Client, row: IdentityProviderCase): Promise<KnownCase> {
  const random = randomBytes(6).toString("hex");
  const known = new Map([
    ["rnd", random],
    ["RND", random.toUpperCase()],
  ]);
  const make = async (
    endpoint: string,
    urn: string,
    resources: Readonly<Record<string, JsonObject>>,
  ): Promise<void> => {
    for (const [name, resource] of Object.entries(resources)) {
      const body = { schemas: [urn], ...JSON.parse(fill(JSON.stringify(resource), known)) };
      const { id } = await old.create(endpoint, body);
      known.set(`${name}.id`, id);
    }
  };
  await make("/Users", USER_URN, row.given.users);
  await make("/Groups", GROUP_URN, row.given.groups);
  return { row, known };
}

/** Sends a request to the new service; its answer must be one that the identity provider takes for success. */
export async function replay(
  { baseUrl, token }: { readonly baseUrl: string; readonly token: string },
  { row, known }: KnownCase,
): Promise<void> {
  const texts = new Map([...known, ["token", token], ["base", new URL(baseUrl).pathname]]);
  const response = await fetch(baseUrl + fill(row.path, texts), {
    method: row.method,
    headers: Object.entries(row.headers).map(([name, value]): [string, string] => [name, fill(value, texts)]),
    body: row.body === null ? null : fill(row.body, texts),
  });
  const text = await response.text();
  ok(row.status.includes(response.status), `${row.id} is answered ${response.status}: ${text}`);
}

function fill(text: string, texts: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\{([\w.]+)\}/g, (whole, name: string) => {
    const value = texts.get(name);
    equal(typeof value, "string", `Nothing stands for ${whole}`);
    return String(value);
  });
}
