/**
 * `scim schema show --url`: which schemas and resource types a running service has, by its own account.
 * @module
 */
import type { ClientResourceType } from "@scim/client";
import type { Environment } from "../command-table/arguments.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print } from "../output.ts";
import type { RemoteFlags } from "../remote/remote-flags.ts";
import { withClient } from "../remote/with-client.ts";
import { columns } from "../columns.ts";

/** The flags, as they were given. */
export interface SchemaShowFlags extends RemoteFlags {
  readonly url: string;
  readonly json?: boolean;
}

/** Prints all of them, or the document of one. */
export async function showServed(
  [, name]: readonly string[],
  flags: SchemaShowFlags,
  environment: Environment,
): Promise<ExitCode> {
  const { url } = flags;
  const remote = { url, flags, environment };
  if (name === undefined) {
    const types = await withClient(remote, (client) => client.discovery.resourceTypes());
    const rows = [["type", "endpoint", "schemas"], ...types.map(rowOf)];
    return print(flags, { resourceTypes: types.map(asJson) }, columns(rows));
  }
  const schemas = await withClient(remote, (client) => client.discovery.schemas());
  const lower = name.toLowerCase();
  const found = schemas.find(
    (schema) => schema.id.toLowerCase() === lower || schema.name?.toLowerCase() === lower,
  );
  if (found !== undefined) return print(flags, found, JSON.stringify(found, null, 2));
  const ids = schemas.map(({ id }) => id).join(", ");
  throw new CommandFailure(EXIT.failed, `${url} has no schema '${name}'; it has ${ids}.`);
}

function asJson({ name, endpoint, schema, extensions }: ClientResourceType): object {
  return { name, endpoint, schema: schema.id, schemaExtensions: extensions.map(({ id }) => id) };
}

function rowOf({ name, endpoint, schema, extensions }: ClientResourceType): readonly string[] {
  return [name, endpoint, [schema, ...extensions].map(({ id }) => id).join(" ")];
}
