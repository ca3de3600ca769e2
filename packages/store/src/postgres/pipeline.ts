/**
 * Statements that are sent together and answered together: one way there and back, however many they are. The
 * first that fails ends them all.
 * @module
 */
import type { Connection, Submittable } from "pg";
import type { SqlValue } from "../sql.ts";
import type { Answer, Row } from "../steps.ts";
import type { WireStatement } from "./wire-statement.ts";

/** A statement of a pipeline, and the name that it is prepared under on this connection. */
export interface PipelineStatement extends WireStatement {
  /** Empty: it is not kept. */
  readonly name: string;
  /** Whether the server has to be told its text. */
  readonly isNew: boolean;
}

/** What became of a pipeline. */
export interface PipelineOutcome {
  /** Answers to the statements that were carried out. */
  readonly answers: readonly Answer[];
  /** What ended it: an error of the server at the statement behind the last answer, or of the connection. */
  readonly error: Error | null;
  /** Texts that the server has not said to have read: it keeps no name for them. It keeps those of a statement that failed later. */
  readonly unread: readonly string[];
}

/** A column of an answer. */
interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Reads a value of one type from its text. */
type ReadValue = (text: string) => SqlValue;

const asText: ReadValue = (text) => text;

/** Types by number, as the catalog of PostgreSQL fixes them: whole numbers, floats, numeric and xid8. */
const READERS: ReadonlyMap<number, ReadValue> = new Map(
  [20, 21, 23, 700, 701, 1700, 5069].map((type) => [type, Number]),
);

/** What the driver calls while statements run. */
export class Pipeline implements Submittable {
  readonly #statements: readonly PipelineStatement[];
  readonly #settle: (outcome: PipelineOutcome) => void;
  readonly #answers: Answer[] = [];
  /** Texts that the server has still to say that it has read them, in the order in which they were told. */
  readonly #unread: string[] = [];
  readonly #readNext = (): void => void this.#unread.shift();
  #stopListening: () => void = () => undefined;
  #fields: readonly Field[] = [];
  #rows: Row[] = [];

  constructor(statements: readonly PipelineStatement[], settle: (outcome: PipelineOutcome) => void) {
    this.#statements = statements;
    this.#settle = settle;
  }

  /** Sends everything in one packet. */
  submit(connection: Connection): void {
    // The driver does not pass it on as it does the rest.
    connection.on("parseComplete", this.#readNext);
    this.#stopListening = () => connection.off("parseComplete", this.#readNext);
    connection.stream.cork();
    let unnamed: string | null = null;
    for (const { name, text, values, isNew, answersRows } of this.#statements) {
      // A statement without a name stays until another comes: one that is sent many times is read and planned once.
      if (isNew && (name !== "" || text !== unnamed)) {
        connection.parse({ name, text, types: [] }, true);
        this.#unread.push(text);
      }
      if (name === "") unnamed = text;
      connection.bind({ statement: name, values: [...values] }, true);
      if (answersRows) connection.describe({ type: "P" }, true);
      connection.execute({}, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#fields = fields;
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const row: Record<string, SqlValue> = {};
    for (const [index, { name, dataTypeID }] of this.#fields.entries()) {
      const text = fields[index] ?? null;
      row[name] = text === null ? null : (READERS.get(dataTypeID) ?? asText)(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const answersRows = this.#statements[this.#answers.length]?.answersRows ?? false;
    this.#answers.push({ rows: this.#rows, changes: answersRows ? 0 : changesOf(text) });
    this.#rows = [];
    this.#fields = [];
  }

  handleError(error: Error): void {
    this.#end(error);
  }

  handleReadyForQuery(): void {
    this.#end(null);
  }

  #end(error: Error | null): void {
    this.#stopListening();
    this.#settle({ answers: this.#answers, error, unread: this.#unread });
  }
}

/** The number at the end of `INSERT 0 1`, `UPDATE 1` or `DELETE 1`; 0 for `BEGIN` and the like. */
function changesOf(tag: string): number {
  const count = Number(tag.slice(tag.lastIndexOf(" ") + 1));
  return Number.isNaN(count) ? 0 : count;
}
