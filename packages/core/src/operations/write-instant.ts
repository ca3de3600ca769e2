/**
 * When a change is written: clocks may go backwards, `meta.lastModified` never does.
 * @module
 */
import type { Sources } from "../environment.ts";
import type { StoredResource } from "../store/stored-resource.ts";

/** The present instant, or that of the last write where it lies ahead; UTC with milliseconds. */
export function writeInstant({ now }: Pick<Sources, "now">, { lastModified }: StoredResource): string {
  // An application's own table may keep no instant of the last write.
  return new Date(Math.max(now(), Date.parse(lastModified) || 0)).toISOString();
}
