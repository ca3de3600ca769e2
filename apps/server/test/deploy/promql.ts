/**
 * Queries of Prometheus, read by the grammar that Prometheus's own editor uses.
 * @module
 */
import { parser } from "@prometheus-io/lezer-promql";

/** The part of a query that is no PromQL; null where all is. Variables of Grafana stand for a duration. */
export function promqlFault(query: string): string | null {
  const text = query.replaceAll("$__rate_interval", "5m");
  let fault: string | null = null;
  parser.parse(text).iterate({
    enter: ({ type, from }) => {
      if (type.isError) fault ??= text.slice(Math.max(0, from - 20), from + 20);
    },
  });
  return fault;
}
