/**
 * How far back what is over is kept, where each tenant may keep it for a time of its own.
 * @module
 */

/** An instant, UTC with milliseconds: what is from before it goes. One for every tenant, or what gives each tenant's. */
export type Cutoff = string | ((tenant: string) => string | Promise<string>);

/** The instant of a tenant. */
export function cutoffFor(cutoff: Cutoff, tenant: string): string | Promise<string> {
  return typeof cutoff === "string" ? cutoff : cutoff(tenant);
}
