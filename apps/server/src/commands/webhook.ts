/**
 * `scim webhook`: who is told of a tenant's events.
 * @module
 */
import {
  changeReceiver,
  createWebhook,
  listDead,
  listReceivers,
  removeReceiver,
  replay,
  rotateWebhookSecret,
  testWebhook,
  type Receiver,
  type ReceiverName,
  type WebhookTest,
} from "@scim/events";
import { isScimError } from "@scim/schemas";
import { isTenantName } from "@scim/tenancy";
import { lazySender, webhookParts } from "../delivery/parts.ts";
import { shownReceiver, type ShownReceiver } from "../delivery/shown-receiver.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { openStore, type OpenedStore } from "../open-store.ts";
import { columns } from "../settings/show.ts";
import { DEFAULT_TENANT, type Settings } from "../settings/table.ts";

/** The flags of `scim webhook`, as they were given. */
export interface WebhookFlags {
  readonly tenant?: string;
  readonly url?: string;
  readonly types?: string;
  readonly payload?: string;
  readonly since?: string;
  readonly overlap?: string;
  readonly json?: boolean;
}

const USAGE =
  "Use 'scim webhook create --url ADDRESS', 'scim webhook list', or 'scim webhook rotate', 'test', 'pause', 'enable', " +
  "'delete', 'dead' or 'replay' with an id.";
const HOUR_MS = 3_600_000;
const OVERLAP_HOURS = 24;
const MOST_OVERLAP = 720;
const LISTED = 1000;

/** What an action works with. */
interface Work {
  readonly parts: WebhookTest;
  readonly opened: OpenedStore;
  readonly tenant: string;
  readonly flags: WebhookFlags;
}

type Action = (work: Work) => Promise<ExitCode>;
type ActionOnOne = (work: Work, name: ReceiverName) => Promise<ExitCode>;

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ["create", create],
  ["list", list],
]);

const ACTIONS_ON_ONE: ReadonlyMap<string, ActionOnOne> = new Map([
  ["rotate", rotate],
  ["test", test],
  ["pause", stateAction("paused")],
  ["enable", stateAction("active")],
  ["delete", remove],
  ["dead", dead],
  ["replay", replayAction],
]);

/** Runs `scim webhook <action>`. */
export async function webhook(
  settings: Settings,
  positionals: readonly string[],
  flags: WebhookFlags,
): Promise<ExitCode> {
  const action = actionOf(positionals);
  const tenant = flags.tenant ?? DEFAULT_TENANT;
  if (!isTenantName(tenant)) throw new CommandFailure(EXIT.usage, `'${tenant}' is no name of a tenant.`);
  const opened = await openStore(settings);
  const sender = lazySender(settings);
  try {
    return await action({ parts: webhookParts(settings, opened, sender.send), opened, tenant, flags });
  } catch (error) {
    if (!isScimError(error)) throw error;
    throw new CommandFailure(EXIT.failed, error.message, error);
  } finally {
    await sender.close();
    await opened.store.close();
  }
}

function actionOf([name = "", id, ...more]: readonly string[]): Action {
  const action = id === undefined ? ACTIONS.get(name) : undefined;
  if (action !== undefined) return action;
  const onOne = more.length === 0 ? ACTIONS_ON_ONE.get(name) : undefined;
  if (onOne === undefined || id === undefined) throw new CommandFailure(EXIT.usage, USAGE);
  return (work) => onOne(work, { tenant: work.tenant, id });
}

async function create({ parts, tenant, flags }: Work): Promise<ExitCode> {
  const { url, types, payload } = flags;
  if (url === undefined) throw new CommandFailure(EXIT.usage, USAGE);
  if (payload !== undefined && payload !== "reference" && payload !== "full") {
    throw new CommandFailure(EXIT.usage, "--payload must be reference or full.");
  }
  const since = numberFlag("since", flags.since);
  const made = await createWebhook(parts, { tenant, url, types: types?.split(","), payload, since });
  showSecret(flags, made.receiver, made.secret);
  return EXIT.ok;
}

