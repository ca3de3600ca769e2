/**
 * One connection to a PostgreSQL database. It keeps no state that another connection would lack, but names of
 * prepared statements where the option allows them.
 * @module
 */
import { connect } from "node:net";
import type { PoolClient } from "pg";
import type { Sql } from "../sql.ts";
import type { Answer } from "../steps.ts";
import { DatabaseFailure, isOfNames, onlyReads, UnconfirmedCommit } from "./failures.ts";
import { Pipeline, type PipelineOutcome, type PipelineStatement } from "./pipeline.ts";
import type { SessionAge } from "./session-age.ts";
import type { StatementNames } from "./statement-names.ts";
import { BEGIN_SNAPSHOT, BEGIN_WRITE, COMMIT, ROLLBACK } from "./statements.ts";
import { PATIENCE, wireOf } from "./wire.ts";
import { wireStatement } from "./wire-statement.ts";

/** How a connection runs statements. */
export interface ConnectionOptions {
  /** Milliseconds after which statements are cancelled that have been sent. */
  readonly statementTimeout: number;
  /** What statements are prepared under. */
  readonly names: StatementNames;
  readonly age: SessionAge;
}

/** Statements that a connection keeps prepared. */
const PREPARED_STATEMENTS = 256;

/** A connection. One pipeline runs at a time; others wait. */
export class PostgresConnection {
  readonly #client: PoolClient;
  readonly #options: ConnectionOptions;
  readonly #prepared = new Map<string, string>();
  readonly #age: object;
  #isBroken = false;
  #wasCancelled = false;
  #inTransaction = false;

  constructor(client: PoolClient, options: ConnectionOptions) {
    this.#client = client;
    this.#options = options;
    this.#age = options.age.current;
  }

  /** Whether it can be used no more. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Whether it is lent no more: it is broken or too old, or a cancellation may yet hit what runs on it next. */
  get isSpent(): boolean {
    return this.#isBroken || this.#wasCancelled || this.#age !== this.#options.age.current;
  }

  /** Whether a transaction is open, or has failed and not been ended. */
  get inTransaction(): boolean {
    return this.#inTransaction;
  }

  /** Ends a transaction without keeping anything. It does not fail: a connection that cannot do this is given up. */
  async endTransaction(): Promise<void> {
    await this.run([ROLLBACK]).catch(() => this.destroy());
  }

  /**
   * Runs statements in one way there and back.
   * @throws DatabaseFailure with the place of the statement that failed
   * @throws UnconfirmedCommit
   */
  async run(statements: readonly Sql[], signal?: AbortSignal): Promise<readonly Answer[]> {
    signal?.throwIfAborted();
    const sent = statements.map((statement) => this.#prepare(statement));
    const { answers, error, unread } = await this.#send(sent, signal);
    this.#note(statements.slice(0, answers.length));
    if (error === null) {
      const commit = this.#wasCancelled ? statements.indexOf(COMMIT) : -1;
      if (commit !== -1) throw new UnconfirmedCommit(new Error("The commit was cut short"), commit);
      return answers;
    }
    const failure = new DatabaseFailure(error, answers.length);
    if (failure.isLost) this.#isBroken = true;
    if (onlyReads(failure)) this.#options.age.end(this.#age);
    for (const text of unread) this.#prepared.delete(text);
    if (isOfNames(failure)) this.#options.names.giveUp();
    signal?.throwIfAborted();
    throw failure;
  }

  /** Follows the transaction by what was carried out. */
  #note(statements: readonly Sql[]): void {
    for (const statement of statements) {
      if (statement === BEGIN_SNAPSHOT || statement === BEGIN_WRITE) this.#inTransaction = true;
      else if (statement === COMMIT || statement === ROLLBACK) this.#inTransaction = false;
    }
  }

  /** Gives the connection up at once. */
  destroy(): void {
    this.#isBroken = true;
    wireOf(this.#client).connection.stream.destroy();
  }

  /** Gives the connection up where the server does not heed soon that it was ended: it would keep the process alive. */
  endSoon(): void {
    setTimeout(() => this.destroy(), PATIENCE).unref();
  }

  /** Gives the connection up where the server heeds nothing: it may never answer on the others either. */
  #giveUp(): void {
    this.#options.age.end(this.#age);
    this.destroy();
  }

  #send(statements: readonly PipelineStatement[], signal: AbortSignal | undefined): Promise<PipelineOutcome> {
    return new Promise((resolve) => {
      const cancel = (): void => this.#cancel();
      let patience = setTimeout(cancel, this.#options.statementTimeout);
      const giveUp = setTimeout(() => this.#giveUp(), this.#options.statementTimeout + PATIENCE);
      const abort = (): void => {
        cancel();
        clearTimeout(patience);
        patience = setTimeout(() => this.#giveUp(), PATIENCE);
      };
      signal?.addEventListener("abort", abort, { once: true });
      const pipeline = new Pipeline(statements, (outcome) => {
        clearTimeout(patience);
        clearTimeout(giveUp);
        signal?.removeEventListener("abort", abort);
        resolve(outcome);
      });
      this.#client.query(pipeline);
    });
  }

  /** Asks the server, on a connection of its own, to end what this one runs. */
  #cancel(): void {
    const { host, port, processID, secretKey } = wireOf(this.#client);
    if (processID === null || secretKey === null) return this.destroy();
    this.#wasCancelled = true;
    const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    const request = Buffer.alloc(16);
    [request.length, CANCEL_REQUEST, processID, secretKey].forEach((value, index) =>
      request.writeInt32BE(value | 0, index * 4),
    );
    socket.on("error", () => undefined);
    socket.end(request);
    setTimeout(() => socket.destroy(), PATIENCE).unref();
  }

  #prepare(sql: Sql): PipelineStatement {
    const statement = wireStatement(sql);
    const { names } = this.#options;
    if (!names.areUsed || statement.values.length === 0) {
      return { ...statement, name: "", isNew: true };
    }
    const known = this.#prepared.get(statement.text);
    if (known !== undefined) return { ...statement, name: known, isNew: false };
    // Beyond the bound, texts are rare ones, such as those of long filters.
    if (this.#prepared.size >= PREPARED_STATEMENTS) return { ...statement, name: "", isNew: true };
    const name = names.of(statement.text);
    this.#prepared.set(statement.text, name);
    return { ...statement, name, isNew: true };
  }
}

const CANCEL_REQUEST = 80_877_102;
