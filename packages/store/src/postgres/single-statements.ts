/**
 * Reads of one statement, which need no transaction. That a read is one shows when it is over, so what is remembered
 * is which were not.
 * @module
 */
import { NO_ANSWER, type Steps } from "../steps.ts";
import type { PostgresConnection } from "./connection.ts";
import { readStatement } from "./read.ts";

/** Texts that are remembered: beyond that, all are tried again. */
const REMEMBERED = 1000;

/** What became of a read that was tried as one statement. */
export type Attempt<Result> = { readonly result: Result } | "several statements";

/** Which reads turned out to be several statements, by the text of their first. */
export class SingleStatements {
  readonly #several = new Set<string>();

  /** Runs the first statement of steps alone, unless they are known to have more. */
  async attempt<Result>(
    steps: Steps<Result>,
    lend: <Answered>(work: (connection: PostgresConnection) => Promise<Answered>) => Promise<Answered>,
  ): Promise<Attempt<Result>> {
    const first = steps.next(NO_ANSWER);
    if (first.done === true) return { result: first.value };
    const statement = readStatement(first.value);
    if (statement === null || this.#several.has(statement.text)) return "several statements";
    const [answer = NO_ANSWER] = await lend((connection) => connection.run([statement]));
    const next = steps.next(answer);
    if (next.done === true) return { result: next.value };
    if (this.#several.size >= REMEMBERED) this.#several.clear();
    this.#several.add(statement.text);
    return "several statements";
  }
}
