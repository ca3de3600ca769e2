/**
 * Carries out what the thread that writes imports is asked.
 * @module
 */
import type { WriteAllResult } from "@scim/core";
import type { CommitQueue } from "./commit-queue.ts";
import type { SqliteConnection } from "./connection.ts";
import { sqliteDialect } from "./dialect.ts";
import type { ImportReply, ImportRequestMessage } from "./import-messages.ts";
import { ImportStage } from "./import-stage.ts";
import type { LogFlush } from "./log-flush.ts";

type RowsRequest = Extract<ImportRequestMessage, { readonly kind: "rows" }>;
type WriteRequest = Extract<ImportRequestMessage, { readonly kind: "write" }>;

/** What requests are carried out with. */
export interface ImportWork {
  readonly connection: SqliteConnection;
  /** Writes on that connection. */
  readonly queue: CommitQueue;
  /** Brings to the disk what was committed, while the next write is inserted. Null where COMMIT waits for the disk. */
  readonly log: LogFlush | null;
  readonly reply: (reply: ImportReply) => void;
}

/** The requests of one thread. */
export class ImportRequests {
  readonly #work: ImportWork;
  /** What each sender has gathered. */
  readonly #stages = new Map<number, ImportStage>();
  /** Why resources of a sender could not be staged: its next write fails. */
  readonly #failures = new Map<number, unknown>();
  /** Resolves when what each sender asked is done. */
  readonly #turns = new Map<number, Promise<void>>();
  #done: Promise<void> = Promise.resolve();
  /** Resolves when what was written last is on the disk, or may not be. */
  #flushed: Promise<void> = Promise.resolve();

  constructor(work: ImportWork) {
    this.#work = work;
  }

  /**
   * Carries out a request behind those before of its sender: what is staged while a write waits for its lock is not part of
   * it. One write follows the other; meanwhile others stage, so that their resources do not become old as they are.
   */
  take(request: ImportRequestMessage): void {
    const turn = this.#turns.get(request.sender) ?? Promise.resolve();
    if (request.kind === "rows") {
      this.#turns.set(
        request.sender,
        turn.then(() => this.#stage(request)),
      );
      return;
    }
    this.#done = Promise.all([turn, this.#done]).then(() => this.#answer(request));
    this.#turns.set(request.sender, this.#done);
  }

  /** Resolves when all that was asked is done, and flushed as far as it can be. */
  async close(): Promise<void> {
    await this.#done;
    await Promise.all(this.#turns.values());
    await this.#flushed;
    await this.#work.log?.close();
  }

  #stage({ sender, groups }: RowsRequest): void {
    try {
      this.#stageOf(sender).add(groups);
    } catch (error) {
      this.#failures.set(sender, error);
    }
  }

  #stageOf(sender: number): ImportStage {
    const known = this.#stages.get(sender);
    if (known !== undefined) return known;
    const made = new ImportStage(this.#work.connection, `staged_${sender}`);
    this.#stages.set(sender, made);
    return made;
  }

  async #answer(request: WriteRequest): Promise<void> {
    const { connection, reply } = this.#work;
    const { sender } = request;
    const staged = this.#stageOf(sender);
    try {
      if (this.#failures.has(sender)) throw this.#failures.get(sender);
      const result = await this.#write(request, staged);
      // One write at a time is on its way to the disk.
      await this.#flushed;
      reply({ kind: "done", result, changed: connection.takeChanged() });
      if (result.kind === "written") this.#flushed = this.#confirm();
    } catch (error) {
      reply({ kind: "failed", message: messageOf(error) });
    }
    this.#failures.delete(sender);
    staged.clear();
  }

  async #write({ tenant, connection, step }: WriteRequest, staged: ImportStage): Promise<WriteAllResult> {
    const { queue, log, reply } = this.#work;
    await log?.ready();
    return queue.submit((transaction) => {
      reply({ kind: "begun" });
      return staged.insert({ scope: { tenant, connection }, dialect: sqliteDialect, transaction }, step);
    });
  }

  async #confirm(): Promise<void> {
    const { log, reply } = this.#work;
    try {
      await log?.flush();
      reply({ kind: "flushed" });
    } catch (error) {
      reply({ kind: "lost", message: messageOf(error) });
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
