/**
 * `scim sync`: keeps a SCIM service in step with files, a database, a directory or another service.
 * @module
 */
import { createScimClient, isScimClientError, type ScimClient } from "@scim/client";
import {
  detectDrift,
  LimitError,
  MappingError,
  planSync,
  readMapping,
  SourceError,
  StateError,
  TemporaryFileError,
  SyncState,
  type ApplyReport,
  type FileFormat,
  type FileSourceOptions,
  type Mapping,
  type Plan,
  type Source,
} from "@scim/sync";
import { tenantOfToken } from "@scim/tenancy";
import type { Environment } from "../command-table/arguments.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { recordBytes } from "../import/import-options.ts";
import { readRecordJson } from "../import/record-json.ts";
import { readNamedFile } from "../text-file.ts";
import { print, printLong } from "../output.ts";
import { startProgress } from "../progress/progress.ts";
import { plainHttpIn } from "../remote/plain-http.ts";
import { remoteFailure } from "../remote/remote-failure.ts";
import { tokenOf } from "../remote/remote-flags.ts";
import { openSources } from "../sync/open-sources.ts";
import { driftText } from "../sync/drift-text.ts";
import { planText } from "../sync/plan-text.ts";
import { reportText } from "../sync/report-text.ts";
import { stoppable } from "../stop-on-signals.ts";
import { wordFlag } from "../value-flags.ts";

/** The flags of `scim sync`, as they were given. */
export interface SyncFlags {
  readonly source?: readonly string[];
  readonly query?: readonly string[];
  readonly format?: string;
  readonly encoding?: string;
  readonly "max-record"?: string;
  readonly target: string;
  readonly "token-file"?: string;
  readonly mapping: string;
  readonly state?: string;
  readonly apply?: boolean;
  readonly drift?: boolean;
  readonly everything?: boolean;
  readonly "changes-only"?: boolean;
  readonly "beyond-limits"?: boolean;
  readonly concurrency?: string;
  readonly json?: boolean;
}

/** Everything that a run needs. */
interface Run {
  readonly client: ScimClient;
  readonly mapping: Mapping;
  readonly sources: ReadonlyMap<string, Source>;
  readonly state: SyncState;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly flags: SyncFlags;
}

/** Runs `scim sync`. Resolves to a failure where a record or a change failed. */
export async function syncCommand(flags: SyncFlags, environment: Environment): Promise<ExitCode> {
  const { mapping: file, target, source = [], query = [] } = flags;
  const concurrency = concurrencyOf(flags.concurrency);
  const mapping = mappingOf(file);
  if (flags.drift === true && flags.apply === true)
    throw new CommandFailure(EXIT.usage, "--drift looks, --apply writes: give one of them.");
  if (flags.drift === true && source.length + query.length > 0)
    throw new CommandFailure(EXIT.usage, "--drift reads no source: leave --source and --query out.");
  return stoppable(async (signal) => {
    const sources = openSources({
      given: source,
      queries: query,
      files: filesOf(flags, signal),
      changesOnly: flags["changes-only"] === true,
      environment,
    });
    return explained(async () => {
      const auth = tokenOf(flags, environment);
      await using client = createScimClient({
        baseUrl: target,
        auth,
        plainHttp: plainHttpIn(environment),
        limits: { concurrency },
      });
      const tenant = auth === null ? null : tenantOfToken(auth);
      const state = SyncState.read(flags.state ?? `${file}.state`, client.baseUrl, tenant);
      if (flags.drift === true) return await drift({ client, mapping, state, signal, flags });
      checkNames(mapping, sources);
      return await run({ client, mapping, sources, state, concurrency, signal, flags });
    });
  });
}

const FORMATS = ["csv", "jsonl", "json", "ldif"] as const satisfies readonly FileFormat[];

/** @throws CommandFailure for a form or a number that cannot be meant */
function filesOf(
  { format, encoding, "max-record": most }: SyncFlags,
  signal: AbortSignal,
): FileSourceOptions {
  return {
    format: format === undefined ? undefined : wordFlag("format", format, FORMATS),
    encoding,
    maxRecordBytes: recordBytes(most),
    readJson: readRecordJson,
    signal,
  };
}

/** Resolves to a failure where something drifted. */
async function drift({
  client,
  mapping,
  state,
  signal,
  flags,
}: Omit<Run, "sources" | "concurrency">): Promise<ExitCode> {
  const reading = startProgress("read");
  let read = 0;
  const onRead = (): void => {
    read += 1;
    reading.show({ done: read, part: null, note: "" });
  };
  const report = await detectDrift({ client, mapping, state, signal, onRead }).finally(() => reading.end());
  print(flags, report, driftText(report));
  return report.drifts.length === 0 ? EXIT.ok : EXIT.failed;
}

