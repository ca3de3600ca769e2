/**
 * `scim case`: a request of the log as a file that can be sent again, and what comes of it.
 * @module
 */
import type { RequestCase } from "@scim/events";
import { isScimError, type JsonValue } from "@scim/schemas";
import { onServerOr, type ServerFlags } from "../administration/administer.ts";
import type { Call } from "../command-table/command.ts";
import { refuseExisting, writeTarget } from "../export/write-target.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print, tell } from "../output.ts";
import { withStore } from "../store/open-store.ts";
import { readCase } from "../requests/read-case.ts";
import { replayCase } from "../requests/replay-case.ts";
import {
  requestNamed,
  type RequestReading,
  requestsAtServer,
  requestsHere,
} from "../requests/request-reading.ts";
import { tenantFlag } from "./tenant-flag.ts";

/** The flags of `scim case`, as they were given. */
export interface CaseFlags extends ServerFlags {
  readonly tenant?: string;
  readonly json?: boolean;
}

/** Runs `scim case export ID [FILE]` or `scim case run FILE`. */
export async function caseCommand(call: Call<CaseFlags>): Promise<ExitCode> {
  const { settings, positionals, flags } = call;
  const [action, what = "", target = "-"] = positionals;
  if (action === "run") return runCase(what, flags);
  refuseExisting(target);
  const tenant = tenantFlag(flags);
  const made = (requests: RequestReading): Promise<RequestCase> => caseOf(requests, tenant, what);
  const of = await onServerOr(
    call,
    (admin) => made(requestsAtServer(admin)),
    () => withStore({ settings, tenant }, (opened) => made(requestsHere(settings, opened))),
  );
  return exportCase(of, target, flags);
}

async function exportCase(made: RequestCase, target: string, flags: CaseFlags): Promise<ExitCode> {
  await writeTarget(target, textsOf(made));
  const { differences } = await replayCase(made);
  if (target !== "-" && flags.json === true) return print(flags, { file: target, differences }, "");
  if (differences.length > 0) {
    const places = differences.map(({ path }) => path).join(", ");
    tell(
      flags,
      `A new service answers this case in another way (${places}): it depends on more than the log holds, such as how its connection was set then.`,
    );
  }
  return EXIT.ok;
}

async function* textsOf(made: RequestCase): AsyncGenerator<string, void, undefined> {
  yield `${JSON.stringify(made, null, 2)}\n`;
}

/** The case of an entry that is named by its id, or by the id of the request. */
async function caseOf(requests: RequestReading, tenant: string, id: string): Promise<RequestCase> {
  const entry = await requestNamed(requests, tenant, id);
  if (entry === null)
    throw new CommandFailure(EXIT.failed, `Tenant '${tenant}' has no request '${id}' in its log.`);
  try {
    return await requests.caseOf(entry, null);
  } catch (error) {
    // The command line is right: the log does not hold the request whole.
    if (isScimError(error)) throw new CommandFailure(EXIT.failed, error.message, error);
    throw error;
  }
}

async function runCase(file: string, flags: CaseFlags): Promise<ExitCode> {
  const { answer, differences } = await replayCase(await readCase(file));
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
