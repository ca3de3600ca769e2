/**
 * When a change is written: clocks may go backwards, `meta.lastModified` never does.
 * @module
 */
import type { Sources } from "../environment.ts";
import type { StoredResource } from "../store/stored-resource.ts";

let lastText = { instant: 0, text: new Date(0).toISOString() };

/** An instant in milliseconds as text, UTC. Writes shortly after one another share it. */
export function instantText(instant: number): string {
  if (instant !== lastText.instant) lastText = { instant, text: new Date(instant).toISOString() };
  return lastText.text;
}

/** The present instant, or that of the last write where it lies ahead; UTC with milliseconds. */
export function writeInstant(
  { now }: Pick<Sources, "now">,
  { lastModified }: Pick<StoredResource, "lastModified">,
): string {
  // An application's own table may keep no instant of the last write.
  return instantText(Math.max(now(), Date.parse(lastModified) || 0));
}
