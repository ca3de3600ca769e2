/**
 * `scim profile`: the profiles, what is in them, and what another one would change for a connection.
 * @module
 */
import type { Profile, SwitchName } from "@scim/core";
import { readRequestQuery, type RequestQuery } from "@scim/events";
import { onServerOr, type ServerFlags } from "../administration/administer.ts";
import { listedProfiles, shownProfile } from "../administration/shown-profiles.ts";
import type { Call } from "../command-table/command.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print } from "../output.ts";
import { withStore } from "../store/open-store.ts";
import { counted, startProgress } from "../progress/progress.ts";
import {
  compareProfiles,
  incomparable,
  type ComparedRequest,
  type ProfileCases,
  type ProfilePair,
} from "../requests/compare-profiles.ts";
import { namedProfile } from "../requests/named-profile.ts";
import { type RequestReading, requestsAtServer, requestsHere } from "../requests/request-reading.ts";
import { columns } from "../columns.ts";
import { tenantFlag } from "./tenant-flag.ts";
import { limitFlag } from "./page-flags.ts";

/** The flags of `scim profile`, as they were given. */
export interface ProfileFlags extends ServerFlags {
  readonly tenant?: string;
  readonly connection?: string;
  readonly since?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

/** The flags of `scim profile diff`. */
export type ProfileDiffFlags = ProfileFlags & Required<Pick<ProfileFlags, "connection">>;

/** Runs `scim profile list` and `show`. */
export async function profileCommand({ positionals, flags }: Call<ProfileFlags>): Promise<ExitCode> {
  const [action, name = ""] = positionals;
  return action === "list" ? list(flags) : show(readProfile(name), flags);
}

/** Runs `scim profile diff`. */
export async function profileDiff(call: Call<ProfileDiffFlags>): Promise<ExitCode> {
  const [, first = "", second = ""] = call.positionals;
  return diff(call, first, { before: readProfile(first), after: readProfile(second) });
}

function readProfile(text: string): Profile {
  try {
    return namedProfile(text);
  } catch (cause) {
    throw new CommandFailure(EXIT.usage, `${cause instanceof Error ? cause.message : String(cause)}.`, cause);
  }
}

function list(flags: ProfileFlags): ExitCode {
  const profiles = listedProfiles();
  const rows = profiles.map(({ name, means, switches }) => [name, means, String(switches.length)]);
  return print(flags, { profiles }, columns([["profile", "means", "switches"], ...rows]));
}

function show(profile: Profile, flags: ProfileFlags): ExitCode {
  const shown = shownProfile(profile);
  const rows = shown.switches.map(({ name, does }) => [name, does]);
  return print(flags, shown, columns([["switch", "does"], ...rows]));
}

async function diff(call: Call<ProfileDiffFlags>, first: string, pair: ProfilePair): Promise<ExitCode> {
  const { settings, flags } = call;
  const tenant = tenantFlag(flags);
  const query = queryOf(flags);
  const progress = startProgress("requests");
  const compareAll = async (requests: RequestReading): Promise<readonly ComparedRequest[]> => {
    // Oldest first: as they were sent.
    const entries = (await requests.list(tenant, query)).toReversed();
    if (entries.length === 0) {
      await requests.requireConnection({ tenant, connection: flags.connection });
      const since = flags.since === undefined ? "" : " since then";
      throw new CommandFailure(
        EXIT.failed,
        `The log holds no request of connection '${flags.connection}' of tenant '${tenant}'${since}: nothing could be compared.`,
      );
    }
    const cases: ProfileCases = {
      before: (entry) => requests.caseOf(entry, first),
      own: (entry) => requests.caseOf(entry, null),
    };
    const compared: ComparedRequest[] = [];
    for (const [done, entry] of entries.entries()) {
      progress.show({ done, part: done / entries.length, note: "" });
      compared.push(await compareProfiles(cases, entry, pair));
    }
    return compared;
  };
  try {
    const compared = await onServerOr(
      call,
      (admin) => compareAll(requestsAtServer(admin)),
      () => withStore({ settings, tenant }, (opened) => compareAll(requestsHere(settings, opened))),
    );
    progress.end();
    print(flags, shownAsJson(pair, compared), shownAsText(pair, compared));
    return isAlike(pair, compared) ? EXIT.ok : EXIT.failed;
  } finally {
    progress.end();
  }
}

/** Whether all was compared, and no answer would be another. */
function isAlike(pair: ProfilePair, compared: readonly ComparedRequest[]): boolean {
  return (
    incomparable(pair).length === 0 &&
    compared.every(({ differences, skipped }) => differences.length === 0 && skipped === null)
  );
}

/** Requests that are compared where `--limit` does not say. */
const COMPARED = 1000;
const MOST = 10_000;

function queryOf({ connection, since, ...flags }: ProfileDiffFlags): RequestQuery {
  const most = limitFlag(flags, COMPARED, MOST);
  return { ...readRequestQuery({ connection, since }, Date.now()), limit: most };
}

interface SwitchDifference {
  readonly on: readonly SwitchName[];
  readonly off: readonly SwitchName[];
}

/** What the second profile turns on and off. */
function switchDifference({ before, after }: ProfilePair): SwitchDifference {
  return {
    on: [...after.switches].filter((name) => !before.switches.has(name)),
    off: [...before.switches].filter((name) => !after.switches.has(name)),
  };
}

function shownAsJson(pair: ProfilePair, compared: readonly ComparedRequest[]): unknown {
  return {
    switches: switchDifference(pair),
    requests: compared.length,
    changed: compared
      .filter(({ differences }) => differences.length > 0)
      .map(({ entry: { id, at, method, route }, differences }) => ({
        id,
        at,
        method,
        route,
        differences: differences.map(({ path, expected, actual }) => ({
          path,
          before: expected,
          after: actual,
        })),
      })),
    skipped: compared.flatMap(({ entry: { id }, skipped }) =>
      skipped === null ? [] : [{ id, reason: skipped }],
    ),
    notCompared: incomparable(pair).map((name) => ({ switch: name, reason: BEYOND_REQUESTS })),
  };
}

function shownAsText(pair: ProfilePair, compared: readonly ComparedRequest[]): string {
  const { on, off } = switchDifference(pair);
  const changed = compared.filter(({ differences }) => differences.length > 0);
  const skipped = compared.filter((each) => each.skipped !== null);
  return [
    `Switches turned on: ${on.join(", ") || "none"}; turned off: ${off.join(", ") || "none"}.`,
    ...changed.flatMap(({ entry: { id, at, method, route }, differences }) => [
      `${at} ${method} ${route} (${id})`,
      ...differences.map(
        ({ path, expected, actual }) => `  ${path}: ${textOf(expected)} would become ${textOf(actual)}`,
      ),
    ]),
    ...skipped.map((each) => `${each.entry.id} was not compared: ${each.skipped ?? ""}`),
    ...incomparable(pair).map((name) => `${name} was not compared: ${BEYOND_REQUESTS}`),
    `${changed.length} of ${counted(compared.length, "request")} would be answered in another way; ${counted(skipped.length, "was", "were")} not compared.`,
  ].join("\n");
}

const BEYOND_REQUESTS =
  "it looks at other resources than a request holds, and to turn it on is refused while there are some that it forbids.";

function textOf(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
