/**
 * What metrics are made with: loaded on demand, since a server without metrics needs nothing of it.
 * @module
 */
import type * as library from "prom-client";
import type { MetricObjectWithValues, MetricValue } from "prom-client";

/** The library. */
export type Prometheus = typeof library;

/** What one process has counted: plain data, which goes from process to process. */
export type MetricReport = readonly MetricObjectWithValues<MetricValue<string>>[];
