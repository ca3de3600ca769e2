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
import { confirm, print } from "../output.ts";
import { columns } from "../settings/show.ts";
import type { Settings } from "../settings/table.ts";
import {
  newReceiverFlags,
  overlapFlag,
  type ReceiverFlags,
  runReceiverCommand,
  showSecret,
  type Work,
} from "./receivers.ts";

/** The flags of `scim stream`, as they were given. */
export interface StreamFlags extends ReceiverFlags {
  readonly audience?: string;
  readonly now?: boolean;
}

const NOBODY =
  "Use 'scim stream create --url ADDRESS', or 'scim stream create --audience TEXT' for one that is polled.";

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
  if (url === undefined && audience === undefined) throw new CommandFailure(EXIT.usage, NOBODY);
  const method = url === undefined ? "poll" : "push";
  const made = await createStream(parts, { tenant, method, url, audience, ...newReceiverFlags(flags) });
  const { receiver, token } = made;
  if (token !== null) return showSecret(flags, receiver, token);
  return confirm(flags, { tenant, id: receiver.id }, `Stream ${receiver.id} of tenant '${tenant}'.`);
}

async function rotate({ parts, flags }: StreamWork, name: ReceiverName): Promise<ExitCode> {
  const { receiver, token } = await rotateStreamToken(parts, name, overlapFlag(flags));
  return showSecret(flags, receiver, token ?? "");
}

async function keys({ parts, flags }: StreamWork): Promise<ExitCode> {
  const all = (await parts.signingKeys.list()).map(({ id, created, signsFrom, retires }) => ({
    id,
    created,
    signsFrom,
    retires,
  }));
  const rows = all.map((key) => [key.id, key.created, key.signsFrom, key.retires ?? "-"]);
  const heads = ["id", "created", "signs from", "published until"];
  return print(flags, { keys: all }, columns([heads, ...rows]));
}

async function rotateKey({ parts, flags }: StreamWork): Promise<ExitCode> {
  const { id, signsFrom } = await rotateSigningKey(parts, flags.now === true ? 0 : PUBLISHED_AHEAD_MS);
  return confirm(flags, { id, signsFrom }, `Key ${id} is published, and signs from ${signsFrom} on.`);
}
