/**
 * Bounds of what a tenant sets for itself.
 * @module
 */
import {
  RETENTION_DAYS,
  RETENTION_KINDS,
  type ServiceCeilings,
  TENANT_LIMITS,
  TENANT_LIMIT_NAMES,
  type TenantLimit,
  type TenantLimits,
  type TenantRetention,
  type RetentionKind,
} from "../tenants/tenant-settings.ts";
import { TenancyError } from "./tenancy-error.ts";

/** Numbers that change, by name; null takes one back to that of the service. */
export type NumberChanges<Name extends string> = Readonly<Partial<Record<Name, number | null>>>;

/**
 * Limits after a change.
 * @throws TenancyError `invalid` for a number that is beyond the service's, naming both
 */
export function changedLimits(
  before: TenantLimits,
  change: NumberChanges<TenantLimit>,
  ceilings: ServiceCeilings,
): TenantLimits {
  return changed(TENANT_LIMIT_NAMES, { before, change }, (name, value) => {
    const [least, most] = [TENANT_LIMITS[name], ceilings[name]];
    if (isWhole(value, least, most)) return;
    throw new TenancyError(
      "invalid",
      `The limit '${name}' cannot be ${value}: the service has ${most}, and a tenant has a whole number from ${least} to that.`,
    );
  });
}

/**
 * Times of keeping after a change.
 * @throws TenancyError `invalid`
 */
export function changedRetention(
  before: TenantRetention,
  change: NumberChanges<RetentionKind>,
): TenantRetention {
  return changed(RETENTION_KINDS, { before, change }, (kind, days) => {
    const { least, most } = RETENTION_DAYS[kind];
    if (isWhole(days, least, most)) return;
    throw new TenancyError(
      "invalid",
      `The retention '${kind}' cannot be ${days}: it is ${least} to ${most} days.`,
    );
  });
}

interface Changing<Name extends string> {
  readonly before: Readonly<Partial<Record<Name, number>>>;
  readonly change: NumberChanges<Name>;
}

/** The numbers after a change, in the order of their names. */
function changed<Name extends string>(
  names: readonly Name[],
  { before, change }: Changing<Name>,
  check: (name: Name, value: number) => void,
): Readonly<Partial<Record<Name, number>>> {
  const after: Partial<Record<Name, number>> = {};
  for (const name of names) {
    const wanted = change[name];
    if (wanted !== undefined && wanted !== null) check(name, wanted);
    const value = wanted === undefined ? before[name] : wanted;
    if (value !== undefined && value !== null) after[name] = value;
  }
  return after;
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
