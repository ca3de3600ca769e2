/**
 * The commands that move data: `import`, `export`, `sync`, `deleted`, `erase`.
 * @module
 */
import type { DeletedFlags } from "../../commands/deleted.ts";
import type { ExitCode } from "../../failure.ts";
import {
  OR_REMOTE,
  OR_SERVER,
  SINCE_INSTANT,
  TENANT,
  needed,
  text,
  texts,
  toggle,
  type Operand,
} from "../arguments.ts";
import { action, example, type Call, type Command } from "../command.ts";

const CONNECTION = text("NAME", "connection whose profile holds; default 'default'");

/** `scim import`. */
export const IMPORT: Command = {
  name: "import",
  does: "bring resources in from a file",
  actions: [
    action({
      name: "",
      does: "bring resources in; the same command goes on where a run stopped",
      begins: true,
      operands: [
        { name: "FILE", does: "JSON lines, CSV or a ListResponse; - is standard input", offers: "file" },
      ],
      flags: {
        format: text("NAME", "form of the file; default by its ending", { offers: ["jsonl", "csv", "json"] }),
        type: text("NAME", "resource type of all records; default each record's own"),
        mapping: text("FILE", "what the columns of CSV hold; default a header of attribute paths", {
          offers: "file",
        }),
        "keep-ids": toggle("keep id and meta.created, to take the place of another service"),
        mode: text("NAME", "upsert (default), or create: refuse to change what exists", {
          offers: ["upsert", "create"],
        }),
        "dry-run": toggle("write nothing, and tell what would come of it"),
        report: text("FILE", "where rejected records are listed; default FILE.rejected.jsonl", {
          offers: "file",
        }),
        encoding: text("NAME", "such as latin1; default UTF-8, and UTF-16 where the file begins so"),
        "max-record": text("BYTES", "greatest record; default 67108864 (64 MiB)"),
        restart: toggle("begin anew where an earlier run stopped"),
        connection: CONNECTION,
        tenant: TENANT,
        ...OR_REMOTE,
      },
      run: async ({ settings, positionals, flags, environment }) =>
        flags.url === undefined
          ? (await import("../../commands/import.ts")).importCommand(settings, positionals, flags)
          : (await import("../../commands/import-remote.ts")).importRemote({
              url: flags.url,
              file: positionals[0] ?? "-",
              flags,
              environment,
            }),
    }),
  ],
  examples: [
    example("scim import people.jsonl --dry-run", "what would come of it?"),
    example(
      "scim import all.jsonl --url https://id.example/scim/v2",
      "what 'scim export' wrote, into another service",
    ),
    example("scim import people.csv --type User --mapping columns.json --tenant acme"),
  ],
};

/** `scim export`. */
export const EXPORT: Command = {
  name: "export",
  does: "write resources to a file",
  actions: [
    action({
      name: "",
      does: "write resources as JSON lines, or as CSV by a mapping",
      operands: [
        { name: "FILE", does: "a new file; default standard output", optional: true, offers: "file" },
      ],
      flags: {
        type: text("NAME", "resources of this type alone"),
        format: text("NAME", "form of the file; default by its ending", { offers: ["jsonl", "csv"] }),
        mapping: text("FILE", "what the columns of CSV hold", { offers: "file" }),
        connection: CONNECTION,
        tenant: TENANT,
        ...OR_REMOTE,
      },
      json: "as it is",
      run: async ({ settings, positionals, flags, environment }) =>
        (await import("../../commands/export.ts")).exportCommand(settings, positionals, {
          flags,
          environment,
        }),
    }),
  ],
  examples: [
    example("scim export acme.jsonl --tenant acme"),
    example("scim export --type User | jq .userName"),
    example("scim export --url https://id.example/scim/v2 all.jsonl", "from a service of any make"),
  ],
};

