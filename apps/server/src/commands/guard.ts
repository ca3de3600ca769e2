/**
 * `scim guard`: the changes that guards of connections hold, listed, released and dismissed.
 * @module
 */
import type { HeldChange, HeldChoice } from "@scim/events";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print } from "../output.ts";
import { withStore, type OpenedStore } from "../open-store.ts";
import { attributeLines } from "../requests/show.ts";
import type { Settings } from "../settings/table.ts";
import { instantNow } from "../sources.ts";
import { tenantFlag } from "./tenant-flag.ts";

/** The flags of `scim guard`, as they were given. */
export interface GuardFlags {
  readonly tenant?: string;
  readonly connection?: string;
  readonly json?: boolean;
}

const MOST_LISTED = 1000;

/** Runs `scim guard <action>`. */
export async function guardCommand(
  settings: Settings,
  [action, id]: readonly string[],
  flags: GuardFlags,
): Promise<ExitCode> {
  const tenant = tenantFlag(flags);
  const run = actionOf(action, id, { ...flags, tenant });
  return withStore(settings, run);
}

type Action = (opened: OpenedStore) => Promise<ExitCode>;

function actionOf(
  action: string | undefined,
  id: string | undefined,
  flags: GuardFlags & { readonly tenant: string },
): Action {
  if (action === "list") return (opened) => list(opened, flags);
  const which = choiceOf(id, flags);
  if (which === null)
    throw new CommandFailure(
      EXIT.usage,
      "Name one held change by its ID, or all of a connection by --connection NAME.",
    );
  return (opened) =>
    decide(opened, { ...flags, which, action: action === "release" ? "release" : "dismiss" });
}

function choiceOf(id: string | undefined, { connection }: GuardFlags): HeldChoice | null {
  if (id === undefined) return connection === undefined ? null : { connection };
  return connection === undefined ? { id } : null;
}

async function list(
  { store }: OpenedStore,
  { tenant, connection, json = false }: GuardFlags & { readonly tenant: string },
): Promise<ExitCode> {
  const held = await store.guard.held(tenant, { connection, limit: MOST_LISTED });
  return print({ json }, held, held.length === 0 ? "Nothing is held." : held.map(heldText).join("\n"));
}

function heldText(change: HeldChange): string {
  const { id, connection, measure, type, resource, first, tries, released, removed } = change;
  const state = released === null ? "held" : "released";
  return [
    `${id}  ${state}  ${connection}  ${measure}  ${type}/${resource}  since ${first}, sent ${tries} times`,
    ...attributeLines(change.changes),
    ...(removed.count === 0 ? [] : [`  ${removed.count} values would go: ${removed.values.join(", ")}`]),
  ].join("\n");
}

interface Decision {
  readonly tenant: string;
  readonly which: HeldChoice;
  readonly action: "release" | "dismiss";
  readonly json?: boolean;
}

async function decide(
  { store }: OpenedStore,
  { tenant, which, action, json = false }: Decision,
): Promise<ExitCode> {
  const decision = { actor: { command: `scim guard ${action}` }, at: instantNow() };
  const count = await store.guard[action](tenant, which, decision);
  if (count === 0)
    throw new CommandFailure(EXIT.failed, "Nothing is held there; 'scim guard list' shows what is.");
  const words = action === "release" ? "let pass when sent again" : "forgotten";
  return print(
    { json },
    { [action === "release" ? "released" : "dismissed"]: count },
    `${count} held changes ${words}.`,
  );
}
