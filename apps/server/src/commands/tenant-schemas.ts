/**
 * `scim schema add`, `list` and `remove`: the Schema and ResourceType documents of one tenant.
 * @module
 */
import { ServiceError } from "@scim/client";
import type { JsonObject } from "@scim/schemas";
import { DEFAULT_NAME, type DocumentPorts, putDocuments, readDocuments, removeDocument } from "@scim/tenancy";
import { administerWith, onServerOr, type ServerFlags } from "../administration/administer.ts";
import { documentPorts } from "../administration/ports.ts";
import { shownDocuments } from "../administration/shown.ts";
import type { Call } from "../command-table/command.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { cell, print, tell } from "../output.ts";
import { pagesOf } from "../remote/admin-pages.ts";
import { type AdminClient, at, objectsIn } from "../remote/admin-requests.ts";
import { documentsOf, filesOf } from "../schemas/schema-documents.ts";
import { columns } from "../columns.ts";

/** The flags, as they were given. */
export interface TenantSchemaFlags extends ServerFlags {
  readonly tenant?: string;
  readonly json?: boolean;
}

/** A document that was read from a file. */
type Given = ReturnType<typeof documentsOf>[number];

/** What a command does with the documents of a tenant: each answers with all of them, as they are shown. */
interface Documents {
  add(given: readonly Given[]): Promise<JsonObject>;
  list(): Promise<JsonObject>;
  remove(name: string): Promise<JsonObject>;
}

/** Runs `scim schema add`, `list` or `remove`. */
export async function tenantSchemas(call: Call<TenantSchemaFlags>): Promise<ExitCode> {
  const { settings, positionals, flags } = call;
  const [action = "list", ...operands] = positionals;
  const [name = ""] = operands;
  // Files that cannot be read are told of before anything is opened.
  const given = action === "add" ? operands.flatMap(filesOf).flatMap((file) => documentsOf(file)) : [];
  const tenant = flags.tenant ?? DEFAULT_NAME;
  const run = async (documents: Documents): Promise<ExitCode> => {
    if (action === "add") return show(await documents.add(given), flags);
    return show(await (action === "list" ? documents.list() : documents.remove(name)), flags);
  };
  const actor = { command: `scim schema ${action}` };
  return onServerOr(
    call,
    (admin) => run(documentsAtServer(admin, tenant)),
    () => administerWith(settings, (opened) => run(documentsHere(documentPorts(opened, actor), tenant))),
  );
}

function documentsHere(ports: DocumentPorts, tenant: string): Documents {
  const target = { tenant, expected: null };
  return {
    add: async (given) => shownDocuments(await putDocuments(ports, target, given)),
    list: async () => shownDocuments(await readDocuments(ports, tenant)),
    remove: async (name) => shownDocuments(await removeDocument(ports, target, name)),
  };
}

function documentsAtServer(admin: AdminClient, tenant: string): Documents {
  const path = at`/tenants/${tenant}/schemas`;
  return {
    add: async (given) => {
      const body = { Resources: given.map(({ document }) => document) };
      try {
        const own = await admin.change({ method: "POST", path, body });
        return { ...own, notices: noticesOf(own, given) };
      } catch (cause) {
        if (!(cause instanceof ServiceError) || cause.status !== 400 || cause.detail === null) throw cause;
        throw new CommandFailure(EXIT.usage, withSources(cause.detail, given), cause);
      }
    },
    list: async () => {
      const { entries, last } = await pagesOf(admin, { path, name: "schemas" });
      const { next: _read, ...own } = last;
      return { ...own, schemas: entries };
    },
    remove: (name) => admin.change({ method: "DELETE", path: `${path}${at`/${name}`}` }),
  };
}

/** A server knows documents by their places in the request; people know the files. */
function withSources(text: string, given: readonly Given[]): string {
  return text.replaceAll(
    /\bdocument (\d{1,6})\b/g,
    (whole, place: string) => given[Number(place)]?.source ?? whole,
  );
}

function noticesOf(own: JsonObject, given: readonly Given[]): readonly JsonObject[] {
  const notices = own["notices"] === undefined ? [] : objectsIn(own, "notices");
  return notices.map((notice) => ({ ...notice, source: withSources(cell(notice["source"]), given) }));
}

/** Notices stand beside the result. */
function show(own: JsonObject, flags: TenantSchemaFlags): ExitCode {
  const notices = own["notices"] === undefined ? [] : objectsIn(own, "notices");
  for (const { source, path, message } of notices)
    tell(flags, `notice  ${cell(source)}: ${cell(path)}: ${cell(message)}`);
  const rows = objectsIn(own, "schemas").map(({ kind, name, changed }) =>
    [kind, name, changed].map((each) => cell(each)),
  );
  const lines =
    rows.length === 0 ? "No documents of its own." : columns([["kind", "name", "entered"], ...rows]);
  return print(flags, own, lines);
}
