/**
 * Messages to receivers that cannot be made, as where no secret of a receiver can be read: told once of each receiver, and
 * again once it has been delivered to meanwhile.
 * @module
 */
import type { AttemptParts } from "@scim/events";
import type { Logger } from "pino";

type Told = Pick<AttemptParts, "onAttempt" | "onUnmade">;

/** Tells the log of what could not be made; attempts are told to `onAttempt` as well. */
export function unmadeMessages(log: Logger, onAttempt: AttemptParts["onAttempt"]): Required<Told> {
  // As many as there are receivers that nothing can be made for.
  const told = new Set<string>();
  return {
    onUnmade: ({ tenant, id, kind }, error) => {
      const key = `${tenant} ${id}`;
      if (told.has(key)) return;
      told.add(key);
      log.error(
        { tenant, receiver: id, kind, err: error },
        "messages to a receiver cannot be made: they wait",
      );
    },
    onAttempt: (receiver, outcome) => {
      if (outcome === "delivered") told.delete(`${receiver.tenant} ${receiver.id}`);
      onAttempt?.(receiver, outcome);
    },
  };
}
