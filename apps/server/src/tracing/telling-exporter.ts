/**
 * Says when traces begin to be lost, and when they are sent again: OpenTelemetry by itself drops them in silence.
 * @module
 */
import { ExportResultCode } from "@opentelemetry/core";
import type { SpanExporter } from "@opentelemetry/sdk-trace";

/** Who is told. */
export interface TracingListeners {
  /** Told once when traces cannot be sent, until they can again. */
  readonly onLost: (error: unknown) => void;
  /** Told when they are sent again. */
  readonly onSentAgain: () => void;
}

/** What became of traces. */
export interface TracingOutcome {
  readonly sent: () => void;
  readonly lost: (error: unknown) => void;
}

/** Tells of each change between sending and losing. */
export function outcomeTeller({ onLost, onSentAgain }: TracingListeners): TracingOutcome {
  let isLosing = false;
  return {
    sent: () => {
      if (isLosing) onSentAgain();
      isLosing = false;
    },
    lost: (error) => {
      if (!isLosing) onLost(error);
      isLosing = true;
    },
  };
}

/** The exporter, which tells what became of what it exported. */
export function tellingExporter(exporter: SpanExporter, outcome: TracingOutcome): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code === ExportResultCode.SUCCESS) outcome.sent();
        else outcome.lost(result.error);
        done(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}
