/**
 * Connections made, changed and deleted.
 * @module
 */
import { nextRevision, type ProfileName, type RequestRate } from "@scim/core";
import { type Acting, actOf, type AdminAct, type RowChange, toldChange } from "../acts/admin-act.ts";
import {
  type Connection,
  type ConnectionState,
  isConnectionName,
  type SwitchFlip,
} from "../connections/connection.ts";
import { DEFAULT_NAME } from "../credentials/token-text.ts";
import { changedGuard, checkedSilence, type GuardChange } from "./connection-bounds.ts";
import { endingRules, type HeldRules, holdRules, settleRules } from "./hold-rules.ts";
import type { TenancyPorts } from "./ports.ts";
import { CHANGE_ATTEMPTS, changedMeanwhile, noSuchConnection, TenancyError } from "./tenancy-error.ts";
import { requireTenant } from "./tenants.ts";
import { toldConnection } from "./told-states.ts";

/** What changes of a connection; what is left out stays. */
export interface ConnectionChange {
  readonly state?: ConnectionState | undefined;
  /** Null: the profile that the service is set to. */
  readonly profile?: ProfileName | null | undefined;
  readonly switches?: readonly SwitchFlip[] | undefined;
  /** Null: the rate that the service is set to. */
  readonly rate?: RequestRate | null | undefined;
  /** Null: the guard that the service is set to. */
  readonly guard?: GuardChange | null | undefined;
  /** Minutes; see `Connection.silentAfter`. */
  readonly silentAfter?: number | null | undefined;
}

/** A connection by its name, and the revision that is meant; null for whichever it has. */
export interface ConnectionTarget {
  readonly tenant: string;
  readonly connection: string;
  readonly expected: number | null;
}

/** Ports that connections need. */
type Ports = Pick<TenancyPorts, "tenants" | "connections" | "uniqueness" | "guard"> & Acting;

/**
 * Makes a connection.
 * @throws TenancyError `notFound` and `refused` of the tenant, `invalid`, `exists`; {@link DuplicateValues} where resources
 *   that a connection of this name made break a rule of its profile
 */
export async function createConnection(
  ports: Ports,
  { tenant, connection }: Pick<ConnectionTarget, "tenant" | "connection">,
  of: ConnectionChange = {},
): Promise<Connection> {
  await requireTenant(ports, tenant);
  if (!isConnectionName(connection)) {
    throw new TenancyError(
      "invalid",
      `'${connection}' cannot name a connection: use a-z, 0-9 and, behind the first, -; at most 63.`,
    );
  }
  const {
    state = "active",
    profile = null,
    switches = [],
    rate = null,
    guard = null,
    silentAfter = null,
  } = of;
  const made: Connection = {
    tenant,
    connection,
    state,
    profile,
    switches,
    rate: checkedRate(rate),
    guard: changedGuard(null, guard, ports.guard),
    silentAfter: checkedSilence(silentAfter),
    created: ports.now(),
    revision: nextRevision(0, ports.random()),
  };
  refuseOfSettings(made, of);
  // Before its rules are held: those of the one that is there stay as they are.
  if ((await ports.connections.find(tenant, connection)) !== null) throw alreadyThere(made);
  const holding = await holdRules(ports.uniqueness, null, made);
  const write = (): Promise<boolean> => ports.connections.add(made, told(ports, [null, made]));
  if (await written(ports, { holding, of: made, write })) return made;
  throw alreadyThere(made);
}

function alreadyThere({ tenant, connection }: Connection): TenancyError {
  return new TenancyError("exists", `Tenant '${tenant}' has a connection '${connection}'.`);
}

/** A write that turns rules on which are held. */
interface HeldWrite {
  readonly holding: HeldRules;
  readonly of: Connection;
  /** Resolves to false where somebody else was first. */
  readonly write: () => Promise<boolean>;
}

async function written(
  { connections, uniqueness }: Pick<Ports, "connections" | "uniqueness">,
  { holding, of: { tenant, connection }, write }: HeldWrite,
): Promise<boolean> {
  let isDone: boolean;
  try {
    isDone = await write();
  } catch (error) {
    await holding.letGo();
    throw error;
  }
  if (isDone && (await holding.keep())) return true;
  const present = await connections.find(tenant, connection);
  if (!isDone) await holding.keepFor(present);
  // Somebody else began the same rule behind us, and may have failed and let it go.
  else if (present !== null) await settleRules(uniqueness, present);
  return isDone;
}

/**
 * The connection of a name.
 * @throws TenancyError `notFound` also where the tenant is not there
 */
