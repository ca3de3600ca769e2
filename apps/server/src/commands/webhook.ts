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
import { EXIT, type ExitCode } from "../failure.ts";
import { confirm } from "../output.ts";
import type { Settings } from "../settings/table.ts";
import {
  newReceiverFlags,
  overlapFlag,
  type ReceiverFlags,
  runReceiverCommand,
  showSecret,
  type Work,
} from "./receivers.ts";

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
  const { url = "" } = flags;
  const made = await createWebhook(parts, { tenant, url, ...newReceiverFlags(flags) });
  return showSecret(flags, made.receiver, made.secret);
}

async function rotate({ parts, flags }: WebhookWork, name: ReceiverName): Promise<ExitCode> {
  const { receiver, secret } = await rotateWebhookSecret(parts, name, overlapFlag(flags));
  return showSecret(flags, receiver, secret);
}

async function test({ parts, flags }: WebhookWork, name: ReceiverName): Promise<ExitCode> {
  const verdict = await testWebhook(parts, name);
  const told = verdict.kind === "delivered" ? "The receiver took the message." : verdict.problem;
  confirm(flags, verdict, told);
  return verdict.kind === "delivered" ? EXIT.ok : EXIT.failed;
}
