/**
 * What `scim webhook` and `scim stream` share: receivers of a tenant's events listed, stopped, deleted and replayed.
 * @module
 */
import type { ChangeOrigin } from "@scim/core";
import { checkSettings, type ReceiverFamily, type Replay } from "@scim/events";
import { onServerOr, tellOfOtherKeys, type ServerFlags } from "../administration/administer.ts";
import { requireKnownTenant, requireServedTenant } from "../administration/known-tenant.ts";
import { toldAtBothEnds } from "../administration/told-command.ts";
import type { Call } from "../command-table/command.ts";
import { allowedAddresses } from "../delivery/parts.ts";
import { MOST_OVERLAP_HOURS, OVERLAP_HOURS } from "../delivery/overlap.ts";
import type {
  MadeReceiver,
  ReceiverAdministration,
  ReceiverSettings,
} from "../delivery/receiver-administration.ts";
import type { ShownReceiver } from "../delivery/shown-receiver.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { confirm, print, tell } from "../output.ts";
import { counted } from "../progress/progress.ts";
import { openStore, type OpenedStore } from "../store/open-store.ts";
import type { AdminClient } from "../remote/admin-requests.ts";
import { noticesMember, tellNotices } from "../schemas/missing-types.ts";
import type { Settings } from "../settings/table.ts";
import { columns } from "../columns.ts";
import { tenantFlag, trailFlag } from "./tenant-flag.ts";
import { wholeNumberFlag } from "../value-flags.ts";

/** The flags of both commands, as they were given. */
export interface ReceiverFlags extends ServerFlags {
  readonly tenant?: string;
  readonly to?: string;
  readonly types?: string;
  readonly payload?: string;
  readonly since?: string;
  readonly positions?: string;
  readonly overlap?: string;
  readonly json?: boolean;
}

/** What an action works with. */
export interface Work<Administration, Flags> {
  readonly family: ReceiverFamily;
  readonly receivers: Administration;
  readonly tenant: string;
  readonly flags: Flags;
}

type AnyWork = Work<ReceiverAdministration, ReceiverFlags>;

/** An action; the id is that of the receiver which is named behind it. */
export type Action<Given> = (work: Given, id: string) => Promise<ExitCode>;

/** An open database, and the command that works on it. */
export interface Commanding {
  readonly opened: OpenedStore;
  readonly actor: ChangeOrigin;
}

/** A command: its own actions beside the shared ones. */
export interface ReceiverCommand<Administration, Flags> {
  readonly family: ReceiverFamily;
  readonly actions: Readonly<Record<string, Action<Work<Administration, Flags>>>>;
  readonly here: (by: Commanding, tenant: string) => Administration;
  readonly atServer: (admin: AdminClient, tenant: string) => Administration;
}

const SHARED: Readonly<Record<string, Action<AnyWork>>> = {
  list,
  pause: stateAction("paused"),
  enable: stateAction("active"),
  delete: remove,
  dead,
  replay: replayAction,
  drop,
};

/** Actions that can be had in a tenant that was deleted, too. */
const LEAVE_NOTHING: ReadonlySet<string> = new Set(["list", "dead", "delete"]);

/** Runs an action of a command; what it changes is told in the trail. */
export async function runReceiverCommand<
  Administration extends ReceiverAdministration,
  Flags extends ReceiverFlags,
>(command: ReceiverCommand<Administration, Flags>, call: Call<Flags>): Promise<ExitCode> {
  const { family, here, atServer } = command;
  const { flags, settings } = call;
  const [name = "list", id = ""] = call.positionals;
  const action = command.actions[name] ?? SHARED[name] ?? list;
  const tenant = tenantOf(family, flags);
  return onServerOr(
    call,
    (admin) => action({ family, receivers: atServer(admin, tenant), tenant, flags }, id),
    async () => {
      // What is refused of a new receiver makes no database.
      if (name === "create") checkNew(settings, flags);
      const opened = await openStore(settings);
      try {
        const requireThere = LEAVE_NOTHING.has(name) ? requireKnownTenant : requireServedTenant;
        await requireThere(opened.store, tenant);
        await tellOfOtherKeys(opened, flags);
        const actor = { command: `scim ${family} ${name}` };
        const work = () => action({ family, receivers: here({ opened, actor }, tenant), tenant, flags }, id);
        if (name !== "test") return await work();
        return await toldAtBothEnds(opened.store, { ...actor, about: `${tenant}/${id}` }, work);
      } finally {
        await opened.store.close();
      }
    },
  );
}

/** The trail of administration is told to webhooks too. */
function tenantOf(family: ReceiverFamily, flags: ReceiverFlags): string {
  return family === "webhook" ? trailFlag(flags) : tenantFlag(flags);
}

function checkNew(settings: Settings, flags: ReceiverFlags): void {
  const { types } = newReceiverFlags(flags);
  checkSettings({ allowed: allowedAddresses(settings) }, { url: flags.to, types });
}

