/**
 * `scim generate`: TypeScript source of the schemas and resource types of a service.
 * @module
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import type { ClientResourceType } from "@scim/client";
import { createDefaultRegistry } from "@scim/schemas";
import { generateSource } from "@scim/sync";
import type { Environment } from "../command-table/arguments.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { confirm, print, tell } from "../output.ts";
import type { RemoteFlags } from "../remote/remote-flags.ts";
import { withClient } from "../remote/with-client.ts";
import { loadSchemaFolder } from "../schemas/schema-folder.ts";

/** The flags of `scim generate`, as they were given. */
export interface GenerateFlags extends RemoteFlags {
  readonly url?: string;
  readonly schemas?: string;
  /** `-` is standard output. */
  readonly out?: string;
  readonly json?: boolean;
}

/** Runs `scim generate`. */
export async function generateCommand(flags: GenerateFlags, environment: Environment): Promise<ExitCode> {
  const types = await typesOf(flags, environment);
  const { source, notices } = generateSource(types);
  for (const notice of notices) tell(flags, notice);
  const out = flags.out === "-" ? undefined : flags.out;
  const names = types.map(({ name }) => name);
  if (out !== undefined) {
    write(out, source);
    return confirm(flags, { file: out, types: names, notices }, `${names.join(", ")} written to ${out}.`);
  }
  if (flags.json === true) return print(flags, { types: names, notices, source }, "");
  process.stdout.write(source);
  return EXIT.ok;
}

async function typesOf(
  flags: GenerateFlags,
  environment: Environment,
): Promise<readonly ClientResourceType[]> {
  const { url, schemas: folder } = flags;
  if (url !== undefined && folder === undefined)
    return withClient({ url, flags, environment }, (client) => client.discovery.resourceTypes());
  if (folder !== undefined && url === undefined) return typesOfFolder(folder);
  throw new CommandFailure(EXIT.usage, "Give --url for a service that runs, or --schemas for files.");
}

/** User and Group are there as well, as a server that reads the folder has them. */
function typesOfFolder(folder: string): readonly ClientResourceType[] {
  const registry = createDefaultRegistry();
  loadSchemaFolder(folder, registry);
  const schemaOf = (urn: string) => {
    const found = registry.schema(urn);
    if (found === undefined) throw new TypeError(`The registry took a type without its schema ${urn}.`);
    return found;
  };
  return registry.resourceTypes().map(({ name, endpoint, schema, schemaExtensions = [] }) => ({
    name,
    endpoint,
    schema: schemaOf(schema),
    extensions: schemaExtensions.map((extension) => schemaOf(extension.schema)),
  }));
}

function write(file: string, source: string): void {
  try {
    writeFileSync(file, source);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(EXIT.failed, `${file} cannot be written: ${reason}.`, cause);
  }
}
