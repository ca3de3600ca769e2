/**
 * Opens the sources that the command line names.
 * @module
 */
import { createScimClient } from "@scim/client";
import {
  fileSource,
  type FileSourceOptions,
  postgresSource,
  scimSource,
  sqliteSource,
  type Source,
} from "@scim/sync";
import type { Environment } from "../command-table/arguments.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import { plainHttpIn } from "../remote/plain-http.ts";
import { readNamedFile } from "../text-file.ts";
import { secretOf } from "./secret-of.ts";

/** What the command line says of sources. */
export interface GivenSources {
  /** `NAME=WHERE`, or `WHERE` alone. */
  readonly given: readonly string[];
  /** `NAME=FILE` with a query, or `FILE` alone. */
  readonly queries: readonly string[];
  /** How files and pipes are read. */
  readonly files: FileSourceOptions;
  /** Whether services are asked for what changed alone. */
  readonly changesOnly: boolean;
  readonly environment: Environment;
}

/**
 * The sources by name.
 * @throws CommandFailure naming the one that is wrong
 */
export function openSources(options: GivenSources): ReadonlyMap<string, Source> {
  const queries = new Map<string, string>();
  for (const text of options.queries) {
    const [name, file] = named(text);
    if (queries.has(name))
      throw new CommandFailure(
        EXIT.usage,
        `There are two queries of the source '${name}': write --query NAME=FILE.`,
      );
    queries.set(name, file);
  }
  const sources = new Map<string, Source>();
  for (const text of options.given) {
    const [name, where] = named(text);
    if (sources.has(name))
      throw new CommandFailure(EXIT.usage, `There are two sources '${name}': write --source NAME=WHERE.`);
    sources.set(name, sourceAt(where, { ...options, query: queries.get(name) ?? null, name }));
    queries.delete(name);
  }
  const [left] = queries.keys();
  if (left !== undefined)
    throw new CommandFailure(EXIT.usage, `--query names '${left}', which is no source that was given.`);
  return sources;
}

/** What a source is called where nothing else is said. */
const ONLY = "source";

function named(text: string): readonly [string, string] {
  const found = /^([\w-]+)=(.+)$/su.exec(text);
  return found === null ? [ONLY, text] : [found[1] ?? ONLY, found[2] ?? ""];
}

interface SourceOptions extends GivenSources {
  readonly query: string | null;
  readonly name: string;
}

function sourceAt(where: string, options: SourceOptions): Source {
  const { query, name, files, changesOnly, environment } = options;
  if (/^https?:/i.test(where)) {
    refuseQuery(query, name);
    return serviceAt(where, { name, changesOnly, files, environment });
  }
  const isSqlite = where.startsWith("sqlite:");
  if (!isSqlite && !/^postgres(?:ql)?:/i.test(where)) {
    refuseQuery(query, name);
    return fileSource(where, files);
  }
  if (query === null)
    throw new CommandFailure(
      EXIT.usage,
      `Source '${name}' is a database: add --query ${name}=FILE with its query.`,
    );
  const sql = readNamedFile("The query", query);
  return isSqlite
    ? sqliteSource(where.slice("sqlite:".length), sql)
    : postgresSource(where, sql, { signal: files.signal });
}

function refuseQuery(query: string | null, name: string): void {
  if (query !== null)
    throw new CommandFailure(EXIT.usage, `--query is for databases, and source '${name}' is none.`);
}

/**
 * The address of a collection: everything before its last part is the service.
 * @throws CommandFailure for another address, which may hold a password and is not repeated
 */
function serviceAt(
  where: string,
  {
    name,
    changesOnly,
    files: { signal },
    environment,
  }: Pick<SourceOptions, "name" | "changesOnly" | "files" | "environment">,
): Source {
  if (!isCollection(where))
    throw new CommandFailure(
      EXIT.usage,
      `Source '${name}' is no address of what a service lists: write one such as https://id.example/scim/v2/Users, without a query and without a password.`,
    );
  const cut = where.replace(/\/+$/, "").lastIndexOf("/");
  const client = createScimClient({
    baseUrl: where.slice(0, cut),
    auth: secretOf(environment, "SCIM_SOURCE_TOKEN"),
    plainHttp: plainHttpIn(environment),
  });
  return scimSource(client, where.slice(cut).replace(/\/+$/, ""), { changesOnly, signal });
}

function isCollection(where: string): boolean {
  if (!URL.canParse(where)) return false;
  const { username, password, pathname } = new URL(where);
  const isPlain = username === "" && password === "" && !/[?#]/.test(where);
  return isPlain && /\/[\w.~-]+\/*$/.test(pathname);
}
