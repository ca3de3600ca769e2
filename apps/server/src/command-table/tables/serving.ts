/**
 * The commands of the server itself: `serve`, `config`, `schema`, `doctor`, `migrate`, `backup`, `index`.
 * @module
 */
import { action, example, type Call, type Command } from "../command.ts";
import {
  OR_REMOTE,
  OR_SERVER,
  TENANT,
  needed,
  text,
  toggle,
  type FlagTable,
  type Operand,
} from "../arguments.ts";
import type { TenantSchemaFlags } from "../../commands/tenant-schemas.ts";
import type { ExitCode } from "../../failure.ts";

/** `scim serve`. */
export const SERVE: Command = {
  name: "serve",
  does: "run the server",
  actions: [
    action({
      name: "",
      does: "run the server until it is told to stop",
      settings: "all",
      json: "lines",
      run: async ({ resolved, flags }) => (await import("../../commands/serve.ts")).serve(resolved, flags),
    }),
  ],
  examples: [
    example("scim serve", "on SQLite in ./data; the first start prints a token"),
    example("scim serve --port 9000 --profile entra"),
    example("scim serve --database-url postgres://scim@db.example/scim --workers 4"),
  ],
};

/** `scim config`. */
export const CONFIG: Command = {
  name: "config",
  does: "print the settings in effect, and where each comes from",
  actions: [
    action({
      name: "",
      does: "print each setting with its value, unit, bound and origin; never a secret",
      settings: "all",
      run: async ({ resolved, flags }) => (await import("../../commands/config.ts")).config(resolved, flags),
    }),
  ],
  examples: [example("scim config --config scim.json", "is this file right?")],
};

const DOCUMENTS: Operand = {
  name: "FILE",
  does: "JSON files, or folders of them",
  many: true,
  offers: "file",
};

const runTenantSchemas = async (call: Call<TenantSchemaFlags>): Promise<ExitCode> =>
  (await import("../../commands/tenant-schemas.ts")).tenantSchemas(call);

/** `scim schema`. */
export const SCHEMA: Command = {
  name: "schema",
  does: "Schema and ResourceType documents: check them, and give them to tenants",
  actions: [
    action({
      name: "validate",
      does: "check documents; 1 where one cannot be used",
      operands: [DOCUMENTS],
      settings: "none",
      run: async ({ positionals, flags }) =>
        (await import("../../commands/schema.ts")).schema(positionals, flags),
    }),
    action({
      name: "diff",
      does: "print what differs; 1 where a difference breaks clients or stored values",
      operands: [
        { name: "OLD", does: "a file, or a folder of files", offers: "file" },
        { name: "NEW", does: "the same, later", offers: "file" },
      ],
      settings: "none",
      run: async ({ positionals, flags }) =>
        (await import("../../commands/schema.ts")).schema(positionals, flags),
    }),
    action({
      name: "show",
      does: "print the resource types that a running service has, or one of its schemas",
      operands: [{ name: "SCHEMA", does: "URN or name of a schema", optional: true }],
      flags: { ...OR_REMOTE, url: { ...OR_REMOTE.url, required: true } },
      settings: "none",
      run: async ({ positionals, flags, environment }) =>
        (await import("../../commands/schema-show.ts")).showServed(positionals, flags, environment),
    }),
    action({
      name: "add",
      does: "give documents to a tenant, or new versions of its own; every server follows within a second",
      begins: true,
      operands: [DOCUMENTS],
      flags: { tenant: TENANT, ...OR_SERVER },
      run: runTenantSchemas,
    }),
    action({
      name: "list",
      does: "list the documents that a tenant has of its own",
      flags: { tenant: TENANT, ...OR_SERVER },
      run: runTenantSchemas,
    }),
    action({
      name: "remove",
      does: "take a document of a tenant away; refused where stored resources need it",
      operands: [{ name: "NAME", does: "URN of the schema, or name of the resource type" }],
      flags: { tenant: TENANT, ...OR_SERVER },
      run: runTenantSchemas,
    }),
  ],
  examples: [
    example("scim schema validate schemas/", "before --schemas schemas/"),
    example("scim schema add schemas/ --tenant acme"),
    example("scim schema diff schemas-now/ schemas-next/", "what would break?"),
  ],
};

