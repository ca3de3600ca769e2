/**
 * How far sources were read, for the next run.
 * @module
 */
import { digestOf } from "../plan/desired.ts";
import type { Source } from "../sources/source.ts";
import type { FinishedRun } from "./finished-run.ts";

/** How far sources were read, by what they were asked for. */
export type ReadTo = Pick<FinishedRun, "tokens" | "asked">;

type Sources = ReadonlyMap<string, Source>;

/** What is known of the last run. */
export function readBefore(last: ReadTo | null): ReadTo {
  const { tokens = {}, asked } = last ?? {};
  return { tokens, ...(asked === undefined ? {} : { asked }) };
}

/** What is kept of a reading that came to its end. */
export function readTo(sources: Sources, tokens: FinishedRun["tokens"]): ReadTo {
  const asked = Object.keys(tokens).flatMap((name) => {
    const asks = sources.get(name)?.asks;
    return asks === undefined ? [] : [[name, digestOf([asks])] as const];
  });
  return { tokens, asked: Object.fromEntries(asked) };
}

/** The tokens that sources can be read behind: that of a source which was asked for something else is of no use. */
export function tokensFor(sources: Sources, { tokens, asked = {} }: ReadTo): FinishedRun["tokens"] {
  const isSame = (name: string): boolean => {
    const [asks, before] = [sources.get(name)?.asks, asked[name]];
    return asks === undefined || before === undefined || digestOf([asks]) === before;
  };
  return Object.fromEntries(Object.entries(tokens).filter(([name]) => isSame(name)));
}
