/**
 * The totals of workers that died, as one report: however many die, it holds each series once.
 * @module
 */
import type { MetricReport } from "../metrics/prometheus.ts";

type Metric = MetricReport[number];

/** What of a worker that died counts on: totals must never go down. */
const TOTALS: ReadonlySet<string> = new Set(["counter", "histogram"]);

/** Adds the totals of a report to those of others, series by series. */
export function addedTotals(others: MetricReport, report: MetricReport): MetricReport {
  const sums = new Map(others.map((metric) => [metric.name, metric]));
  for (const metric of report) {
    // The type of a metric stands in no declaration of the library, and in each of its reports.
    if (!TOTALS.has(String(metric.type))) continue;
    const before = sums.get(metric.name);
    sums.set(metric.name, before === undefined ? metric : added(before, metric));
  }
  return [...sums.values()];
}

function added(before: Metric, metric: Metric): Metric {
  const values = new Map(before.values.map((value) => [seriesOf(value), value]));
  for (const each of metric.values) {
    const series = seriesOf(each);
    values.set(series, { ...each, value: each.value + (values.get(series)?.value ?? 0) });
  }
  return { ...metric, values: [...values.values()] };
}

/** What tells a series from the others of its metric: its labels, and of a histogram what of it is counted. */
function seriesOf({ value: _value, labels, ...name }: Metric["values"][number]): string {
  return JSON.stringify([name, Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1))]);
}
