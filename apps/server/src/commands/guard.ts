/**
 * `scim guard`: the changes that guards of connections hold, listed, released and dismissed.
 * @module
 */
import type { HeldChange, HeldChoice } from "@scim/events";
import { onServerOr, type ServerFlags } from "../administration/administer.ts";
import { requireConnectionAt } from "../administration/connections.ts";
import { decideHeld, type HeldDecision } from "../administration/held-changes.ts";
import { requireKnownConnection } from "../administration/known-tenant.ts";
import type { Call } from "../command-table/command.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print } from "../output.ts";
import { counted } from "../progress/progress.ts";
import { withStore, type OpenedStore } from "../store/open-store.ts";
import { allTypedOf } from "../remote/admin-pages.ts";
import { type AdminClient, at } from "../remote/admin-requests.ts";
import { attributeLines } from "../requests/show.ts";
import { instantNow } from "../sources.ts";
import { tenantFlag } from "./tenant-flag.ts";

/** The flags of `scim guard`, as they were given. */
export interface GuardFlags extends ServerFlags {
  readonly tenant?: string;
  readonly connection?: string;
  readonly json?: boolean;
}

/** What a command does with the changes that are held in a tenant. */
interface Held {
  /**
   * Requires that a connection is there of which nothing is held.
   * @throws CommandFailure; TenancyError `notFound`
   */
  requireConnection(connection: string): Promise<void>;
  list(connection: string | undefined): Promise<readonly HeldChange[]>;
  /** Resolves to how many it was. */
  decide(how: HeldDecision, which: HeldChoice): Promise<number>;
}

/** Held changes that are read at once. */
const READ_AT_ONCE = 1000;

/** Runs `scim guard <action>`. */
export async function guardCommand(call: Call<GuardFlags>): Promise<ExitCode> {
  const { settings, positionals, flags } = call;
  const tenant = tenantFlag(flags);
  const run = actionOf(positionals, flags);
  return onServerOr(
    call,
    (admin) => run(heldAtServer(admin, tenant)),
    () => withStore({ settings, tenant }, (opened) => run(heldHere(opened, tenant))),
  );
}

function heldHere({ store }: OpenedStore, tenant: string): Held {
  const { guard } = store;
  return {
    requireConnection: (connection) => requireKnownConnection(store, { tenant, connection }),
    list: async (connection) => {
      const all: HeldChange[] = [];
      for (;;) {
        const page = await guard.held(tenant, { connection, after: all.at(-1)?.id, limit: READ_AT_ONCE });
        all.push(...page);
        if (page.length < READ_AT_ONCE) return all;
      }
    },
    decide: (how, which) => {
      const decision = { actor: { command: `scim guard ${how}` }, at: instantNow() };
      return decideHeld(store, { tenant, how, which, decision });
    },
  };
}

const HELD = ["id", "connection", "measure", "type", "resource", "changes", "removed", "released"] as const;

function heldAtServer(admin: AdminClient, tenant: string): Held {
  const path = at`/tenants/${tenant}/guard`;
  return {
    requireConnection: (connection) => requireConnectionAt(admin, { tenant, connection }),
    list: (connection) => allTypedOf<HeldChange>(admin, { path, name: "held", query: { connection } }, HELD),
    decide: async (how, which) => {
      const done = DONE[how];
      const request = {
        method: "POST",
        path: `${path}/${how}`,
        body: { ...which },
        answers: [done],
      } as const;
      return Number((await admin.send(request))[done]);
    },
  };
}

const DONE = { release: "released", dismiss: "dismissed" } as const satisfies Record<HeldDecision, string>;

function actionOf([action, id]: readonly string[], flags: GuardFlags): (held: Held) => Promise<ExitCode> {
  if (action === "list") return (held) => list(held, flags);
  const which = choiceOf(id, flags);
  if (which === null)
    throw new CommandFailure(
      EXIT.usage,
      "Name one held change by its ID, or all of a connection by --connection NAME.",
    );
  return (held) => decide(held, { which, how: action === "release" ? "release" : "dismiss", flags });
}

function choiceOf(id: string | undefined, { connection }: GuardFlags): HeldChoice | null {
  if (id === undefined) return connection === undefined ? null : { connection };
  return connection === undefined ? { id } : null;
}

async function list(changes: Held, flags: GuardFlags): Promise<ExitCode> {
  const held = await changes.list(flags.connection);
  if (held.length === 0 && flags.connection !== undefined) await changes.requireConnection(flags.connection);
  return print(flags, { held }, held.length === 0 ? "Nothing is held." : held.map(heldText).join("\n"));
}

function heldText(change: HeldChange): string {
  const { id, connection, measure, type, resource, first, tries, released, removed } = change;
  const state = released === null ? "held" : "released";
  return [
    `${id}  ${state}  ${connection}  ${measure}  ${type}/${resource}  since ${first}, sent ${counted(tries, "time")}`,
    ...attributeLines(change.changes),
    ...(removed.count === 0
      ? []
      : [`  ${counted(removed.count, "value")} would go: ${removed.values.join(", ")}`]),
  ].join("\n");
}

interface Decided {
  readonly which: HeldChoice;
  readonly how: HeldDecision;
  readonly flags: GuardFlags;
}

const NOTHING_HELD = "Nothing is held there that waits for a decision; 'scim guard list' shows what is.";

async function decide(held: Held, { which, how, flags }: Decided): Promise<ExitCode> {
  const count = await held.decide(how, which);
  if (count === 0) {
    const told = "id" in which ? "It is released already, and passes when it is sent again." : NOTHING_HELD;
    throw new CommandFailure(EXIT.failed, told);
  }
  const words = how === "release" ? "let pass when sent again" : "forgotten";
  return print(flags, { [DONE[how]]: count }, `${counted(count, "held change")} ${words}.`);
}
