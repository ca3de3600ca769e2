/**
 * The audit log of a tenant as JSON lines that a program can verify. While they are read, entries come and are signed, and others
 * go by retention: what is written fits together all the same.
 * @module
 */
import { type Checkpoint, statedEntry } from "@scim/events";
import { CommandFailure, EXIT } from "../failure.ts";
import type { AuditReading, ExportedEntry } from "./audit-reading.ts";

/** The log that is exported. */
export interface ExportedLog {
  readonly audit: Pick<AuditReading, "entries" | "checkpoints">;
  /** Entries behind this position; 0 for all. */
  readonly since: number;
  /** Told of how many entries come next. */
  readonly onEntries: (count: number) => void;
}

/** Entries, or checkpoints, that are read at once. */
const PAGE = 500;

/**
 * The entries, and behind them the checkpoints, a line for each.
 * @throws CommandFailure where entries went before they were read: no checkpoint stands for a gap in the middle
 */
export async function* exportedLines(log: ExportedLog): AsyncGenerator<string, void, undefined> {
  const { audit, since, onEntries } = log;
  const { entries, signed } = await beginningOf(log);
  let last = since;
  for (let page = entries; page.length > 0; page = await pageBehind(log, last)) {
    onEntries(page.length);
    for (const entry of page) yield `${lineOf(entry)}\n`;
    last = page.at(-1)?.position ?? last;
  }
  for (const checkpoint of signed) yield checkpointLine(checkpoint);
  const written = new Set(signed.map(({ position }) => position));
  for await (const checkpoint of checkpointsFrom(audit, since)) {
    // What is signed behind the last entry that was read is of a later export.
    if (checkpoint.position > last) return;
    if (!written.has(checkpoint.position)) yield checkpointLine(checkpoint);
  }
}

interface Beginning {
  readonly entries: readonly ExportedEntry[];
  /** The checkpoints that stand for what was before the first entry: they go where later entries go. */
  readonly signed: readonly Checkpoint[];
}

/** The first entries, and what stands for those before them, from between two removals. */
async function beginningOf({ audit, since }: ExportedLog): Promise<Beginning> {
  for (;;) {
    const entries = await audit.entries(since, PAGE);
    const first = entries[0]?.position;
    const signed = await audit.checkpoints(first === undefined ? since : first - 1, PAGE);
    const [again] = await audit.entries(since, 1);
    if (again?.position === first)
      return { entries, signed: signed.filter(({ position }) => first === undefined || position < first) };
  }
}

/** @throws CommandFailure where entries behind the position went */
async function pageBehind({ audit, since }: ExportedLog, last: number): Promise<readonly ExportedEntry[]> {
  const page = await audit.entries(last, PAGE);
  if (page[0]?.position === last + 1) return page;
  // Entries that somebody else removed are missing in the file as they are in the log.
  const [first] = await audit.entries(since, 1);
  const begin = first?.position ?? ((await audit.checkpoints(last + 1, 1))[0]?.position ?? last) + 1;
  if (begin <= last + 1) return page;
  throw new CommandFailure(
    EXIT.failed,
    `The entries behind position ${last} went by retention before they were read. Export the log anew.`,
  );
}

async function* checkpointsFrom(
  audit: ExportedLog["audit"],
  since: number,
): AsyncGenerator<Checkpoint, void, undefined> {
  for (let from = since; ;) {
    const page = await audit.checkpoints(from, PAGE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    from = last.position + 1;
  }
}

function checkpointLine(checkpoint: Checkpoint): string {
  return `${JSON.stringify({ checkpoint })}\n`;
}

/** What is no entry any more, or would be no line, is text. */
function lineOf({ position, hash, text }: ExportedEntry): string {
  const isLine = statedEntry({ text }) !== null && !/[\n\r]/.test(text);
  return isLine
    ? `{"hash":${JSON.stringify(hash)},"entry":${text}}`
    : JSON.stringify({ hash, position, unreadable: text });
}
