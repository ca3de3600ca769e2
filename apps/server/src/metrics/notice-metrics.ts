/**
 * Metrics of guards, silent connections and the receivers of events.
 * @module
 */
import type { AttemptOutcome, GuardMeasure } from "@scim/events";
import type { Store } from "@scim/store/sqlite";
import type { Registry } from "prom-client";
import type { NoticeListener } from "../notices/notices.ts";
import { type CallerLabels, createCallerLabels, OTHER } from "./label-values.ts";
import type { Prometheus } from "./prometheus.ts";
import type { StoreAnswers } from "./store-answers.ts";

/** What these metrics are made with. */
export interface NoticeMetricsOptions {
  readonly prometheus: Prometheus;
  readonly registry: Registry;
  /** Tenants that have a label of their own, with their connections and receivers. */
  readonly tenants: ReadonlySet<string>;
  readonly store: Pick<Store, "heldChanges" | "backlogs">;
  readonly answers: StoreAnswers;
}

/** What counts notices. */
export interface NoticeMetrics extends Omit<NoticeListener, "onListened"> {
  /** Begins to count those of a connection at nothing: of a series that begins at 1, Prometheus sees no increase. */
  readonly expect: (caller: CallerLabels) => void;
}

const MEASURES: readonly GuardMeasure[] = ["deactivations", "deletions", "removals"];
const OUTCOMES: readonly AttemptOutcome[] = ["delivered", "failed", "dead", "gone"];

/** Makes the metrics. Returns what counts. */
export function createNoticeMetrics(options: NoticeMetricsOptions): NoticeMetrics {
  const { prometheus, registry, tenants } = options;
  const registers = [registry];
  const callerOf = createCallerLabels(tenants);
  const exceeded = new prometheus.Counter({
    name: "scim_guard_exceeded_total",
    help: "Windows in which a connection changed more than its guard expects, by what was counted.",
    labelNames: ["tenant", "connection", "measure"],
    registers,
  });
  const silences = new prometheus.Counter({
    name: "scim_connection_silences_total",
    help: "How often a connection was silent for longer than its cadence.",
    labelNames: ["tenant", "connection"],
    registers,
  });
  const deliveries = new prometheus.Counter({
    name: "scim_deliveries_total",
    help: "Attempts to deliver an event: delivered, failed (tried again), dead (given up), gone (the receiver wants no more).",
    labelNames: ["tenant", "receiver", "outcome"],
    registers,
  });
  const receiverOf = createCallerLabels(tenants, (receiver) => {
    for (const outcome of OUTCOMES) deliveries.inc({ ...receiverLabels(receiver), outcome }, 0);
  });
  addHeld(options);
  addBacklogs(options, receiverOf);
  return {
    expect: (caller) => {
      for (const measure of MEASURES) exceeded.inc({ ...caller, measure }, 0);
      silences.inc({ ...caller }, 0);
    },
    onExceeded: ({ tenant, connection, measure }) =>
      exceeded.inc({ ...callerOf(tenant, connection), measure }),
    onSilent: ({ tenant, connection }) => silences.inc({ ...callerOf(tenant, connection) }),
    onAttempt: ({ tenant, id }, outcome) =>
      deliveries.inc({ ...receiverLabels(receiverOf(tenant, id)), outcome }),
  };
}

/** Receivers are named as connections are. */
function receiverLabels({
  tenant,
  connection,
}: CallerLabels): Readonly<Record<"tenant" | "receiver", string>> {
  return { tenant, receiver: connection };
}

/** What is held, and waits, is one for all processes: each tells of the same. */
function addHeld({ prometheus: { Gauge }, registry, tenants, store, answers }: NoticeMetricsOptions): void {
  const held = answers.figure(() => store.heldChanges());
  registry.registerMetric(
    new Gauge({
      name: "scim_guard_held_changes",
      help: "Changes that guards hold and nobody has decided on.",
      labelNames: ["tenant"],
      aggregator: "max",
      registers: [],
      async collect() {
        const counts = await held();
        this.reset();
        for (const [tenant, count] of counts ?? [])
          this.inc({ tenant: tenants.has(tenant) ? tenant : OTHER }, count);
      },
    }),
  );
}

function addBacklogs(
  { prometheus: { Gauge }, registry, store, answers }: NoticeMetricsOptions,
  receiverOf: ReturnType<typeof createCallerLabels>,
): void {
  const look = answers.figure(() => store.backlogs());
  const gauge = (figure: "events" | "dead", text: { readonly name: string; readonly help: string }): void => {
    registry.registerMetric(
      new Gauge({
        ...text,
        labelNames: ["tenant", "receiver"],
        aggregator: "max",
        registers: [],
        async collect() {
          const backlogs = await look();
          this.reset();
          for (const { tenant, id, ...backlog } of backlogs ?? [])
            this.inc(receiverLabels(receiverOf(tenant, id)), backlog[figure]);
        },
      }),
    );
  };
  gauge("events", {
    name: "scim_receiver_lag_events",
    help: "Events that a receiver has not been told, those that are tried again among them.",
  });
  gauge("dead", { name: "scim_receiver_dead_letters", help: "Events that were given up for a receiver." });
}