async function run({ client, mapping, sources, state, concurrency, signal, flags }: Run): Promise<ExitCode> {
  const reading = startProgress("read");
  let read = 0;
  try {
    const { plan, apply } = await planSync({
      client,
      mapping,
      sources,
      state,
      concurrency,
      everything: flags.everything,
      signal,
      onRead: () => {
        read += 1;
        reading.show({ done: read, part: null, note: "" });
      },
    });
    reading.end();
    if (flags.apply !== true) return await shown(flags, plan);
    const writing = startProgress("changes");
    const report = await apply({
      beyondLimits: flags["beyond-limits"],
      onStep: (done, failed) =>
        writing.show({
          done: done + failed,
          part: (done + failed) / plan.steps.length,
          note: failed === 0 ? "" : `${failed} failed`,
        }),
    }).finally(() => writing.end());
    return await applied(flags, plan, report);
  } finally {
    reading.end();
    state.close();
  }
}

/** A plan that the limits refuse is a failure, so that a script that looks at plans notices. */
async function shown(flags: SyncFlags, plan: Plan): Promise<ExitCode> {
  await printLong(flags, plan, planText(plan, { isApplied: false }));
  return plan.faults.length === 0 && plan.refusals.length === 0 ? EXIT.ok : EXIT.failed;
}

async function applied(flags: SyncFlags, plan: Plan, report: ApplyReport): Promise<ExitCode> {
  const lines = `${planText(plan, { isApplied: true })}\n\n${reportText(report)}`;
  await printLong(flags, { plan, report }, lines);
  const isDone = report.failures.length === 0 && report.stopped === null && plan.faults.length === 0;
  return isDone ? EXIT.ok : EXIT.failed;
}

/** What would be read by nobody was meant for something. */
function checkNames({ sections }: Mapping, sources: ReadonlyMap<string, Source>): void {
  const [first] = sources.keys();
  if (first === undefined)
    throw new CommandFailure(EXIT.usage, "--source is missing: say where records come from.");
  const named = sections.flatMap(({ from }) => from ?? []);
  const missing = named.find((name) => !sources.has(name));
  if (missing !== undefined)
    throw new CommandFailure(
      EXIT.usage,
      `The mapping reads from '${missing}', which no --source names: write --source ${missing}=WHERE.`,
    );
  // Where one is given alone, its name does not matter to sections that name none.
  const isOnly = sources.size === 1 && named.length < sections.length;
  const unread = isOnly ? undefined : [...sources.keys()].find((name) => !named.includes(name));
  if (unread !== undefined)
    throw new CommandFailure(
      EXIT.usage,
      `The mapping reads nothing from the source '${unread}': leave it out.`,
    );
}

function mappingOf(file: string): Mapping {
  const text = readNamedFile("The mapping", file);
  try {
    return readMapping(text, file);
  } catch (cause) {
    if (!(cause instanceof MappingError)) throw cause;
    throw new CommandFailure(EXIT.usage, `The mapping cannot be used.\n${cause.message}`, cause);
  }
}

const MOST_CONCURRENCY = 256;

function concurrencyOf(text: string | undefined): number {
  const number = Number(text ?? "8");
  if (Number.isInteger(number) && number >= 1 && number <= MOST_CONCURRENCY) return number;
  throw new CommandFailure(EXIT.usage, `--concurrency is a number from 1 to ${MOST_CONCURRENCY}.`);
}

/** Turns what can go wrong into sentences. */
async function explained(work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof MappingError)
      throw new CommandFailure(EXIT.usage, `The mapping does not fit the target.\n${cause.message}`, cause);
    if (cause instanceof LimitError)
      throw new CommandFailure(
        EXIT.failed,
        `${cause.message} Nothing was written. Look at the plan; if it is right, add --beyond-limits.`,
        cause,
      );
    if (cause instanceof SourceError)
      throw isScimClientError(cause.cause)
        ? remoteFailure(cause.cause, { name: "The source", flag: "--source" })
        : new CommandFailure(EXIT.failed, cause.message, cause);
    if (cause instanceof StateError) {
      const exitCode = cause.code === "otherState" ? EXIT.usage : EXIT.failed;
      throw new CommandFailure(exitCode, cause.message, cause);
    }
    if (cause instanceof TemporaryFileError) throw new CommandFailure(EXIT.failed, cause.message, cause);
    if (isScimClientError(cause)) throw remoteFailure(cause, { name: "The target", flag: "--target" });
    throw cause;
  }
}
