/**
 * OAuth clients of a database that servers run on, made beside them as a command makes them.
 * @module
 */
import {
  addClientSecret,
  type ClientPorts,
  clientIdOf,
  createClient,
  type NewClient,
  type OAuthClient,
  type TenancyPorts,
} from "@scim/tenancy";
import { onTestFinished } from "vitest";
import { tenancyPorts } from "../../src/administration/ports.ts";
import { openStore } from "../../src/store/open-store.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { exchange, type WireAnswer } from "../over-http/exchange.ts";

/** A client with a secret. */
export interface MadeClient extends OAuthClient {
  readonly clientId: string;
  readonly secret: string;
  readonly secretId: string;
}

/** Administration of a database, which is closed with the test. */
export async function administer(
  environment: Readonly<Record<string, string>>,
): Promise<ClientPorts & TenancyPorts> {
  const { values } = resolveSettings({ flags: {}, environment });
  const opened = await openStore(values);
  onTestFinished(() => opened.store.close());
  return tenancyPorts(opened, { command: "test" });
}

/** Makes a client with a secret. */
export async function makeClient(ports: ClientPorts, of: Partial<NewClient> = {}): Promise<MadeClient> {
  const client = await createClient(ports, { tenant: "default", createdBy: "test", ...of });
  const { text, secret } = await addClientSecret(ports, client, { createdBy: "test" });
  return { ...client, clientId: clientIdOf(client), secret: text, secretId: secret.id };
}

/** Sends a form to the token endpoint. */
export function askForToken(
  origin: string,
  form: string | Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<WireAnswer> {
  return exchange(origin, {
    method: "POST",
    path: "/oauth2/token",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: typeof form === "string" ? form : new URLSearchParams(form).toString(),
  });
}