/** What the flags say of a new receiver. */
export function newReceiverFlags({ types, payload, since }: ReceiverFlags): ReceiverSettings {
  if (payload !== undefined && payload !== "reference" && payload !== "full") {
    throw new CommandFailure(EXIT.usage, "--payload must be reference or full.");
  }
  return { types: types?.split(",").map((type) => type.trim()), payload, since: numberFlag("since", since) };
}

/** How long an old secret stays good, in hours. */
export function overlapFlag({ overlap }: ReceiverFlags): number {
  return numberFlag("overlap", overlap, MOST_OVERLAP_HOURS) ?? OVERLAP_HOURS;
}

/** Shows a secret once. It goes alone to standard output, so that a script can take it. */
export function showSecret(
  { family, flags }: Pick<AnyWork, "family" | "flags">,
  { tenant, id, secret, notices }: MadeReceiver,
): ExitCode {
  const told =
    family === "webhook"
      ? `Webhook ${id} of tenant '${tenant}'. Its secret is shown once, and kept sealed.`
      : `Stream ${id} of tenant '${tenant}', polled at /events/${tenant}/${id}/poll. Its token is shown once, and kept sealed.`;
  tell(flags, told);
  tellNotices(flags, notices);
  return print(flags, { tenant, id, secret, ...noticesMember(notices) }, secret ?? "");
}

async function list({ family, receivers, flags }: AnyWork): Promise<ExitCode> {
  const shown = await receivers.list();
  const head = [
    "id",
    "kind",
    "state",
    "types",
    "payload",
    "position",
    "waiting",
    "dead",
    "address",
    "last problem",
  ];
  return print(flags, { [`${family}s`]: shown }, columns([head, ...shown.map(rowOf)]));
}

function rowOf(shown: ShownReceiver): readonly string[] {
  const { id, kind, state, types, payload, position, waiting, dead: given, url, reason, lastProblem } = shown;
  const counts = [position, waiting, given].map(String);
  return [
    id,
    kind,
    state,
    types.join(",") || "all",
    payload,
    ...counts,
    url || "-",
    reason ?? lastProblem ?? "-",
  ];
}

function stateAction(state: "active" | "paused"): Action<AnyWork> {
  return async ({ family, receivers, tenant, flags }, id) => {
    await receivers.change(id, state);
    return confirm(flags, { tenant, id, state }, `The ${family} ${id} is ${state}.`);
  };
}

async function remove({ family, receivers, tenant, flags }: AnyWork, id: string): Promise<ExitCode> {
  await receivers.remove(id);
  return confirm(flags, { tenant, id, deleted: true }, `The ${family} ${id} is deleted.`);
}

async function dead({ receivers, flags }: AnyWork, id: string): Promise<ExitCode> {
  const given = await receivers.dead(id, numberFlag("since", flags.since) ?? 0);
  const rows = given.map((each) => [
    String(each.position),
    each.type,
    each.resource,
    String(each.attempts),
    each.since,
    each.problem ?? "-",
  ]);
  const heads = ["position", "type", "id", "attempts", "since", "problem"];
  return print(flags, { dead: given }, columns([heads, ...rows]));
}

async function replayAction(work: AnyWork, id: string): Promise<ExitCode> {
  const { receivers, tenant, flags } = work;
  const wanted = replayFlags(flags);
  const since = wanted.kind === "behind" ? wanted.position : null;
  const revived = await receivers.replay(id, wanted);
  const told =
    revived === null
      ? `Everything behind position ${String(since)} is delivered again.`
      : `${counted(revived, "dead letter is", "dead letters are")} delivered again.`;
  const held = revived === 0 ? "" : await heldUp(work, id);
  return confirm(flags, { tenant, id, since, revived }, `${told}${held}`);
}

/** What the flags say of a replay. */
function replayFlags(flags: ReceiverFlags): Replay {
  const position = numberFlag("since", flags.since);
  const positions = positionsFlag(flags);
  if (position === undefined) return { kind: "dead", positions };
  if (positions === null) return { kind: "behind", position };
  throw new CommandFailure(EXIT.usage, "Give --since or --positions, not both.");
}

/** Nothing is sent to a receiver that is stopped; empty where it is not. */
async function heldUp({ family, receivers }: AnyWork, id: string): Promise<string> {
  const state = (await receivers.list()).find((each) => each.id === id)?.state ?? "active";
  return state === "active" ? "" : ` The ${family} is ${state}: it waits for 'scim ${family} enable ${id}'.`;
}

async function drop({ receivers, tenant, flags }: AnyWork, id: string): Promise<ExitCode> {
  const dropped = await receivers.drop(id, positionsFlag(flags));
  const told = `${counted(dropped, "dead letter is", "dead letters are")} dropped.`;
  return confirm(flags, { tenant, id, dropped }, told);
}

/** Positions of what was given up; null for all. */
function positionsFlag({ positions }: ReceiverFlags): readonly number[] | null {
  return positions?.split(",").map((text) => numberOf("positions", text.trim())) ?? null;
}

function numberFlag(name: string, text: string | undefined, most?: number): number | undefined {
  return text === undefined ? undefined : numberOf(name, text, most);
}

function numberOf(name: string, text: string, most: number = Number.MAX_SAFE_INTEGER): number {
  return wholeNumberFlag(name, text, { least: 0, most });
}
