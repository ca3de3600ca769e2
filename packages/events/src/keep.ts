/**
 * For how long something is kept, where each tenant may say so for itself.
 * @module
 */

/** Milliseconds: for every tenant, or what gives each tenant's. */
export type Keep = number | ((tenant: string) => number | Promise<number>);

/** The instant before which what a tenant has is too old, UTC with milliseconds. */
export async function tooOld(keep: Keep, tenant: string, now: number): Promise<string> {
  const milliseconds = typeof keep === "number" ? keep : await keep(tenant);
  return new Date(now - milliseconds).toISOString();
}