/** `scim sync`. */
export const SYNC: Command = {
  name: "sync",
  does: "keep a SCIM service in step with files, a database, a directory or another service",
  actions: [
    action({
      name: "",
      does: "plan what a source asks for; with --apply, do it",
      flags: {
        source: texts(
          "[NAME=]WHERE",
          "a file (CSV, JSON, JSON lines, LDIF; - is standard input), sqlite:PATH, postgres://…, or https://…/Users of another service",
          { offers: "file" },
        ),
        target: needed("ADDRESS", "base address of the SCIM service: https://id.example/scim/v2"),
        "token-file": text("FILE", "file with the token of the target; default: the variable SCIM_TOKEN", {
          offers: "file",
        }),
        mapping: needed("FILE", "what becomes of the fields of a source", { offers: "file" }),
        apply: toggle("do what was planned; without it, nothing is written"),
        drift: toggle("tell what in the target differs from what was applied last; 1 where something does"),
        query: texts("[NAME=]FILE", "the query of a source that is a database", { offers: "file" }),
        format: text("NAME", "form of the files; default by their endings", {
          offers: ["csv", "jsonl", "json", "ldif"],
        }),
        encoding: text("NAME", "of files, such as latin1; default UTF-8, and UTF-16 where they begin so"),
        "max-record": text("BYTES", "greatest record of a file; default 67108864 (64 MiB)"),
        state: text("FILE", "what was applied, for the next run; default MAPPING.state", { offers: "file" }),
        "changes-only": toggle("ask sources that are services for what changed; who was deleted there stays"),
        everything: toggle("read source and target whole, whatever the state knows"),
        "beyond-limits": toggle("apply a plan that changes more than the limits of the mapping allow"),
        concurrency: text("N", "requests under way at once, 1 to 256; default 8"),
      },
      settings: "none",
      run: async ({ flags, environment }) =>
        (await import("../../commands/sync.ts")).syncCommand(flags, environment),
    }),
  ],
  examples: [
    example(
      "scim sync --source people.csv --target https://id.example/scim/v2 --mapping people.yaml",
      "what would change?",
    ),
    example(
      "scim sync --source people.csv --target https://id.example/scim/v2 --mapping people.yaml --apply",
    ),
  ],
};

const runDeleted = async (call: Call<DeletedFlags>): Promise<ExitCode> =>
  (await import("../../commands/deleted.ts")).deletedCommand(call);

const ONE_DELETED = [
  { name: "TYPE", does: "its resource type, such as User" },
  { name: "ID", does: "the id that it had" },
] satisfies readonly Operand[];

/** `scim deleted`. */
export const DELETED: Command = {
  name: "deleted",
  does: "deleted resources, which can be restored for a time",
  actions: [
    action({
      name: "list",
      does: "list what can be restored, the last deleted first",
      flags: {
        type: text("TYPE", "those of a resource type alone, such as User"),
        since: SINCE_INSTANT,
        before: text("WHEN", "those that were deleted earlier"),
        limit: text("N", "how many at most; default 100"),
        tenant: TENANT,
        ...OR_SERVER,
      },
      run: runDeleted,
    }),
    action({
      name: "show",
      does: "show whether one can be restored, and which memberships come back with it",
      operands: ONE_DELETED,
      flags: {
        limit: text("N", "how many memberships at most; default 20"),
        tenant: TENANT,
        ...OR_SERVER,
      },
      run: runDeleted,
    }),
    action({
      name: "restore",
      does: "restore one under its id, with its memberships",
      operands: ONE_DELETED,
      flags: { tenant: TENANT, ...OR_SERVER },
      run: runDeleted,
    }),
  ],
  examples: [
    example("scim deleted list --tenant acme"),
    example("scim deleted list --type Group --since 2h --tenant acme", "what went this morning?"),
    example("scim deleted show User 0199… --tenant acme", "which groups would it be in again?"),
    example("scim deleted restore User 0199… --tenant acme"),
  ],
};

/** `scim erase`. */
export const ERASE: Command = {
  name: "erase",
  does: "erase what is kept of a person; nothing brings it back",
  actions: [
    action({
      name: "",
      does: "erase what is kept of a person, or list who was erased, or do it again behind a restored backup",
      operands: [{ name: "SUBJECT", does: "id of the person's resource", optional: true }],
      flags: {
        type: text("NAME", "resource type of the person's resource; needed where several types have the id"),
        list: toggle("list who was erased, as keyed hashes, a line of JSON for each"),
        replay: text("FILE", "erase again whom a list names, of all tenants, after a backup was restored", {
          offers: "file",
        }),
        tenant: TENANT,
        ...OR_SERVER,
      },
      run: async (call) => (await import("../../commands/erase.ts")).eraseCommand(call),
    }),
  ],
  examples: [
    example("scim erase 0199… --tenant acme"),
    example("scim erase 1007 --type User", "where an import kept ids that other types have too"),
    example("scim erase --list --tenant acme > erased.jsonl", "beside a backup"),
    example("scim erase --replay erased.jsonl", "when that backup was restored"),
  ],
};
