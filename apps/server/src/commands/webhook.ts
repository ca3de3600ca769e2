/**
 * `scim webhook`: addresses that are told of a tenant's events by signed requests.
 * @module
 */
import type { Call } from "../command-table/command.ts";
import { lazySender, webhookParts } from "../delivery/parts.ts";
import {
  type WebhookAdministration,
  webhooksAtServer,
  webhooksHere,
} from "../delivery/webhook-administration.ts";
import { EXIT, type ExitCode } from "../failure.ts";
import { confirm } from "../output.ts";
import {
  newReceiverFlags,
  overlapFlag,
  type ReceiverFlags,
  runReceiverCommand,
  showSecret,
  type Work,
} from "./receivers.ts";

type WebhookWork = Work<WebhookAdministration, ReceiverFlags>;

/** Runs `scim webhook <action>`. */
export async function webhook(call: Call<ReceiverFlags>): Promise<ExitCode> {
  const { settings } = call;
  const sender = lazySender(settings);
  try {
    return await runReceiverCommand(
      {
        family: "webhook",
        actions: { create, rotate, test },
        here: ({ opened, actor }, tenant) =>
          webhooksHere({ ...webhookParts(settings, opened, sender.send), actor }, tenant),
        atServer: webhooksAtServer,
      },
      call,
    );
  } finally {
    await sender.close();
  }
}

async function create(work: WebhookWork): Promise<ExitCode> {
  const { receivers, flags } = work;
  return showSecret(work, await receivers.create(flags.to ?? "", newReceiverFlags(flags)));
}

async function rotate(work: WebhookWork, id: string): Promise<ExitCode> {
  return showSecret(work, await work.receivers.rotate(id, overlapFlag(work.flags)));
}

async function test({ receivers, flags }: WebhookWork, id: string): Promise<ExitCode> {
  const verdict = await receivers.test(id);
  const told = verdict.kind === "delivered" ? "The receiver took the message." : verdict.problem;
  confirm(flags, verdict, told);
  return verdict.kind === "delivered" ? EXIT.ok : EXIT.failed;
}
