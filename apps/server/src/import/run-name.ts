/**
 * The name of a run: it goes on where the same bytes are read in the same way.
 * @module
 */
import { createHash } from "node:crypto";
import type { CsvMapping } from "../csv/mapping.ts";
import type { Operator } from "../operator/operator.ts";
import type { ImportOptions } from "./import-options.ts";

/** What a name is made of. */
export interface NamedRun {
  readonly operator: Pick<Operator, "context" | "registry">;
  readonly options: ImportOptions;
  /** What the mapping says: its path may be that of another by then. */
  readonly mapping: CsvMapping | null;
  /** Tells the source from others. */
  readonly fingerprint: string;
}

/** The name of a run. */
export interface RunName {
  readonly run: string;
  /** How the names of all runs of its source begin, in whatever way they read it. */
  readonly beginning: string;
}

/** Names a run: by its source and connection, and by all that says what becomes of a record. */
export function nameRun({ operator, options, mapping, fingerprint }: NamedRun): RunName {
  const { format, type, encoding, mode, keepIds, maxRecord } = options;
  const { context, registry } = operator;
  const beginning = `${digestOf([fingerprint, context.connection])}.`;
  const way = [
    { format, type, encoding, mode, keepIds, maxRecord, mapping },
    [...context.profile.switches].toSorted(),
    [registry.resourceTypes(), registry.schemas()],
  ];
  return { run: `${beginning}${digestOf(way)}`, beginning };
}

function digestOf(content: unknown): string {
  const text = JSON.stringify(content, (_, value: unknown) => (value instanceof Map ? [...value] : value));
  return createHash("sha256").update(text).digest("base64url");
}
