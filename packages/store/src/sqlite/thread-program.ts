/**
 * How the programs of threads are found and started.
 * @module
 */

// Sources run as they are, what is built from them as JavaScript.
const IS_SOURCE = import.meta.url.endsWith(".ts");

/** The address of a thread's program beside this file, by its name without ending. */
export function programOf(name: string): URL {
  return new URL(`./${name}.${IS_SOURCE ? "ts" : "js"}`, import.meta.url);
}

/** Options of Node in a thread: none of the program's own, which may load what has no place in it. */
export const NODE_OPTIONS: readonly string[] = [
  "--disable-warning=ExperimentalWarning",
  ...(IS_SOURCE ? ["--conditions=@scim/source"] : []),
];
