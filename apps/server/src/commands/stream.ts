/**
 * `scim stream`: receivers of Security Event Tokens, and the keys that sign them.
 * @module
 */
import type { Call } from "../command-table/command.ts";
import { streamParts } from "../delivery/parts.ts";
import {
  type StreamAdministration,
  streamsAtServer,
  streamsHere,
} from "../delivery/stream-administration.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { confirm, print } from "../output.ts";
import { noticesMember, tellNotices } from "../schemas/missing-types.ts";
import { columns } from "../columns.ts";
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
  "Use 'scim stream create --to ADDRESS', or 'scim stream create --audience TEXT' for one that is polled.";

type StreamWork = Work<StreamAdministration, StreamFlags>;

/** Runs `scim stream <action>`. */
export async function stream(call: Call<StreamFlags>): Promise<ExitCode> {
  const { positionals, flags } = call;
  if (positionals[0] === "create" && flags.to === undefined && flags.audience === undefined)
    throw new CommandFailure(EXIT.usage, NOBODY);
  return runReceiverCommand(
    {
      family: "stream",
      actions: { create, rotate, keys, "rotate-key": rotateKey },
      here: ({ opened, actor }, tenant) =>
        streamsHere(
          { ...streamParts(call.settings, opened), catalog: opened.rules.catalogOf, actor },
          tenant,
        ),
      atServer: streamsAtServer,
    },
    call,
  );
}

async function create(work: StreamWork): Promise<ExitCode> {
  const { receivers, tenant, flags } = work;
  const { to: url, audience } = flags;
  const method = url === undefined ? "poll" : "push";
  const made = await receivers.create({ method, url, audience, ...newReceiverFlags(flags) });
  if (made.secret !== null) return showSecret(work, made);
  tellNotices(flags, made.notices);
  return confirm(
    flags,
    { tenant, id: made.id, ...noticesMember(made.notices) },
    `Stream ${made.id} of tenant '${tenant}'.`,
  );
}

async function rotate(work: StreamWork, id: string): Promise<ExitCode> {
  return showSecret(work, await work.receivers.rotate(id, overlapFlag(work.flags)));
}

async function keys({ receivers, flags }: StreamWork): Promise<ExitCode> {
  const all = await receivers.keys();
  const rows = all.map((key) => [key.id, key.created, key.signsFrom, key.retires ?? "-"]);
  const heads = ["id", "created", "signs from", "published until"];
  return print(flags, { keys: all }, columns([heads, ...rows]));
}

async function rotateKey({ receivers, flags }: StreamWork): Promise<ExitCode> {
  const { id, signsFrom } = await receivers.rotateKey(flags.now === true);
  return confirm(flags, { id, signsFrom }, `Key ${id} is published, and signs from ${signsFrom} on.`);
}
