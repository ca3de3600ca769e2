/**
 * What `scim webhook` and `scim stream` share: receivers of a tenant's events listed, stopped, deleted and replayed.
 * @module
 */
import {
  changeReceiver,
  listDead,
  listReceivers,
  removeReceiver,
  replay,
  type Receiver,
  type ReceiverFamily,
  type ReceiverName,
  type ReceiverPorts,
} from "@scim/events";
import { isScimError } from "@scim/schemas";
import { tellCommand } from "../administration/administer.ts";
import { shownReceiver, type ShownReceiver } from "../delivery/shown-receiver.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { confirm, print, tell, type Reader } from "../output.ts";
import { openStore, type OpenedStore } from "../open-store.ts";
import { columns } from "../settings/show.ts";
import type { Settings } from "../settings/table.ts";
import { tenantFlag, trailFlag } from "./tenant-flag.ts";

/** The flags of both commands, as they were given. */
export interface ReceiverFlags {
  readonly tenant?: string;
  readonly url?: string;
  readonly types?: string;
  readonly payload?: string;
  readonly since?: string;
  readonly overlap?: string;
  readonly json?: boolean;
}

const HOUR_MS = 3_600_000;
const OVERLAP_HOURS = 24;
const MOST_OVERLAP = 720;
const LISTED = 1000;

/** What an action works with. */
export interface Work<Parts extends ReceiverPorts, Flags extends ReceiverFlags> {
  readonly family: ReceiverFamily;
  readonly parts: Parts;
  readonly tenant: string;
  readonly flags: Flags;
}

type AnyWork = Work<ReceiverPorts, ReceiverFlags>;

/** An action, and one on the receiver that is named behind it. */
export type Action<Given> = (work: Given) => Promise<ExitCode>;
export type ActionOnOne<Given> = (work: Given, name: ReceiverName) => Promise<ExitCode>;

/** A command: its own actions beside the shared ones. */
export interface ReceiverCommand<Parts extends ReceiverPorts, Flags extends ReceiverFlags> {
  readonly family: ReceiverFamily;
  readonly actions: ReadonlyMap<string, Action<Work<Parts, Flags>>>;
  readonly actionsOnOne: ReadonlyMap<string, ActionOnOne<Work<Parts, Flags>>>;
  readonly partsOf: (opened: OpenedStore) => Parts;
}

const SHARED: ReadonlyMap<string, ActionOnOne<AnyWork>> = new Map([
  ["pause", stateAction("paused")],
  ["enable", stateAction("active")],
  ["delete", remove],
  ["dead", dead],
  ["replay", replayAction],
]);

/** Actions that change nothing. */
const READING: ReadonlySet<string> = new Set(["list", "test", "dead"]);

/** Runs an action of a command, and tells what it changed. */
export async function runReceiverCommand<Parts extends ReceiverPorts, Flags extends ReceiverFlags>(
  command: ReceiverCommand<Parts, Flags>,
  settings: Settings,
  { positionals, flags }: { readonly positionals: readonly string[]; readonly flags: Flags },
): Promise<ExitCode> {
  const action = actionOf(command, positionals);
  // The trail of administration is told to webhooks too.
  const tenant = command.family === "webhook" ? trailFlag(flags) : tenantFlag(flags);
  const opened = await openStore(settings);
  try {
    const { family, partsOf } = command;
    const code = await action({ family, parts: partsOf(opened), tenant, flags });
    const [name = "", id] = positionals;
    if (!READING.has(name)) {
      await tellCommand(
        opened.store,
        `scim ${family} ${name}`,
        id === undefined ? tenant : `${tenant}/${id}`,
      );
    }
    return code;
  } catch (error) {
    if (!isScimError(error)) throw error;
    throw new CommandFailure(EXIT.failed, error.message, error);
  } finally {
    await opened.store.close();
  }
}

function actionOf<Parts extends ReceiverPorts, Flags extends ReceiverFlags>(
  { actions, actionsOnOne }: ReceiverCommand<Parts, Flags>,
  [name = "", id = ""]: readonly string[],
): Action<Work<Parts, Flags>> {
  const onOne = actionsOnOne.get(name) ?? SHARED.get(name);
  if (onOne !== undefined) return (work) => onOne(work, { tenant: work.tenant, id });
  return actions.get(name) ?? list;
}

/** What the flags say of a new receiver. */
export function newReceiverFlags({ types, payload, since }: ReceiverFlags): {
  readonly types: readonly string[] | undefined;
  readonly payload: Receiver["payload"] | undefined;
  readonly since: number | undefined;
} {
  if (payload !== undefined && payload !== "reference" && payload !== "full") {
    throw new CommandFailure(EXIT.usage, "--payload must be reference or full.");
  }
  return { types: types?.split(","), payload, since: numberFlag("since", since) };
}

/** How long an old secret stays good, in milliseconds. */
export function overlapFlag({ overlap }: ReceiverFlags): number {
  return (numberFlag("overlap", overlap, MOST_OVERLAP) ?? OVERLAP_HOURS) * HOUR_MS;
}

/** Shows a secret once. It goes alone to standard output, so that a script can take it. */
export function showSecret(flags: Reader, { tenant, id, kind }: Receiver, secret: string): ExitCode {
  const what = kind === "webhook" ? "Webhook" : "Stream";
  tell(flags, `${what} ${id} of tenant '${tenant}'. Its secret is shown once, and kept sealed.`);
  return print(flags, { tenant, id, secret }, secret);
}

async function list({ family, parts, tenant, flags }: AnyWork): Promise<ExitCode> {
  const receivers = await listReceivers(parts, family, tenant);
  const shown = await Promise.all(receivers.map(async (each) => shownReceiver(parts.receivers, each)));
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

function stateAction(state: "active" | "paused"): ActionOnOne<AnyWork> {
  return async ({ family, parts, flags }, name) => {
    await changeReceiver(parts, { family, name }, { state });
    return confirm(flags, { ...name, state }, `The ${family} ${name.id} is ${state}.`);
  };
}

async function remove({ family, parts, flags }: AnyWork, name: ReceiverName): Promise<ExitCode> {
  await removeReceiver(parts, { family, name });
  return confirm(flags, { ...name, deleted: true }, `The ${family} ${name.id} is deleted.`);
}

async function dead({ family, parts, flags }: AnyWork, name: ReceiverName): Promise<ExitCode> {
  const after = numberFlag("since", flags.since) ?? 0;
  const given = await listDead(parts, { family, name }, { after, limit: LISTED });
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

async function replayAction({ family, parts, flags }: AnyWork, name: ReceiverName): Promise<ExitCode> {
  const position = numberFlag("since", flags.since);
  const wanted =
    position === undefined
      ? ({ kind: "dead", positions: null } as const)
      : ({ kind: "behind", position } as const);
  const revived = await replay(parts, { family, name }, wanted);
  const told =
    revived === null
      ? `Everything behind position ${String(position)} is delivered again.`
      : `${revived} dead letters are delivered again.`;
  return confirm(flags, { ...name, since: position ?? null, revived }, told);
}

function numberFlag(
  name: string,
  text: string | undefined,
  most: number = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= most) return value;
  throw new CommandFailure(EXIT.usage, `--${name} must be a whole number from 0 to ${most}.`);
}
