/**
 * `scim schema add`, `list` and `remove`: the Schema and ResourceType documents of one tenant.
 * @module
 */
import { DEFAULT_NAME, type OwnDocuments, putDocuments, readDocuments, removeDocument } from "@scim/tenancy";
import { administerWith } from "../administration/administer.ts";
import { documentPorts } from "../administration/ports.ts";
import { documentName, shownDocuments } from "../administration/shown.ts";
import type { ExitCode } from "../failure.ts";
import { print, tell } from "../output.ts";
import { documentsOf, filesOf } from "../schema-documents.ts";
import { columns } from "../settings/show.ts";
import type { Settings } from "../settings/table.ts";

/** The flags, as they were given. */
export interface TenantSchemaFlags {
  readonly tenant?: string;
  readonly json?: boolean;
}

/** Runs `scim schema add`, `list` or `remove`. */
export async function tenantSchemas(
  settings: Settings,
  [action = "list", ...operands]: readonly string[],
  flags: TenantSchemaFlags,
): Promise<ExitCode> {
  // Files that cannot be read are told of before a database is opened.
  const given = action === "add" ? operands.flatMap(filesOf).flatMap(documentsOf) : [];
  const actor = { command: `scim schema ${action}` };
  return administerWith(settings, async (opened) => {
    const ports = documentPorts(opened, actor);
    const target = { tenant: flags.tenant ?? DEFAULT_NAME, expected: null };
    if (action === "add") {
      const own = await putDocuments(ports, target, given);
      for (const { source, path, message } of own.notices)
        tell(flags, `notice  ${source}: ${path}: ${message}`);
      return show(own, flags);
    }
    const [name = ""] = operands;
    return show(
      action === "list"
        ? await readDocuments(ports, target.tenant)
        : await removeDocument(ports, target, name),
      flags,
    );
  });
}

function show(own: OwnDocuments, flags: TenantSchemaFlags): ExitCode {
  const rows = own.documents.map((each) => [each.kind, documentName(each), each.changed]);
  const lines =
    rows.length === 0 ? "No documents of its own." : columns([["kind", "name", "entered"], ...rows]);
  return print(flags, shownDocuments(own), lines);
}
