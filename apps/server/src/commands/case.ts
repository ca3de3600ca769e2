/**
 * `scim case`: a request of the log as a file that can be sent again, and what comes of it.
 * @module
 */
import { readFileSync, writeFileSync } from "node:fs";
import type { RequestCase, StoredRequest } from "@scim/events";
import { isJsonObject, isScimError, type JsonValue } from "@scim/schemas";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print, tell } from "../output.ts";
import { openStore, type OpenedStore } from "../open-store.ts";
import { caseOfEntry, openCases } from "../requests/case-of-entry.ts";
import { replayCase } from "../requests/replay-case.ts";
import type { Settings } from "../settings/table.ts";
import { tenantFlag } from "./tenant-flag.ts";

/** The flags of `scim case`, as they were given. */
export interface CaseFlags {
  readonly tenant?: string;
  readonly json?: boolean;
}

/** Runs `scim case export ID [FILE]` or `scim case run FILE`. */
export async function caseCommand(
  settings: Settings,
  [action, what = "", file]: readonly string[],
  flags: CaseFlags,
): Promise<ExitCode> {
  return action === "run" ? runCase(what, flags) : exportCase(settings, { id: what, file, flags });
}

interface Export {
  readonly id: string;
  readonly file: string | undefined;
  readonly flags: CaseFlags;
}

async function exportCase(settings: Settings, { id, file, flags }: Export): Promise<ExitCode> {
  const tenant = tenantFlag(flags);
  const opened = await openStore(settings);
  try {
    const made = await caseOf(settings, opened, await entryOf(opened, tenant, id));
    if (file === undefined) print({ json: true }, made, "");
    else writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
    const { differences } = await replayCase(made);
    if (file !== undefined && flags.json === true) return print(flags, { file, differences }, "");
    if (differences.length > 0) {
      const places = differences.map(({ path }) => path).join(", ");
      tell(
        flags,
        `A new service answers this case in another way (${places}): it depends on more than the log holds.`,
      );
    }
    return EXIT.ok;
  } finally {
    await opened.store.close();
  }
}

/** An entry by its id, or by the id of the request. */
async function entryOf({ store }: OpenedStore, tenant: string, id: string): Promise<StoredRequest> {
  const { requests } = store;
  const found =
    (await requests.find(tenant, id)) ?? (await requests.list(tenant, { requestId: id, limit: 1 }))[0];
  if (found !== undefined) return found;
  throw new CommandFailure(EXIT.failed, `Tenant '${tenant}' has no request '${id}' in its log.`);
}

async function caseOf(settings: Settings, opened: OpenedStore, entry: StoredRequest): Promise<RequestCase> {
  const cases = openCases(settings, opened);
  try {
    return await caseOfEntry(cases, entry, await cases.profileOf(entry));
  } catch (error) {
    if (isScimError(error)) throw new CommandFailure(EXIT.failed, error.message, error);
    throw error;
  }
}

async function runCase(file: string, flags: CaseFlags): Promise<ExitCode> {
  const { answer, differences } = await replayCase(readCase(file));
  const lines = differences.map(
    ({ path, expected, actual }) => `${path}: expected ${textOf(expected)}, got ${textOf(actual)}`,
  );
  const told = lines.length === 0 ? `As expected: ${answer.status}.` : lines.join("\n");
  print(flags, { status: answer.status, differences }, told);
  return differences.length === 0 ? EXIT.ok : EXIT.failed;
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

function readCase(file: string): RequestCase {
  let content: JsonValue;
  try {
    // `JSON.parse` gives nothing but JSON values.
    content = JSON.parse(readFileSync(file, "utf8")) as JsonValue;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(EXIT.usage, `${file} cannot be read as JSON: ${reason}`, cause);
  }
  if (isCase(content)) return content;
  throw new CommandFailure(EXIT.usage, `${file} is no case of version 1, as 'scim case export' makes them.`);
}

/** Looks at what is read first; a fault further inside ends in the words of whoever meets it. */
function isCase(value: JsonValue): value is JsonValue & RequestCase {
  if (!isJsonObject(value) || value["version"] !== 1) return false;
  const members = ["profile", "documents", "given", "request", "expect"];
  return members.every((name) => typeof value[name] === "object" && value[name] !== null);
}
