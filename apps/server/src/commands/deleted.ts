/**
 * `scim deleted`: lists deleted resources that can still be restored, shows what restoring one would bring back, and
 * restores it.
 * @module
 */
import type { ReturningCollection, ReturningMembership, ReturningSide } from "@scim/core";
import type { KeyPage } from "@scim/tenancy";
import { administerWith, onServerOr, type ServerFlags } from "../administration/administer.ts";
import { readDeletedFilter } from "../administration/deleted-filter.ts";
import { requireKnownTenant, requireServedTenant } from "../administration/known-tenant.ts";
import {
  deletedKey,
  membershipKey,
  type NamedResource,
  restorationsHere,
  type Restorations,
  type ShownDeleted,
  type ShownPreview,
} from "../administration/restoring.ts";
import { toldAtBothEnds } from "../administration/told-command.ts";
import type { Call } from "../command-table/command.ts";
import type { ExitCode } from "../failure.ts";
import { operatorServices } from "../operator/operator-services.ts";
import { print } from "../output.ts";
import { grouped } from "../progress/progress.ts";
import { restorationsAtServer } from "../remote/remote-restoring.ts";
import { columns } from "../columns.ts";
import { requireDefinitions } from "../schemas/served-definitions.ts";
import { DEFAULT_TENANT } from "../settings/table.ts";
import { limitFlag } from "./page-flags.ts";
import { tenantFlag } from "./tenant-flag.ts";
import { whoOf } from "./who.ts";

/** The flags of `scim deleted`, as they were given. */
export interface DeletedFlags extends ServerFlags {
  readonly tenant?: string;
  readonly limit?: string;
  readonly type?: string;
  readonly since?: string;
  readonly before?: string;
  readonly json?: boolean;
}

/** Deleted resources that are shown where nothing else is asked for, and memberships of one. */
const SHOWN = 100;
const SHOWN_MEMBERSHIPS = 20;
/** Rows that are read at once. */
const PAGE = 500;

/** Runs `scim deleted <action>`. */
export async function deletedCommand(call: Call<DeletedFlags>): Promise<ExitCode> {
  const { settings, flags } = call;
  const tenant = tenantFlag(flags);
  const [action = "", type = "", id = ""] = call.positionals;
  const asked: Asked = { tenant, named: { type, id }, flags };
  const run = ACTIONS[action === "list" || action === "restore" ? action : "show"];
  return onServerOr(
    call,
    (admin) => run(restorationsAtServer(admin, tenant), asked),
    () =>
      administerWith(settings, async (opened) => {
        const requireThere = action === "restore" ? requireServedTenant : requireKnownTenant;
        await requireThere(opened.store, tenant);
        if (tenant === DEFAULT_TENANT) await requireDefinitions(opened);
        const { serviceOf } = operatorServices(settings, opened);
        const command = `scim deleted ${action}`;
        const parts = { settings, opened, serviceOf };
        const restorations = await restorationsHere(parts, tenant, { command });
        const about = `${tenant}/${type}/${id}`;
        const told: Restorations = {
          ...restorations,
          restore: (named, ifMatch) =>
            toldAtBothEnds(opened.store, { command, about }, () => restorations.restore(named, ifMatch)),
        };
        return run(told, asked);
      }),
  );
}

interface Asked {
  readonly tenant: string;
  readonly named: NamedResource;
  readonly flags: DeletedFlags;
}

type Action = (restorations: Restorations, asked: Asked) => Promise<ExitCode>;

const ACTIONS = { list, show, restore } satisfies Record<string, Action>;

async function list(restorations: Restorations, { tenant, flags }: Asked): Promise<ExitCode> {
  const filter = readDeletedFilter(flags);
  const deleted = await readUpTo(limitFlag(flags, SHOWN), deletedKey, (page) =>
    restorations.list(page, filter),
  );
  const heads = ["deleted", "resource", "by", "can be restored until"];
  const rows = deleted.map((each) => [each.deleted, nameOf(each), byOf(each), each.until]);
  const isAll = [flags.type, flags.since, flags.before].every((given) => given === undefined);
  const nothing = isAll ? "Nothing is kept that was deleted." : "Nothing of what is asked for is kept.";
  const lines = deleted.length === 0 ? nothing : columns([heads, ...rows]);
  return print(flags, { tenant, deleted }, lines);
}

async function show(restorations: Restorations, { tenant, named, flags }: Asked): Promise<ExitCode> {
  const preview = await restorations.preview(named);
  const most = limitFlag(flags, SHOWN_MEMBERSHIPS);
  const first = (side: ReturningSide): Promise<readonly ReturningMembership[]> =>
    readUpTo(most, membershipKey, (page) => restorations.memberships(named, side, page));
  const shown = { memberOf: await first("memberOf"), members: await first("members") };
  return print(flags, { tenant, ...preview, first: shown }, linesOf(preview, shown).join("\n"));
}

async function restore(restorations: Restorations, { tenant, named, flags }: Asked): Promise<ExitCode> {
  const { resource, memberOf, members } = await restorations.preview(named);
  const restored = await restorations.restore(named, [resource.version]);
  const lines = [
    `Restored ${nameOf(restored)}, which was deleted at ${restored.deleted}.`,
    `  It is named by ${countsOf(memberOf)}, and holds ${countsOf(members)}.`,
  ];
  return print(flags, { tenant, ...restored, memberOf, members }, lines.join("\n"));
}

/** Rows of a list, page by page, up to a number. */
async function readUpTo<Row>(
  most: number,
  keyOf: (row: Row) => string,
  read: (page: KeyPage) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  while (rows.length < most) {
    const last = rows.at(-1);
    const count = Math.min(PAGE, most - rows.length);
    const page = await read({ after: last === undefined ? null : keyOf(last), count });
    rows.push(...page);
    if (page.length < count) break;
  }
  return rows;
}

function nameOf({ type, id }: NamedResource): string {
  return `${type} ${id}`;
}

function byOf({ by }: Pick<ShownDeleted, "by">): string {
  return by === null ? "-" : whoOf(by);
}

function linesOf(
  { resource, refusal, memberOf, members }: ShownPreview,
  first: Readonly<Record<ReturningSide, readonly ReturningMembership[]>>,
): readonly string[] {
  const verdict =
    refusal === null
      ? "It can be restored now."
      : `It cannot be restored now (${refusal.status}): ${refusal.detail}`;
  return [
    `${nameOf(resource)}, deleted at ${resource.deleted} by ${byOf(resource)}, kept until ${resource.until}.`,
    verdict,
    `Memberships that name it and come back: ${countsOf(memberOf)}.`,
    ...first.memberOf.map(({ type, id, path }) => `  ${type} ${id}  ${path}`),
    ...moreOf(memberOf, first.memberOf.length),
    `Values of its own that come back: ${countsOf(members)}.`,
    ...first.members.map(({ path, value }) => `  ${path}  ${value}`),
    ...moreOf(members, first.members.length),
  ];
}

function countsOf(collections: readonly ReturningCollection[]): string {
  if (collections.length === 0) return "none";
  return collections.map(({ type, path, count }) => `${grouped(count)} of ${type} ${path}`).join(", ");
}

function moreOf(collections: readonly ReturningCollection[], shown: number): readonly string[] {
  const all = collections.reduce((sum, { count }) => sum + count, 0);
  return all > shown ? [`  and ${grouped(all - shown)} more: --limit N shows as many`] : [];
}
