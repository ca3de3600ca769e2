/**
 * `scim webhook`: addresses that are told of a tenant's events by signed requests.
 * @module
 */
import {
  createWebhook,
  rotateWebhookSecret,
  testWebhook,
  type ReceiverName,
  type WebhookTest,
} from "@scim/events";
import { lazySender, webhookParts } from "../delivery/parts.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
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

const USAGE =
  "Use 'scim webhook create --url ADDRESS', 'scim webhook list', or 'scim webhook rotate', 'test', 'pause', 'enable', " +
  "'delete', 'dead' or 'replay' with an id.";

type WebhookWork = Work<WebhookTest, ReceiverFlags>;

/** Runs `scim webhook <action>`. */
export async function webhook(
  settings: Settings,
  positionals: readonly string[],
  flags: ReceiverFlags,
): Promise<ExitCode> {
  const sender = lazySender(settings);
  try {
    return await runReceiverCommand(
      {
        family: "webhook",
        usage: USAGE,
        actions: new Map([["create", create]]),
        actionsOnOne: new Map([
          ["rotate", rotate],
          ["test", test],
        ]),
        partsOf: (opened) => webhookParts(settings, opened, sender.send),
      },
      settings,
      { positionals, flags },
    );
  } finally {
    await sender.close();
  }
}

async function create({ parts, tenant, flags }: WebhookWork): Promise<ExitCode> {
  const { url } = flags;
  if (url === undefined) throw new CommandFailure(EXIT.usage, USAGE);
  const made = await createWebhook(parts, { tenant, url, ...newReceiverFlags(flags) });
  showSecret(flags, made.receiver, made.secret);
  return EXIT.ok;
}

async function rotate({ parts, flags }: WebhookWork, name: ReceiverName): Promise<ExitCode> {
  const { receiver, secret } = await rotateWebhookSecret(parts, name, overlapFlag(flags));
  showSecret(flags, receiver, secret);
  return EXIT.ok;
}

async function test({ parts, flags }: WebhookWork, name: ReceiverName): Promise<ExitCode> {
  const verdict = await testWebhook(parts, name);
  if (flags.json === true) show(verdict);
  else if (verdict.kind === "delivered") process.stderr.write("The receiver took the message.\n");
  else process.stderr.write(`${verdict.problem}\n`);
  return verdict.kind === "delivered" ? EXIT.ok : EXIT.failed;
}