/** `scim doctor`. */
export const DOCTOR: Command = {
  name: "doctor",
  does: "check the installation and the references of its tenants",
  actions: [
    action({
      name: "",
      does: "check the installation and the references of its tenants; 1 where something is wrong",
      flags: {
        tenant: text("NAME", "this tenant alone; default each"),
        pages: toggle("read every page of an SQLite file, too, which takes its time"),
        derived: toggle("compare indexes, unique values and counters with all resources, too"),
        repair: toggle("the same, and write anew what differs, while servers run"),
        ...OR_REMOTE,
      },
      settings: "all",
      run: async ({ settings, flags, environment }) =>
        (await import("../../commands/doctor.ts")).doctorCommand(settings, flags, environment),
    }),
  ],
  examples: [
    example("scim doctor", "the installation, and each tenant in turn"),
    example("scim doctor --tenant acme"),
    example("scim doctor --pages", "each week: is any page of the SQLite file damaged?"),
    example(
      "scim doctor --derived",
      "after a crash or a restore: are indexes and counters those of the resources?",
    ),
    example("scim doctor --url https://id.example/scim/v2", "the references of a service that runs"),
  ],
};

const MIGRATE_FLAGS = {
  to: text("ADDRESS", "move everything to another database instead, and compare what both hold"),
  plan: toggle("print what would be done, with locks and rows, and change nothing"),
  partitions: text("N", "lay a new PostgreSQL database out in N partitions by tenant (2 to 1024)"),
  distribute: text("citus", "lay a new PostgreSQL database out over the nodes of Citus by tenant", {
    offers: ["citus"],
  }),
} satisfies FlagTable;

/** `scim migrate`. */
export const MIGRATE: Command = {
  name: "migrate",
  does: "bring the schema of the database up to date, or move it all to another database",
  actions: [
    action({
      name: "",
      does: "bring the schema of the database up to date, or move it all to another database",
      begins: true,
      flags: MIGRATE_FLAGS,
      run: async ({ settings, flags }) => {
        if (flags.to !== undefined)
          return (await import("../../commands/move.ts")).move(settings, flags.to, flags);
        return (await import("../../commands/migrate.ts")).migrate(settings, flags);
      },
    }),
  ],
  examples: [
    example("scim migrate --plan", "which tables would be locked?"),
    example("scim migrate --to postgres://scim@db.example/scim", "from SQLite to PostgreSQL"),
  ],
};

/** `scim backup`. */
export const BACKUP: Command = {
  name: "backup",
  does: "copy an SQLite database while it is in use, and check the copy",
  actions: [
    action({
      name: "",
      does: "copy an SQLite database while it is in use, and check the copy",
      operands: [{ name: "FILE", does: "where the copy goes; it must not be there yet", offers: "file" }],
      run: async ({ settings, positionals, flags }) =>
        (await import("../../commands/backup.ts")).backupCommand(settings, positionals, flags),
    }),
  ],
  examples: [example("scim backup /backups/scim-monday.db")],
};

const ONE_INDEX = {
  type: needed("NAME", "resource type"),
  path: needed("PATH", "attribute, such as nickName or emails.type"),
  tenant: TENANT,
  ...OR_SERVER,
} satisfies FlagTable;

/** `scim index`. */
export const INDEX: Command = {
  name: "index",
  does: "which attributes have an index",
  actions: [
    action({
      name: "list",
      does: "list the attributes that have an index, and how far each is built",
      flags: { type: text("NAME", "of this resource type alone"), tenant: TENANT, ...OR_SERVER },
      run: async (call) => (await import("../../commands/indexes.ts")).listIndexes(call),
    }),
    action({
      name: "add",
      does: "declare the index of an attribute; servers build it while they serve",
      flags: ONE_INDEX,
      run: async (call) => (await import("../../commands/indexes.ts")).addIndex(call),
    }),
    action({
      name: "drop",
      does: "take the index of an attribute away",
      flags: ONE_INDEX,
      run: async (call) => (await import("../../commands/indexes.ts")).dropIndex(call),
    }),
  ],
  examples: [
    example("scim index add --type User --path nickName --tenant acme"),
    example("scim index list --tenant acme", "how far is it?"),
  ],
};
