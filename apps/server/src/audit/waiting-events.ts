/**
 * Events without a position: no log holds them yet, and who looks into one would take it for all that there is.
 * @module
 */
import type { Store } from "@scim/store/sqlite";
import { type Reader, tell } from "../output.ts";

/** Milliseconds within which a server that runs gives a position for sure. */
const GIVEN_WITHIN_MS = 10_000;

/** Tells people of events that wait for longer than a server would let them, as behind an import without one. */
export async function tellOfWaitingEvents(
  store: Pick<Store, "waitingEvents">,
  reader: Reader,
): Promise<void> {
  const { oldest } = await store.waitingEvents();
  if (oldest === null || Date.now() - Date.parse(oldest) <= GIVEN_WITHIN_MS) return;
  tell(
    reader,
    `notice  Events since ${oldest} wait for their positions: no log has them until a server runs, which gives them.`,
  );
}
