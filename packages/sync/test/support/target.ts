/**
 * A target over HTTP that notes what it is asked, and runs of a sync against it.
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createScimClient, type ScimClient } from "@scim/client";
import {
  fileSource,
  planSync,
  readMapping,
  SyncState,
  type ApplyReport,
  type Plan,
  type Source,
} from "@scim/sync";
import { onTestFinished } from "vitest";
import {
  aService,
  serve,
  TOKEN,
  type Between,
  type ServiceOptions,
} from "../../../client/test/support/service.ts";

/** A target, and what it was asked. */
export interface Target {
  readonly baseUrl: string;
  readonly client: ScimClient;
  /** Requests since they were looked at last: `POST /Users`. */
  readonly asked: () => readonly string[];
  /** Requests that change something, since they were looked at last. */
  readonly written: () => readonly string[];
}

/** Starts a target. */
export async function aTarget(options: ServiceOptions = {}, between?: Between): Promise<Target> {
  let asked: string[] = [];
  const baseUrl = await serve(aService(options), async (request, response, pass) => {
    asked.push(
      `${request.method ?? ""} ${(request.url ?? "").replace(/^\/scim\/v2/, "").replace(/\?.*/, "")}`,
    );
    await (between === undefined ? pass() : between(request, response, pass));
  });
  const take = (): readonly string[] => asked.splice(0);
  const client = createScimClient({ baseUrl, auth: TOKEN, retries: { attempts: 1 } });
  onTestFinished(async () => client.close());
  return {
    baseUrl,
    client,
    asked: take,
    written: () => {
      const all = asked;
      asked = [];
      return all.filter((line) => !line.startsWith("GET ") && !line.includes("/.search"));
    },
  };
}

/** A target with a clock of its own. */
export interface ClockedTarget extends Target {
  /** Lets an hour go by, or takes some back. Gives how many went by. */
  readonly passHour: (hours?: number) => number;
}

/** Starts a target whose clock stands still until it is told to go on. */
export async function aClockedTarget(
  options: ServiceOptions = {},
  between?: Between,
): Promise<ClockedTarget> {
  let hours = 0;
  const now = (): number => Date.UTC(2026, 0, 1, hours);
  const target = await aTarget({ ...options, now }, async (request, response, pass) => {
    response.setHeader("Date", new Date(now()).toUTCString());
    await (between === undefined ? pass() : between(request, response, pass));
  });
  const passHour = (count = 1): number => {
    hours += count;
    return hours;
  };
  return { ...target, passHour };
}

/** A folder that goes with the test. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "scim-sync-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file as a source. */
export function aFile(name: string, text: string | Buffer): Source {
  const path = join(aFolder(), name);
  writeFileSync(path, text);
  return fileSource(path);
}

/** What a run is made of. */
export interface RunOptions {
  readonly mapping: string;
  readonly sources: Readonly<Record<string, Source>>;
  /** Path of the state; none is kept without. */
  readonly state?: string;
  readonly everything?: boolean;
  readonly beyondLimits?: boolean;
  readonly chunk?: number;
}

/** Plans alone. */
export async function plan(target: Target, options: RunOptions): Promise<Plan> {
  return (await planned(target, options)).plan;
}

/** Plans and applies. */
export async function run(
  target: Target,
  options: RunOptions,
): Promise<{ readonly plan: Plan; readonly report: ApplyReport }> {
  const sync = await planned(target, options);
  const { beyondLimits = false } = options;
  return { plan: sync.plan, report: await sync.apply({ beyondLimits }) };
}

function planned({ client, baseUrl }: Target, options: RunOptions): ReturnType<typeof planSync> {
  const { mapping, sources, state, everything, chunk } = options;
  return planSync({
    client,
    mapping: readMapping(mapping, "mapping.yaml"),
    sources,
    state: state === undefined ? undefined : SyncState.read(state, baseUrl),
    everything,
    chunk,
  });
}
