/**
 * Acts as an identity provider against a SCIM service, and tells where that identity provider would fail.
 * @module
 */
import {
  bearerToken,
  createUndiciTransport,
  UsageError,
  watchPlainHttp,
  type Clock,
  type Credentials,
  type PlainHttp,
  type Transport,
} from "@scim/client";
import { exchange, type Exchanged, type Line } from "./exchange.ts";
import { Made } from "./made.ts";
import type { SimulationReport, StepReport } from "./report.ts";
import type { Scenario } from "./scenario.ts";
import { runStep, skippedStep, type Course } from "./run-step.ts";

/** How an identity provider is simulated. */
export interface SimulateOptions {
  /** Base address of the service: `https://id.example/scim/v2`. */
  readonly target: string | URL;
  /** A bearer token, or credentials of `@scim/client`. Default: none are sent. */
  readonly auth?: string | Credentials | null;
  /** What is done where they would go over plain HTTP to another machine: as for a client. Default `warn`. */
  readonly plainHttp?: PlainHttp;
  /** What carries the requests; it is not closed. Default: a pool of connections of its own. */
  readonly transport?: Transport;
  /** Milliseconds that an answer may take. Default 30,000. */
  readonly timeout?: number;
  /** A word of small letters and digits that marks what is made. Default: `sim` and 12 random characters. */
  readonly run?: string;
  /** Ends the run when it is aborted: what was made is taken away all the same. */
  readonly signal?: AbortSignal;
  /** Told of each step when it is over. */
  readonly onStep?: (step: StepReport, done: number, total: number) => void;
  /** Default: the platform's. */
  readonly clock?: Clock;
}

const PLATFORM_CLOCK: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** For the time in which what was made is taken away, after the run was stopped. */
const NEVER = new AbortController().signal;

/**
 * Acts out the life cycle of an identity provider, step by step. What it makes bears the word of the run in `userName`,
 * `displayName` and `externalId`; at the end all of it is deleted, also where the run was stopped. Nothing else of the
 * service is changed, whatever that answers.
 *
 * @example
 * const report = await simulate(IDENTITY_PROVIDERS.entra, { target: "https://id.example/scim/v2", auth: token });
 * if (report.outcome === "failed") console.log(report.steps.flatMap(({ findings }) => findings));
 * @throws {@link UsageError} where the target is no base address
 * @throws ConnectionError where no connection to it comes about
 */
export async function simulate(scenario: Scenario, options: SimulateOptions): Promise<SimulationReport> {
  const { run = newRun(), signal = NEVER, onStep } = options;
  if (!/^[a-z0-9]{4,40}$/.test(run))
    throw new UsageError("invalidOption", "'run' is a word of 4 to 40 small letters and digits.");
  const { transport = createUndiciTransport() } = options;
  try {
    const line = await lineOf(options, transport, signal);
    const made = new Made(run);
    const course: Course = {
      scenario,
      line,
      made,
      signal,
      known: new Map([["run", run]]),
      isReached: false,
      isAdmitted: false,
      isRefused: false,
    };
    const steps: StepReport[] = [];
    for (const step of scenario.steps) {
      const told = signal.aborted || course.isRefused ? skippedStep(step) : await runStep(step, course);
      steps.push(told);
      onStep?.(told, steps.length, scenario.steps.length);
    }
    const leftBehind = await takeAway(course);
    const hasFailed = steps.some(({ outcome }) => outcome === "failed");
    return {
      identityProvider: scenario.id,
      name: scenario.name,
      target: line.origin + line.basePath,
      run,
      outcome: signal.aborted ? "interrupted" : hasFailed ? "failed" : "passed",
      steps,
      leftBehind,
    };
  } finally {
    if (options.transport === undefined) await transport.close();
  }
}

function takeAway({ made, line, scenario }: Course): Promise<readonly string[]> {
  return made.takeAway((method, path): Promise<Exchanged> =>
    exchange(line, { method, path, headers: scenario.readHeaders, body: null }, NEVER),
  );
}

async function lineOf(
  { target, auth = null, plainHttp, timeout = 30_000, clock = PLATFORM_CLOCK }: SimulateOptions,
  transport: Transport,
  signal: AbortSignal,
): Promise<Line> {
  const text = String(target);
  const { protocol, origin, pathname, search, hash, username } = new URL(
    URL.canParse(text) ? text : "unknown:target",
  );
  const isHttp = protocol === "https:" || protocol === "http:";
  if (!isHttp || search !== "" || hash !== "" || username !== "")
    throw new UsageError(
      "invalidOption",
      "The target is a base address such as 'https://id.example/scim/v2', without credentials or query.",
    );
  const credentials = typeof auth === "string" ? bearerToken(auth) : auth;
  watchPlainHttp(origin, plainHttp === undefined ? { auth } : { auth, plainHttp }, transport);
  const authorization = (await credentials?.authorization({ signal, transport, clock })) ?? null;
  return { transport, origin, basePath: pathname.replace(/\/+$/, ""), authorization, clock, timeout };
}

function newRun(): string {
  return `sim${crypto.randomUUID().replaceAll("-", "").slice(0, 12)}`;
}
