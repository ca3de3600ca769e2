/**
 * `scim requests`: what clients sent, what they were answered, and what came of it.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import {
  readRequestQuery,
  type RequestQuery,
  type RequestRun,
  type RunChange,
  type RunChangesPage,
  type StoredRequest,
} from "@scim/events";
import { onServerOr, type ServerFlags } from "../administration/administer.ts";
import type { Call } from "../command-table/command.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print, printEach } from "../output.ts";
import { withStore } from "../store/open-store.ts";
import {
  requestNamed,
  type RequestReading,
  requestsAtServer,
  requestsHere,
} from "../requests/request-reading.ts";
import { explained } from "../requests/explained-page.ts";
import { entriesOf, FollowedRequests } from "../requests/followed-requests.ts";
import { changeLines, requestLine, requestPage, runTable } from "../requests/show.ts";
import { stoppable } from "../stop-on-signals.ts";
import { tenantFlag } from "./tenant-flag.ts";
import { limitFlag } from "./page-flags.ts";

/** The flags of `scim requests`, as they were given. */
export interface RequestFlags extends ServerFlags {
  readonly tenant?: string;
  readonly connection?: string;
  readonly status?: string;
  readonly run?: string;
  readonly since?: string;
  readonly limit?: string;
  readonly runs?: boolean;
  readonly changes?: boolean;
  readonly json?: boolean;
}

/** Entries, or runs, that are listed where `--limit` does not say. */
const LISTED = 50;
const MOST_LISTED = 10_000;

/** Runs `scim requests <action>`. */
export async function requestsCommand(call: Call<RequestFlags>): Promise<ExitCode> {
  const { settings, positionals, flags } = call;
  const [action, id] = positionals;
  const run = actionOf(action, id, flags);
  const asked = { tenant: tenantFlag(flags), flags, query: queryOf(flags) };
  await onServerOr(
    call,
    (admin) => run({ ...asked, requests: requestsAtServer(admin) }),
    () =>
      withStore({ settings, tenant: asked.tenant }, (opened) =>
        run({ ...asked, requests: requestsHere(settings, opened) }),
      ),
  );
  return EXIT.ok;
}

interface Asked {
  readonly requests: RequestReading;
  readonly tenant: string;
  readonly flags: RequestFlags;
  readonly query: RequestQuery;
}

function actionOf(
  action: string | undefined,
  id: string | undefined,
  flags: RequestFlags,
): (asked: Asked) => Promise<void> {
  if (flags.runs === true && flags.status !== undefined)
    throw new CommandFailure(
      EXIT.usage,
      "--status goes with requests, not with --runs: a run has many answers.",
    );
  if (id !== undefined) return (asked) => show(asked, id);
  if (action === "tail") return (asked) => stoppable((signal) => tail(asked, signal));
  return flags.runs === true ? listRuns : list;
}

function queryOf(flags: RequestFlags): RequestQuery {
  return { ...readRequestQuery(flags, Date.now()), limit: limitFlag(flags, LISTED, MOST_LISTED) };
}

async function list(asked: Asked): Promise<void> {
  const { requests, tenant, query, flags } = asked;
  const found = await requests.list(tenant, query);
  if (found.length === 0) await requireNamed(asked);
  // The newest last, where a terminal ends.
  for (const entry of found.toReversed()) printEntry(flags, entry);
}

async function listRuns(asked: Asked): Promise<void> {
  const { requests, tenant, query, flags } = asked;
  const runs = await requests.runs(tenant, query);
  if (runs.length === 0) await requireNamed(asked);
  if (flags.json === true) for (const run of runs) printEach(flags, run, "");
  else print(flags, runs, runTable(runs));
}

/** Requires what is named where nothing was found of it. Of a connection that was deleted, the log holds what it did for a time. */
async function requireNamed({ requests, tenant, flags: { connection, run } }: Asked): Promise<void> {
  if (connection !== undefined) await requests.requireConnection({ tenant, connection });
  if (run === undefined || (await requests.runs(tenant, { run, limit: 1 })).length > 0) return;
  throw new CommandFailure(EXIT.failed, `Tenant '${tenant}' has no run '${run}' in its log.`);
}

async function show(asked: Asked, id: string): Promise<void> {
  const { requests, tenant, flags } = asked;
  const [run] = await requests.runs(tenant, { run: id, limit: 1 });
  if (run !== undefined) return showRun(asked, run);
  const entry = await requestNamed(requests, tenant, id);
  if (entry === null) {
    throw new CommandFailure(EXIT.failed, `Tenant '${tenant}' has no request or run '${id}' in its log.`);
  }
  print(flags, explained(entry), requestPage(entry));
}

async function showRun({ requests, tenant, flags }: Asked, run: RequestRun): Promise<void> {
  const changes = flags.changes === true ? changesOf(requests, tenant, run) : null;
  if (flags.json === true) {
    const told: RunChange[] = [];
    for await (const page of changes ?? []) told.push(...page);
    print(flags, { ...run, ...(changes === null ? {} : { changes: told }) }, "");
    return;
  }
  print(flags, run, runTable([run]));
  if (changes === null) {
    for await (const entry of entriesOf(requests, tenant, { run: run.run })) printEntry(flags, entry);
    return;
  }
  let isNothing = true;
  for await (const page of changes) {
    if (page.length > 0) print(flags, page, changeLines(page).join("\n"));
    isNothing &&= page.length === 0;
  }
  if (isNothing) print(flags, [], NO_CHANGES);
}

const NO_CHANGES = "\nThe run changed nothing, or its events are not kept any more.";

/** Changes that are read at once. */
const CHANGES_PAGE = 500;

/** What a run changed, page by page. */
async function* changesOf(
  requests: RequestReading,
  tenant: string,
  run: RequestRun,
): AsyncGenerator<readonly RunChange[], void, undefined> {
  for (let since: number | null = null; ;) {
    const page: RunChangesPage = await requests.changesOf(tenant, { run, since, limit: CHANGES_PAGE });
    yield page.changes;
    if (!page.more) return;
    since = page.next;
  }
}

/** Milliseconds between two looks. */
const LOOK_MS = 500;

/** Follows the log until it is interrupted. */
async function tail(asked: Asked, signal: AbortSignal): Promise<void> {
  const { requests, query, flags } = asked;
  const { log, there } = await FollowedRequests.begin(asked);
  if (there.length === 0) await requireNamed(asked);
  // What is there already is shown where it was asked for, and never again.
  if (query.since !== undefined) for (const entry of there.toReversed()) printEntry(flags, entry);
  while (!signal.aborted) {
    try {
      for await (const entry of log.look()) printEntry(flags, entry);
    } catch (cause) {
      // Whoever follows goes on behind a restart of the server.
      if (!requests.isAway(cause)) throw cause;
    }
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

function printEntry(flags: RequestFlags, entry: StoredRequest): void {
  printEach(flags, explained(entry), requestLine(entry));
}
