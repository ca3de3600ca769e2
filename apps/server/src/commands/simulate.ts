/**
 * `scim simulate`: acts as an identity provider against a SCIM service.
 * @module
 */
import { ConnectionError, UsageError } from "@scim/client";
import { IDENTITY_PROVIDERS, simulate, type IdentityProviderName, type StepReport } from "@scim/sync";
import type { Environment } from "../command-table/arguments.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print, tell } from "../output.ts";
import { startProgress } from "../progress/progress.ts";
import { plainHttpIn } from "../remote/plain-http.ts";
import { remoteFailure, tokenFrom } from "../remote/remote-failure.ts";
import { tokenOf, type RemoteFlags } from "../remote/remote-flags.ts";
import { simulationText } from "../simulate/simulation-text.ts";
import { stoppable } from "../stop-on-signals.ts";

/** The flags of `scim simulate`, as they were given. */
export interface SimulateFlags extends RemoteFlags {
  readonly target: string;
  readonly timeout?: string;
  readonly json?: boolean;
}

/** Runs `scim simulate`. Resolves to a failure where the identity provider would fail, or the run was stopped. */
export async function simulateCommand(
  [name = ""]: readonly string[],
  flags: SimulateFlags,
  environment: Environment,
): Promise<ExitCode> {
  const scenario = IDENTITY_PROVIDERS[identityProviderOf(name)];
  const { target } = flags;
  const auth = tokenOf(flags, environment);
  const timeout = timeoutOf(flags.timeout);
  const progress = startProgress("steps");
  try {
    const plainHttp = plainHttpIn(environment);
    const onStep = ({ does }: StepReport, done: number, total: number): void =>
      progress.show({ done, part: done / total, note: does });
    const report = await stoppable((signal) =>
      simulate(scenario, { target, auth, plainHttp, timeout, signal, onStep }),
    );
    progress.end();
    print(flags, report, simulationText(report));
    if (report.steps.some(({ status }) => status === 401)) tell(flags, tokenFrom("--target"));
    return report.outcome === "passed" ? EXIT.ok : EXIT.failed;
  } catch (cause) {
    if (cause instanceof ConnectionError) throw remoteFailure(cause, { name: target, flag: "--target" });
    if (!(cause instanceof UsageError || cause instanceof TypeError)) throw cause;
    throw new CommandFailure(EXIT.usage, cause.message, cause);
  } finally {
    progress.end();
  }
}

function identityProviderOf(name: string): IdentityProviderName {
  // The keys of a record typed by these names are these names.
  const names = Object.keys(IDENTITY_PROVIDERS) as readonly IdentityProviderName[];
  const found = names.find((known) => known === name.toLowerCase());
  if (found !== undefined) return found;
  throw new CommandFailure(
    EXIT.usage,
    `There is no life cycle of '${name}'; there are those of ${names.join(", ")}.`,
  );
}

const LONGEST_MS = 600_000;

function timeoutOf(text = "30000"): number {
  const ms = Number(text);
  if (Number.isInteger(ms) && ms >= 1 && ms <= LONGEST_MS) return ms;
  throw new CommandFailure(EXIT.usage, `--timeout is a number of milliseconds from 1 to ${LONGEST_MS}.`);
}
