/**
 * The commands that tell what happened: `requests`, `case`, `profile`, `guard`, `audit`, `events`.
 * @module
 */
import type { AuditFlags } from "../../commands/audit.ts";
import type { CaseFlags } from "../../commands/case.ts";
import type { EventFlags } from "../../commands/events.ts";
import type { GuardFlags } from "../../commands/guard.ts";
import type { ProfileFlags } from "../../commands/profile.ts";
import type { RequestFlags } from "../../commands/requests.ts";
import type { ExitCode } from "../../failure.ts";
import { PROFILES } from "@scim/core";
import {
  ONE_CONNECTION,
  OR_SERVER,
  SINCE_INSTANT,
  SINCE_POSITION,
  TENANT,
  needed,
  text,
  toggle,
  type FlagTable,
  type Operand,
} from "../arguments.ts";
import { action, example, type Call, type Command } from "../command.ts";

const runRequests = async (call: Call<RequestFlags>): Promise<ExitCode> =>
  (await import("../../commands/requests.ts")).requestsCommand(call);

const REQUEST_FLAGS = {
  connection: ONE_CONNECTION,
  run: text("ID", "of this run alone"),
  status: text("STATUS", "status of the answer, such as 404, or one of these", {
    offers: ["failed", "2xx", "4xx", "5xx"],
  }),
  since: SINCE_INSTANT,
  limit: text("N", "how many at most; default 50"),
  tenant: TENANT,
  ...OR_SERVER,
} satisfies FlagTable;

/** `scim requests`. */
export const REQUESTS: Command = {
  name: "requests",
  does: "what clients sent, what they were answered, and why; redacted",
  actions: [
    action({
      name: "list",
      does: "list requests, the newest last",
      flags: { ...REQUEST_FLAGS, runs: toggle("list runs: requests without a long pause between them") },
      json: "lines",
      run: runRequests,
    }),
    action({
      name: "show",
      does: "show one request, or a run",
      operands: [{ name: "ID", does: "id of the entry, of the request, or of the run" }],
      flags: { changes: toggle("what the run changed, before and after"), tenant: TENANT, ...OR_SERVER },
      run: runRequests,
    }),
    action({
      name: "tail",
      does: "follow the log until it is interrupted",
      flags: REQUEST_FLAGS,
      json: "lines",
      run: runRequests,
    }),
  ],
  examples: [
    example("scim requests list --connection okta --status failed --since 12h", "what went wrong?"),
    example("scim requests tail --tenant acme"),
    example("scim requests show 0199…", "which rule failed, and what to change"),
  ],
};

const runCase = async (call: Call<CaseFlags>): Promise<ExitCode> =>
  (await import("../../commands/case.ts")).caseCommand(call);

/** `scim case`. */
export const CASE: Command = {
  name: "case",
  does: "one request of the log as a file that can be sent again",
  actions: [
    action({
      name: "export",
      does: "write a request without values of persons, with all it needs to be sent again",
      operands: [
        { name: "ID", does: "id of the entry, or of the request" },
        { name: "FILE", does: "where it goes; default standard output", optional: true, offers: "file" },
      ],
      flags: { tenant: TENANT, ...OR_SERVER },
      run: runCase,
    }),
    action({
      name: "run",
      does: "send it to a new service in memory; 1 where the answer is another",
      operands: [{ name: "FILE", does: "a case, as export makes it; - is standard input", offers: "file" }],
      settings: "none",
      run: runCase,
    }),
  ],
  examples: [example("scim case export 0199… case.json && scim case run case.json")],
};

const runProfile = async (call: Call<ProfileFlags>): Promise<ExitCode> =>
  (await import("../../commands/profile.ts")).profileCommand(call);

const PROFILE: Operand = { name: "NAME", does: "name of the profile", offers: Object.keys(PROFILES) };

/** `scim profile`. */
export const PROFILE_COMMAND: Command = {
  name: "profile",
  does: "the profiles, and what another one would change for a connection",
  actions: [
    action({ name: "list", does: "list the profiles", settings: "none", run: runProfile }),
    action({
      name: "show",
      does: "show the switches of a profile",
      operands: [PROFILE],
      settings: "none",
      run: runProfile,
    }),
    action({
      name: "diff",
      does: "list the answers of a log that another profile would change; 1 where one would, or was not compared",
      operands: [
        { ...PROFILE, name: "OLD", does: "such as entra, or entra,-bare-token" },
        { ...PROFILE, name: "NEW", does: "the same, to compare it with" },
      ],
      flags: {
        connection: needed("NAME", "whose requests are sent"),
        since: SINCE_INSTANT,
        limit: text("N", "how many at most; default the last 1000"),
        tenant: TENANT,
        ...OR_SERVER,
      },
      run: async (call) => (await import("../../commands/profile.ts")).profileDiff(call),
    }),
  ],
  examples: [
    example("scim profile show entra"),
    example("scim profile diff tolerant entra --connection okta --tenant acme", "may it be changed?"),
  ],
};

