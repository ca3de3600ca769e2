/**
 * What happens beside the requests and somebody has to know: a guard that has had enough, a connection that has
 * fallen silent, and a credential that ends soon. Each is logged, counted, and told in the trail of administration, whose
 * webhooks tell it on.
 * @module
 */
import type { AttemptOutcome, AuditStore, GuardExceeded, Receiver, SilentConnection } from "@scim/events";
import {
  ADMIN_TENANT,
  type AdminAct,
  type AdminTrail,
  type ConnectionName,
  type ExpiringCredential,
} from "@scim/tenancy";
import type { Logger } from "pino";

/** Who counts. */
export interface NoticeListener {
  readonly onExceeded: (exceeded: GuardExceeded) => void;
  readonly onSilent: (silent: SilentConnection) => void;
  /** Told again and again of each connection whose silence is listened for. */
  readonly onListened: (connection: ConnectionName) => void;
  readonly onAttempt: (receiver: Receiver, outcome: AttemptOutcome) => void;
}

/** Where it is told. */
export interface Notices extends NoticeListener {
  /** Told at each look of a credential that ends soon. The trail tells it once. */
  readonly onExpiring: (credential: ExpiringCredential) => Promise<void>;
  /** Has a listener told of all that comes; there is one at most. */
  listen(listener: NoticeListener): void;
  /** Resolves when everything is told. */
  settled(): Promise<void>;
}

/** What notices are made with. */
export interface NoticeParts {
  readonly log: Logger;
  readonly trail: AdminTrail;
  /** Where the trail is read. */
  readonly audit: Pick<AuditStore, "find">;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
}

type Told = Pick<AdminAct, "type" | "id" | "after">;

/** Makes the notices of a process. */
export function createNotices({ log, trail, audit, now }: NoticeParts): Notices {
  let listener: NoticeListener | null = null;
  let telling: Promise<void> = Promise.resolve();
  const write = (act: Told): Promise<void> => {
    // The service itself saw it: it has no origin.
    const told = {
      ...act,
      at: new Date(now()).toISOString(),
      origin: {},
      kind: "created",
      before: null,
    } as const;
    return trail.tell({ ...told, revision: 1 });
  };
  const onError = (error: unknown): void =>
    log.error({ err: error }, "telling the trail of administration failed");
  const tell = (act: Told): void => {
    telling = telling.then(() => write(act)).catch(onError);
  };
  const tellOnce = async (act: Told): Promise<void> => {
    const { entries } = await audit.find(ADMIN_TENANT, { type: act.type, id: act.id, after: 0, limit: 1 });
    if (entries.length === 0) await write(act);
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
    onExpiring: ({ kind, tenant, connection, id, client, expires }) =>
      tellOnce({
        type: "CredentialExpiry",
        id: `${tenant}/${connection}/${id}`,
        after: { kind, expires, ...(client === null ? {} : { client }) },
      }).catch(onError),
    onListened: (connection) => listener?.onListened(connection),
    onAttempt: (receiver, outcome) => listener?.onAttempt(receiver, outcome),
  };
}
