/**
 * The commands of receivers of events: `webhook` and `stream`.
 * @module
 */
import type { ReceiverFlags } from "../../commands/receivers.ts";
import type { StreamFlags } from "../../commands/stream.ts";
import type { ExitCode } from "../../failure.ts";
import { OR_SERVER, TENANT, needed, text, toggle, type FlagTable, type Operand } from "../arguments.ts";
import { action, example, type Action, type Call, type Command } from "../command.ts";

const ID: Operand = { name: "ID", does: "its id, as the list has it" };

const NEW_RECEIVER = {
  types: text("LIST", "which events: User, User.deleted, *.deleted, separated by commas; default all"),
  payload: text("NAME", "reference (default): no values of persons; or full", {
    offers: ["reference", "full"],
  }),
  since: text("POSITION", "begin behind a position; default with what happens next"),
  tenant: TENANT,
  ...OR_SERVER,
} satisfies FlagTable;

const ROTATION = {
  overlap: text("HOURS", "how long the old one stays good, 24 where nothing is said"),
  tenant: TENANT,
  ...OR_SERVER,
} satisfies FlagTable;

type Run = (call: Call<StreamFlags>) => Promise<ExitCode>;

/** What both kinds of receivers have. */
function shared(noun: string, run: Run): readonly Action[] {
  const flags = { tenant: TENANT, ...OR_SERVER };
  const operands = [ID];
  return [
    action({ name: "list", does: `list ${noun}s, how far each is, and what failed`, flags, run }),
    action({ name: "pause", does: `send nothing to a ${noun} for now`, operands, flags, run }),
    action({ name: "enable", does: `go on with a ${noun} that was paused or failed`, operands, flags, run }),
    action({ name: "delete", does: `delete a ${noun}`, operands, flags, run }),
    action({
      name: "dead",
      does: "list what was given up",
      operands,
      flags: { since: text("POSITION", "what lies behind a position"), ...flags },
      run,
    }),
    action({
      name: "replay",
      does: "deliver again what was given up",
      operands,
      flags: {
        positions: text("LIST", "those of positions, separated by commas; default all"),
        since: text("POSITION", "everything behind a position instead"),
        ...flags,
      },
      run,
    }),
    action({
      name: "drop",
      does: "forget what was given up: it is not delivered again",
      operands,
      flags: { positions: text("LIST", "those of positions, separated by commas; default all"), ...flags },
      run,
    }),
  ];
}

const runWebhook = async (call: Call<ReceiverFlags>): Promise<ExitCode> =>
  (await import("../../commands/webhook.ts")).webhook(call);

/** `scim webhook`. */
export const WEBHOOKS: Command = {
  name: "webhook",
  does: "addresses that are told of a tenant's events by signed requests",
  actions: [
    action({
      name: "create",
      does: "tell an address of events; its secret is shown once",
      begins: true,
      flags: { to: needed("ADDRESS", "an https address"), ...NEW_RECEIVER },
      run: async (call) => (await import("../../commands/webhook.ts")).createWebhookCommand(call),
    }),
    ...shared("webhook", runWebhook),
    action({
      name: "rotate",
      does: "make a new secret",
      operands: [ID],
      flags: ROTATION,
      run: runWebhook,
    }),
    action({
      name: "test",
      does: "send a message that tries it out; 1 where it is not taken",
      operands: [ID],
      flags: { tenant: TENANT, ...OR_SERVER },
      run: runWebhook,
    }),
  ],
  examples: [
    example("scim webhook create --to https://hooks.example.com/scim --types User,Group.deleted"),
    example("scim webhook test 0199…", "does it answer?"),
    example("scim webhook list", "what waits, and what failed?"),
    example("scim webhook dead 0199… && scim webhook replay 0199…"),
  ],
};

const runStream: Run = async (call) => (await import("../../commands/stream.ts")).stream(call);

/** `scim stream`. */
export const STREAMS: Command = {
  name: "stream",
  does: "receivers of Security Event Tokens, and the keys that sign them",
  actions: [
    action({
      name: "create",
      does: "send tokens to an address, or let them be asked for where --audience stands alone",
      begins: true,
      flags: {
        to: text("ADDRESS", "where tokens are pushed to"),
        audience: text("TEXT", "whom the tokens are for"),
        ...NEW_RECEIVER,
      },
      run: runStream,
    }),
    ...shared("stream", runStream),
    action({
      name: "rotate",
      does: "make a new token of a stream that is polled",
      operands: [ID],
      flags: ROTATION,
      run: runStream,
    }),
    action({ name: "keys", does: "list the keys that sign tokens", flags: OR_SERVER, run: runStream }),
    action({
      name: "rotate-key",
      does: "publish a new key, which signs later",
      flags: { now: toggle("it signs at once: the old one must not be used any more"), ...OR_SERVER },
      run: runStream,
    }),
  ],
  examples: [
    example(
      "scim stream create --to https://receiver.example.com/events --audience https://receiver.example.com",
    ),
    example(
      "scim stream create --audience https://receiver.example.com",
      "asked for; prints the token that polls it",
    ),
    example("scim stream rotate-key --now", "the key that signs must not be used any more"),
  ],
};