const runGuard = async (call: Call<GuardFlags>): Promise<ExitCode> =>
  (await import("../../commands/guard.ts")).guardCommand(call);

const HELD: Operand = { name: "ID", does: "id of the held change; or all of a --connection", optional: true };
const HELD_FLAGS = {
  connection: text("NAME", "all of this connection"),
  tenant: TENANT,
  ...OR_SERVER,
} satisfies FlagTable;

/** `scim guard`. */
export const GUARD: Command = {
  name: "guard",
  does: "mass changes that the guard of a connection holds",
  actions: [
    action({
      name: "list",
      does: "list what is held, with what it would change",
      flags: { connection: ONE_CONNECTION, tenant: TENANT, ...OR_SERVER },
      run: runGuard,
    }),
    action({
      name: "release",
      does: "let it pass when it is sent again",
      operands: [HELD],
      flags: HELD_FLAGS,
      run: runGuard,
    }),
    action({ name: "dismiss", does: "forget it", operands: [HELD], flags: HELD_FLAGS, run: runGuard }),
  ],
  examples: [
    example("scim guard list --tenant acme"),
    example("scim guard release --connection okta --tenant acme", "the mass change was meant"),
  ],
};

const runAudit = async (call: Call<AuditFlags>): Promise<ExitCode> =>
  (await import("../../commands/audit.ts")).auditCommand(call);

const SINCE = { since: SINCE_POSITION, tenant: TENANT, ...OR_SERVER } satisfies FlagTable;

/** `scim audit`. */
export const AUDIT: Command = {
  name: "audit",
  does: "who changed what, in a chain that can be verified",
  actions: [
    action({
      name: "list",
      does: "show the last 100 entries, or those that are looked for, or behind a position",
      flags: {
        limit: text("N", "how many at most; default 100"),
        from: text(
          "WHEN",
          "of this time or later: 15m, 12h, 7d back, or an instant such as 2027-01-01T00:00:00Z",
        ),
        until: text("WHEN", "of before this time"),
        type: text("NAME", "of resources of this type"),
        id: text("ID", "of one resource, together with --type"),
        kind: text("KIND", "of one kind of change", {
          offers: ["created", "replaced", "patched", "deleted"],
        }),
        connection: ONE_CONNECTION,
        credential: text("ID", "made with this credential"),
        subject: text("ID", "made by this resource, as /Me"),
        admin: text("NAME", "made by this administrator"),
        command: text("COMMAND", "made by this command, such as 'scim import'"),
        request: text("ID", "made by this request"),
        ...SINCE,
      },
      run: runAudit,
    }),
    action({
      name: "verify",
      does: "go through the chain; 1 where something is wrong",
      flags: SINCE,
      run: runAudit,
    }),
    action({
      name: "export",
      does: "write entries and checkpoints as JSON lines",
      operands: [
        { name: "FILE", does: "a new file; default standard output", optional: true, offers: "file" },
      ],
      flags: SINCE,
      json: "as it is",
      run: runAudit,
    }),
  ],
  examples: [
    example("scim audit verify --tenant acme", "each night: its exit code says so"),
    example("scim audit list --tenant acme --type User --id 0199…", "what became of this user?"),
    example("scim audit list --tenant admin --admin anna --from 7d", "what did she do this week?"),
  ],
};

const runEvents = async (call: Call<EventFlags>): Promise<ExitCode> =>
  (await import("../../commands/events.ts")).eventsCommand(call);

/** `scim events`. */
export const EVENTS: Command = {
  name: "events",
  does: "what happened to resources",
  actions: [
    action({
      name: "list",
      does: "show the last 100 events, or those behind a position",
      flags: { limit: text("N", "how many at most"), ...SINCE },
      run: runEvents,
    }),
    action({
      name: "follow",
      does: "show events as they happen, until it is interrupted",
      flags: SINCE,
      json: "lines",
      run: runEvents,
    }),
  ],
  examples: [example("scim events follow --tenant acme --json | jq .kind")],
};