async function rotate({ parts, flags }: Work, name: ReceiverName): Promise<ExitCode> {
  const hours = numberFlag("overlap", flags.overlap, MOST_OVERLAP) ?? OVERLAP_HOURS;
  const { receiver, secret } = await rotateWebhookSecret(parts, name, hours * HOUR_MS);
  showSecret(flags, receiver, secret);
  return EXIT.ok;
}

/** The secret alone goes to standard output, so that a script can take it. */
function showSecret({ json }: WebhookFlags, { tenant, id }: Receiver, secret: string): void {
  if (json === true) {
    show({ tenant, id, secret });
    return;
  }
  process.stderr.write(`Webhook ${id} of tenant '${tenant}'. Its secret is shown once, and kept sealed.\n`);
  process.stdout.write(`${secret}\n`);
}

async function list({ parts, tenant, flags }: Work): Promise<ExitCode> {
  const receivers = await listReceivers(parts, "webhook", tenant);
  const shown = await Promise.all(receivers.map(async (each) => shownReceiver(parts.receivers, each)));
  if (flags.json === true) {
    show({ webhooks: shown });
    return EXIT.ok;
  }
  const head = ["id", "state", "types", "payload", "position", "waiting", "dead", "address", "last problem"];
  process.stdout.write(`${columns([head, ...shown.map(rowOf)])}\n`);
  return EXIT.ok;
}

function rowOf(shown: ShownReceiver): readonly string[] {
  const { id, state, types, payload, position, waiting, dead: given, url, reason, lastProblem } = shown;
  const counts = [position, waiting, given].map(String);
  return [id, state, types.join(",") || "all", payload, ...counts, url, reason ?? lastProblem ?? "-"];
}

async function test({ parts, flags }: Work, name: ReceiverName): Promise<ExitCode> {
  const verdict = await testWebhook(parts, name);
  if (flags.json === true) show(verdict);
  else if (verdict.kind === "delivered") process.stderr.write("The receiver took the message.\n");
  else process.stderr.write(`${verdict.problem}\n`);
  return verdict.kind === "delivered" ? EXIT.ok : EXIT.failed;
}

function stateAction(state: "active" | "paused"): ActionOnOne {
  return async ({ parts }, name) => {
    await changeReceiver(parts, { kind: "webhook", name }, { state });
    process.stderr.write(`Webhook ${name.id} is ${state}.\n`);
    return EXIT.ok;
  };
}

async function remove({ parts }: Work, name: ReceiverName): Promise<ExitCode> {
  await removeReceiver(parts, "webhook", name);
  process.stderr.write(`Webhook ${name.id} is deleted.\n`);
  return EXIT.ok;
}

async function dead({ parts, flags }: Work, name: ReceiverName): Promise<ExitCode> {
  const after = numberFlag("since", flags.since) ?? 0;
  const given = await listDead(parts, { kind: "webhook", name }, { after, limit: LISTED });
  if (flags.json === true) {
    show({ dead: given });
    return EXIT.ok;
  }
  const rows = given.map((each) => [
    String(each.position),
    each.type,
    each.resource,
    String(each.attempts),
    each.since,
    each.problem ?? "-",
  ]);
  process.stdout.write(`${columns([["position", "type", "id", "attempts", "since", "problem"], ...rows])}\n`);
  return EXIT.ok;
}

async function replayAction({ parts, flags }: Work, name: ReceiverName): Promise<ExitCode> {
  const position = numberFlag("since", flags.since);
  const wanted =
    position === undefined
      ? ({ kind: "dead", positions: null } as const)
      : ({ kind: "behind", position } as const);
  const revived = await replay(parts, { kind: "webhook", name }, wanted);
  process.stderr.write(
    revived === null
      ? `Everything behind position ${String(position)} is delivered again.\n`
      : `${revived} dead letters are delivered again.\n`,
  );
  return EXIT.ok;
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

function show(value: object): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
