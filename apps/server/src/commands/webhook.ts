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
  type ReceiverCommand,
  type ReceiverFlags,
  runReceiverCommand,
  showSecret,
  type Work,
} from "./receivers.ts";

/** The flags of `scim webhook create`. */
export type NewWebhookFlags = ReceiverFlags & Required<Pick<ReceiverFlags, "to">>;

type WebhookWork = Work<WebhookAdministration, ReceiverFlags>;
type Actions<Flags> = ReceiverCommand<WebhookAdministration, Flags>["actions"];

/** Runs `scim webhook create`. */
export async function createWebhookCommand(call: Call<NewWebhookFlags>): Promise<ExitCode> {
  return run(call, { create });
}

/** Runs every other `scim webhook <action>`. */
export async function webhook(call: Call<ReceiverFlags>): Promise<ExitCode> {
  return run(call, { rotate, test });
}

async function run<Flags extends ReceiverFlags>(
  call: Call<Flags>,
  actions: Actions<Flags>,
): Promise<ExitCode> {
  const { settings } = call;
  const sender = lazySender(settings);
  try {
    return await runReceiverCommand(
      {
        family: "webhook",
        actions,
        here: ({ opened, actor }, tenant) =>
          webhooksHere(
            { ...webhookParts(settings, opened, sender.send), catalog: opened.rules.catalogOf, actor },
            tenant,
          ),
        atServer: webhooksAtServer,
      },
      call,
    );
  } finally {
    await sender.close();
  }
}

async function create(work: Work<WebhookAdministration, NewWebhookFlags>): Promise<ExitCode> {
  const { receivers, flags } = work;
  return showSecret(work, await receivers.create(flags.to, newReceiverFlags(flags)));
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
