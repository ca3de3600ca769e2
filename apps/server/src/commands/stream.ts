/**
 * `scim stream`: receivers of Security Event Tokens, and the keys that sign them.
 * @module
 */
import {
  createStream,
  PUBLISHED_AHEAD_MS,
  rotateSigningKey,
  rotateStreamToken,
  type ReceiverName,
  type StreamPorts,
} from "@scim/events";
import { streamParts } from "../delivery/parts.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { columns } from "../settings/show.ts";
import type { Settings } from "../settings/table.ts";
import {
  newReceiverFlags,
  overlapFlag,
  type ReceiverFlags,
  runReceiverCommand,
  show,
  showSecret,
  type Work,
} from "./receivers.ts";

/** The flags of `scim stream`, as they were given. */
export interface StreamFlags extends ReceiverFlags {
  readonly audience?: string;
  readonly now?: boolean;
}

const USAGE =
  "Use 'scim stream create --url ADDRESS', 'scim stream create --audience TEXT' for one that is polled, 'scim stream list', " +
  "'keys' or 'rotate-key', or 'scim stream rotate', 'pause', 'enable', 'delete', 'dead' or 'replay' with an id.";

type StreamWork = Work<StreamPorts, StreamFlags>;

/** Runs `scim stream <action>`. */
export async function stream(
  settings: Settings,
  positionals: readonly string[],
  flags: StreamFlags,
): Promise<ExitCode> {
  return runReceiverCommand(
    {
      family: "stream",
      usage: USAGE,
      actions: new Map([
        ["create", create],
        ["keys", keys],
        ["rotate-key", rotateKey],
      ]),
      actionsOnOne: new Map([["rotate", rotate]]),
      partsOf: (opened) => streamParts(settings, opened),
    },
    settings,
    { positionals, flags },
  );
}

async function create({ parts, tenant, flags }: StreamWork): Promise<ExitCode> {
  const { url, audience } = flags;
  if (url === undefined && audience === undefined) throw new CommandFailure(EXIT.usage, USAGE);
  const method = url === undefined ? "poll" : "push";
  const made = await createStream(parts, { tenant, method, url, audience, ...newReceiverFlags(flags) });
  const { receiver, token } = made;
  if (token !== null) showSecret(flags, receiver, token);
  else if (flags.json === true) show({ tenant, id: receiver.id });
  else process.stderr.write(`Stream ${receiver.id} of tenant '${tenant}'.\n`);
  return EXIT.ok;
}

async function rotate({ parts, flags }: StreamWork, name: ReceiverName): Promise<ExitCode> {
  const { receiver, token } = await rotateStreamToken(parts, name, overlapFlag(flags));
  showSecret(flags, receiver, token ?? "");
  return EXIT.ok;
}

async function keys({ parts, flags }: StreamWork): Promise<ExitCode> {
  const all = (await parts.signingKeys.list()).map(({ id, created, signsFrom, retires }) => ({
    id,
    created,
    signsFrom,
    retires,
  }));
  if (flags.json === true) {
    show({ keys: all });
    return EXIT.ok;
  }
  const rows = all.map((key) => [key.id, key.created, key.signsFrom, key.retires ?? "-"]);
  process.stdout.write(`${columns([["id", "created", "signs from", "published until"], ...rows])}\n`);
  return EXIT.ok;
}

async function rotateKey({ parts, flags }: StreamWork): Promise<ExitCode> {
  const { id, signsFrom } = await rotateSigningKey(parts, flags.now === true ? 0 : PUBLISHED_AHEAD_MS);
  process.stderr.write(`Key ${id} is published, and signs from ${signsFrom} on.\n`);
  return EXIT.ok;
}
