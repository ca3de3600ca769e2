/**
 * `scim requests`: what clients sent, what they were answered, and what came of it.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import {
  explainRequest,
  readRequestQuery,
  readRunChanges,
  type RequestLogStore,
  type RequestQuery,
  type RequestRun,
  type StoredRequest,
} from "@scim/events";
import { isScimError } from "@scim/schemas";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print, printEach } from "../output.ts";
import { withStore, type OpenedStore } from "../open-store.ts";
import { changeLines, requestLine, requestPage, runTable } from "../requests/show.ts";
import type { Settings } from "../settings/table.ts";
import { tenantFlag } from "./tenant-flag.ts";

/** The flags of `scim requests`, as they were given. */
export interface RequestFlags {
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

const MOST_LISTED = 10_000;

/** Runs `scim requests <action>`. */
export async function requestsCommand(
  settings: Settings,
  [action, id]: readonly string[],
  flags: RequestFlags,
): Promise<ExitCode> {
  const run = actionOf(action, id, flags);
  const tenant = tenantFlag(flags);
  const query = queryOf(flags);
  await withStore(settings, (opened) => run({ opened, settings, tenant, flags, query }));
  return EXIT.ok;
}

interface Asked {
  readonly opened: OpenedStore;
  readonly settings: Settings;
  readonly tenant: string;
  readonly flags: RequestFlags;
  readonly query: RequestQuery;
}

function actionOf(
  action: string | undefined,
  id: string | undefined,
  flags: RequestFlags,
): (asked: Asked) => Promise<void> {
  if (id !== undefined) return (asked) => show(asked, id);
  if (action === "tail") return tail;
  return flags.runs === true ? listRuns : list;
}

function queryOf(flags: RequestFlags): RequestQuery {
  const limit = Number(flags.limit ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_LISTED) {
    throw new CommandFailure(EXIT.usage, `--limit is a whole number from 1 to ${MOST_LISTED}.`);
  }
  try {
    return { ...readRequestQuery(flags, Date.now()), limit };
  } catch (error) {
    if (isScimError(error)) throw new CommandFailure(EXIT.usage, error.message, error);
    throw error;
  }
}

async function list({ opened, tenant, query, flags }: Asked): Promise<void> {
  const found = await opened.store.requests.list(tenant, query);
  // The newest last, where a terminal ends.
  for (const entry of found.toReversed()) printEntry(flags, entry);
}

async function listRuns({ opened, tenant, query, flags }: Asked): Promise<void> {
  const runs = await opened.store.requests.runs(tenant, query);
  print(flags, runs, runTable(runs));
}

async function show(asked: Asked, id: string): Promise<void> {
  const { opened, tenant, flags } = asked;
  const { requests } = opened.store;
  const [run] = await requests.runs(tenant, { run: id, limit: 1 });
  if (run !== undefined) return showRun(asked, run);
  const entry =
    (await requests.find(tenant, id)) ?? (await requests.list(tenant, { requestId: id, limit: 1 }))[0];
  if (entry === undefined) {
    throw new CommandFailure(EXIT.failed, `Tenant '${tenant}' has no request or run '${id}' in its log.`);
  }
  print(flags, withWords(entry), requestPage(entry));
}

async function showRun({ opened, tenant, flags }: Asked, run: RequestRun): Promise<void> {
  const { store, auditKeys, rules } = opened;
  const changes =
    flags.changes === true
      ? await readRunChanges({ ...auditKeys, ...store, catalog: rules.catalogOf }, tenant, run)
      : null;
  if (flags.json === true) {
    print(flags, { ...run, ...(changes === null ? {} : { changes }) }, "");
    return;
  }
  print(flags, run, runTable([run]));
  if (changes !== null) print(flags, changes, changeLines(changes).join("\n"));
  else
    for await (const entry of entriesOf(store.requests, tenant, { run: run.run })) printEntry(flags, entry);
}

const PAGE = 200;

/** Entries from the oldest on. */
async function* entriesOf(
  requests: RequestLogStore,
  tenant: string,
  query: Omit<RequestQuery, "limit">,
): AsyncGenerator<StoredRequest, void, undefined> {
  let after = query.after ?? "";
  for (;;) {
    const page = await requests.list(tenant, { ...query, after, limit: PAGE });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.id ?? after;
  }
}

/** Milliseconds between two looks. */
const LOOK_MS = 500;
/** Milliseconds that are looked at again: what another process logged may come behind what was shown. */
const OVERLAP_MS = 5000;

/** Follows the log until it is interrupted. */
async function tail({ opened, tenant, query, flags }: Asked): Promise<void> {
  const stopping = new AbortController();
  process.once("SIGINT", () => stopping.abort());
  process.once("SIGTERM", () => stopping.abort());
  const first = query.since === undefined ? [] : await opened.store.requests.list(tenant, query);
  let shown = new Map<string, number>();
  for (const entry of first.toReversed()) {
    printEntry(flags, entry);
    shown.set(entry.id, Date.parse(entry.at));
  }
  const start = Date.now();
  while (!stopping.signal.aborted) {
    const since = new Date(Math.max(start, Date.now() - OVERLAP_MS)).toISOString();
    for await (const entry of entriesOf(opened.store.requests, tenant, { ...query, since })) {
      if (shown.has(entry.id)) continue;
      printEntry(flags, entry);
      shown.set(entry.id, Date.parse(entry.at));
    }
    shown = new Map([...shown].filter(([, at]) => at >= Date.now() - 2 * OVERLAP_MS));
    await delay(LOOK_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
}

function printEntry(flags: RequestFlags, entry: StoredRequest): void {
  printEach(flags, withWords(entry), requestLine(entry));
}

function withWords(entry: StoredRequest): StoredRequest & { readonly explained: readonly string[] } {
  return { ...entry, explained: explainRequest(entry) };
}
