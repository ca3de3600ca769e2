/**
 * What a tenant may set for itself: limits, which it narrows, how long what is over is kept, and what becomes of secrets.
 * @module
 */

/** The limits that a tenant may have narrower than the service, and the least that each may be. */
export const TENANT_LIMITS = {
  /** Resources of a page where a query gives no count. */
  "page.size": 1,
  /** Most resources of one answer. */
  "filter.maxResults": 1,
  /** Most operations of a bulk job. */
  "bulk.maxOperations": 1,
  /** Most members of a group that a PATCH is answered with. */
  "group.answerMembers": 0,
  /** Queries that may go through resources at the same time, in each process. */
  "query.scansPerTenant": 1,
} as const satisfies Readonly<Record<string, number>>;

/** Name of a limit: that of the setting of the service. */
export type TenantLimit = keyof typeof TENANT_LIMITS;

/** The limits of the service, which no tenant has beyond. */
export type ServiceCeilings = Readonly<Record<TenantLimit, number>>;

/** The limits that a tenant has of its own; those of the service hold for what is left out. */
export type TenantLimits = Readonly<Partial<Record<TenantLimit, number>>>;

/**
 * What is kept for a time, and the least and most days: resources that were deleted, entries of the request log, events
 * of the change feed and the outbox, and entries of the audit log.
 */
export const RETENTION_DAYS = {
  deleted: { least: 0, most: 3650 },
  requests: { least: 1, most: 365 },
  events: { least: 1, most: 3650 },
  audit: { least: 1, most: 3650 },
} as const satisfies Readonly<Record<string, { readonly least: number; readonly most: number }>>;

/** What is kept for a time. */
export type RetentionKind = keyof typeof RETENTION_DAYS;

/** How long the service keeps what is over, in days. */
export type ServiceRetention = Readonly<Record<RetentionKind, number>>;

/** How long a tenant keeps what is over, in days; the time of the service holds for what is left out. */
export type TenantRetention = Readonly<Partial<Record<RetentionKind, number>>>;

/**
 * Who may read what the service tells of itself and of the tenant's schemas (RFC 7644 §4): those with a token of the tenant,
 * or everybody.
 */
export const DISCOVERIES = ["token", "open"] as const;

/** Who may read the discovery of a tenant. */
export type Discovery = (typeof DISCOVERIES)[number];

/**
 * What becomes of the secrets of resources, such as passwords: they are dropped, or a hash is kept in their place
 * (RFC 7643 §4.1, `password`).
 */
export const SECRET_HANDLINGS = ["drop", "hash"] as const;

/** What becomes of secrets. */
export type SecretHandling = (typeof SECRET_HANDLINGS)[number];

/** What a tenant has of its own. */
export interface TenantSettings {
  readonly limits: TenantLimits;
  readonly retention: TenantRetention;
  readonly discovery: Discovery;
  readonly secrets: SecretHandling;
}

/** A tenant that has all as the service has it. */
export const NO_TENANT_SETTINGS: TenantSettings = {
  limits: {},
  retention: {},
  discovery: "token",
  secrets: "drop",
};

// The keys of constant records are their literal names.
/** The names of the limits. */
export const TENANT_LIMIT_NAMES = Object.keys(TENANT_LIMITS) as readonly TenantLimit[];
/** The kinds of what is kept for a time. */
export const RETENTION_KINDS = Object.keys(RETENTION_DAYS) as readonly RetentionKind[];

/**
 * The limits that hold for a tenant. What the service has lowered since counts.
 * @param ceilings the limits of the service
 */
export function limitsOfTenant(
  ceilings: ServiceCeilings,
  { limits }: Pick<TenantSettings, "limits">,
): ServiceCeilings {
  const narrowed = TENANT_LIMIT_NAMES.map((name) => [
    name,
    Math.min(ceilings[name], limits[name] ?? ceilings[name]),
  ]);
  // Each name is one of the limits, with a number.
  return Object.fromEntries(narrowed) as ServiceCeilings;
}
