/**
 * The commands that move data: `import`, `export`, `erase`.
 * @module
 */
import { TENANT, text, toggle } from "../arguments.ts";
import { action, example, type Command } from "../command.ts";

const CONNECTION = text("NAME", "connection whose profile holds; default 'default'");

/** `scim import`. */
export const IMPORT: Command = {
  name: "import",
  does: "bring resources in from a file",
  actions: [
    action({
      name: "",
      does: "bring resources in; the same command goes on where a run stopped",
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
      },
      run: async ({ settings, positionals, flags }) =>
        (await import("../../commands/import.ts")).importCommand(settings, positionals, flags),
    }),
  ],
  examples: [
    example("scim import people.jsonl --dry-run", "what would come of it?"),
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
        format: text("NAME", "jsonl (default) or csv", { offers: ["jsonl", "csv"] }),
        mapping: text("FILE", "what the columns of CSV hold", { offers: "file" }),
        connection: CONNECTION,
        tenant: TENANT,
      },
      json: "as it is",
      run: async ({ settings, positionals, flags }) =>
        (await import("../../commands/export.ts")).exportCommand(settings, positionals, flags),
    }),
  ],
  examples: [
    example("scim export acme.jsonl --tenant acme"),
    example("scim export --type User | jq .userName"),
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
        list: toggle("list who was erased, as keyed hashes, a line of JSON for each"),
        replay: text("FILE", "erase again whom a list names, after a backup was restored", {
          offers: "file",
        }),
        tenant: TENANT,
      },
      run: async ({ settings, positionals, flags }) =>
        (await import("../../commands/erase.ts")).eraseCommand(settings, positionals, flags),
    }),
  ],
  examples: [
    example("scim erase 0199… --tenant acme"),
    example("scim erase --list --tenant acme > erased.jsonl", "beside a backup"),
    example("scim erase --replay erased.jsonl", "when that backup was restored"),
  ],
};
