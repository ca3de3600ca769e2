/**
 * What happens beside the requests and somebody has to know: a guard that has had enough, and a connection that has
 * fallen silent. Each is logged, counted, and told in the trail of administration, whose webhooks tell it on.
 * @module
 */
import type { AttemptOutcome, GuardExceeded, Receiver, SilentConnection } from "@scim/events";
import type { AdminAct, AdminTrail } from "@scim/tenancy";
import type { Logger } from "pino";

/** Who counts. */
export interface NoticeListener {
  readonly onExceeded: (exceeded: GuardExceeded) => void;
  readonly onSilent: (silent: SilentConnection) => void;
  readonly onAttempt: (receiver: Receiver, outcome: AttemptOutcome) => void;
}

/** Where it is told. */
export interface Notices extends NoticeListener {
  /** Has a listener told of all that comes; there is one at most. */
  listen(listener: NoticeListener): void;
  /** Resolves when everything is told. */
  settled(): Promise<void>;
}

/** What notices are made with. */
export interface NoticeParts {
  readonly log: Logger;
  readonly trail: AdminTrail;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
}

/** Makes the notices of a process. */
export function createNotices({ log, trail, now }: NoticeParts): Notices {
  let listener: NoticeListener | null = null;
  let telling: Promise<void> = Promise.resolve();
  const tell = (act: Pick<AdminAct, "type" | "id" | "after">): void => {
    // The service itself saw it: it has no origin.
    const told = {
      ...act,
      at: new Date(now()).toISOString(),
      origin: {},
      kind: "created",
      before: null,
    } as const;
    telling = telling
      .then(() => trail.tell({ ...told, revision: 1 }))
      .catch((error: unknown) => log.error({ err: error }, "telling the trail of administration failed"));
  };
  return {
    listen: (given) => {
      listener = given;
    },
    settled: () => telling,
    onExceeded: (exceeded) => {
      const { tenant, connection, ...rest } = exceeded;
      log.warn(exceeded, "guard: more changes than expected");
      listener?.onExceeded(exceeded);
      tell({ type: "GuardExceeded", id: `${tenant}/${connection}/${rest.measure}`, after: { ...rest } });
    },
    onSilent: (silent) => {
      const { tenant, connection, ...rest } = silent;
      log.warn(silent, "connection is silent");
      listener?.onSilent(silent);
      tell({ type: "ConnectionSilence", id: `${tenant}/${connection}`, after: { ...rest } });
    },
    onAttempt: (receiver, outcome) => listener?.onAttempt(receiver, outcome),
  };
}