export async function findConnection(
  { connections }: Pick<TenancyPorts, "connections">,
  { tenant, connection }: Pick<ConnectionTarget, "tenant" | "connection">,
): Promise<Connection> {
  const found = await connections.find(tenant, connection);
  if (found !== null) return found;
  throw noSuchConnection({ tenant, connection });
}

/**
 * Changes a connection.
 * @throws TenancyError `notFound`, `changed`, `invalid`, `refused` where settings of the server decide;
 *   {@link DuplicateValues} where resources break a rule that it turns on; ScimError `unavailable` where writes that began
 *   before do not come to their end
 */
export async function changeConnection(
  ports: Ports,
  target: ConnectionTarget,
  change: ConnectionChange,
): Promise<Connection> {
  await requireTenant(ports, target.tenant);
  refuseOfSettings(target, change);
  for (let attempt = 1; ; attempt += 1) {
    const before = await expectConnection(ports, target, attempt);
    const { state = before.state, profile = before.profile, switches = before.switches } = change;
    const rate = change.rate === undefined ? before.rate : checkedRate(change.rate);
    const guard =
      change.guard === undefined ? before.guard : changedGuard(before.guard, change.guard, ports.guard);
    const silentAfter =
      change.silentAfter === undefined ? before.silentAfter : checkedSilence(change.silentAfter);
    const revision = nextRevision(before.revision, ports.random());
    const after = { ...before, state, profile, switches, rate, guard, silentAfter, revision };
    const holding = await holdRules(ports.uniqueness, before, after);
    const endRules = await endingRules(ports.uniqueness, before, after);
    const write = (): Promise<boolean> =>
      ports.connections.replace(after, before.revision, told(ports, [before, after]));
    if (await written(ports, { holding, of: after, write })) {
      await endRules();
      return after;
    }
  }
}

/**
 * Deletes a connection and its tokens. Resources that it made stay.
 * @throws TenancyError `notFound`, `changed`, `refused` where it belongs to the server
 */
export async function deleteConnection(ports: Ports, target: ConnectionTarget): Promise<void> {
  await requireTenant(ports, target.tenant);
  if (isOfServer(target)) {
    throw new TenancyError("refused", "This connection belongs to the server; suspend it instead.");
  }
  for (let attempt = 1; ; attempt += 1) {
    const before = await expectConnection(ports, target, attempt);
    const endRules = await endingRules(ports.uniqueness, before, null);
    if (await ports.connections.remove(before, told(ports, [before, null]))) return endRules();
  }
}

function told(acting: Acting, change: RowChange<Connection>): AdminAct {
  const [before, after] = change;
  const { tenant, connection } = before ?? after;
  const id = `${tenant}/${connection}`;
  return actOf(acting, { type: "Connection", id, ...toldChange(change, toldConnection) });
}

async function expectConnection(
  ports: Ports,
  target: ConnectionTarget,
  attempt: number,
): Promise<Connection> {
  const found = await findConnection(ports, target);
  const isExpected = target.expected === null || target.expected === found.revision;
  if (isExpected && attempt <= CHANGE_ATTEMPTS) return found;
  throw changedMeanwhile(`Connection '${target.connection}'`, found.revision);
}

/** The connection whose profile and switches the settings `profile` and `switches` are. */
function isOfServer({ tenant, connection }: Pick<ConnectionTarget, "tenant" | "connection">): boolean {
  return tenant === DEFAULT_NAME && connection === DEFAULT_NAME;
}

function refuseOfSettings(
  target: Pick<ConnectionTarget, "tenant" | "connection">,
  { profile, switches }: ConnectionChange,
): void {
  if (!isOfServer(target) || (profile === undefined && switches === undefined)) return;
  throw new TenancyError(
    "refused",
    "Profile and switches of this connection are the settings 'profile' and 'switches' of the server.",
  );
}

/**
 * Least and greatest rate of a connection, in requests per second, and greatest burst. Whoever is refused is told to come again in
 * a whole number of seconds, which no smaller rate would leave one.
 */
const LEAST_RATE = 0.001;
const GREATEST_RATE = 1_000_000;

function checkedRate(rate: RequestRate | null): RequestRate | null {
  if (rate === null) return null;
  const { perSecond, burst } = rate;
  if (
    perSecond >= LEAST_RATE &&
    perSecond <= GREATEST_RATE &&
    Number.isInteger(burst) &&
    burst >= 1 &&
    burst <= GREATEST_RATE
  )
    return rate;
  throw new TenancyError(
    "invalid",
    `A rate is at least ${LEAST_RATE} requests per second, and a burst at least 1 request; both at most ${GREATEST_RATE}.`,
  );
}
