/**
 * The nodes of a YAML document, read as what is expected there. What is not as it should be is noted with its place, and
 * reading goes on, so that all faults of a file are told at once.
 * @module
 */
import { isAlias, isMap, isNode, isScalar, isSeq, type LineCounter, type Node, type Scalar } from "yaml";
import type { JsonValue } from "@scim/schemas";
import type { Place } from "./document.ts";
import type { MappingFault } from "./mapping-error.ts";

/** A node that is there, with the words that lead to it. */
export interface Spot {
  readonly node: Node | null;
  readonly path: string;
}

/** Reads nodes, and collects what is wrong. */
export class YamlNodes {
  readonly #lines: LineCounter;
  readonly #faults: MappingFault[];

  /** @param faults takes what is found to be wrong */
  constructor(lines: LineCounter, faults: MappingFault[]) {
    this.#lines = lines;
    this.#faults = faults;
  }

  /** A number within bounds; null where there is none, or another value. */
  number(
    spot: Spot | undefined,
    { from, to }: { readonly from: number; readonly to: number },
  ): number | null {
    if (spot === undefined) return null;
    const value = isScalar(spot.node) ? spot.node.value : null;
    if (typeof value === "number" && value >= from && value <= to) return value;
    this.fault(
      spot,
      to === Number.MAX_SAFE_INTEGER ? `A number from ${from}.` : `A number from ${from} to ${to}.`,
    );
    return null;
  }

  /** A text that is not empty; the empty one where it is something else. */
  text(spot: Spot): string {
    const value = isScalar(spot.node) ? spot.node.value : null;
    if (typeof value === "string" && value !== "") return value;
    this.fault(spot, "It must be a text.");
    return "";
  }

  /** The items of a list; none where it is something else. */
  items({ node, path }: Spot): readonly Spot[] {
    if (isSeq(node))
      return node.items.flatMap((each, at) => this.#held(each, { node, path: `${path}[${at}]` }));
    this.fault({ node, path }, "It must be a list.");
    return [];
  }

  /** The names of an object with their values; none where it is something else. */
  pairs(spot: Spot | null): readonly (readonly [string, Spot])[] {
    if (spot === null) return [];
    const { node, path } = spot;
    if (!isMap(node)) {
      this.fault(spot, "It must be an object: names with values.");
      return [];
    }
    return node.items.flatMap(({ key, value }) => {
      const name = nameOf(key);
      const at = { node: isNode(key) ? key : node, path: joined(path, name) };
      return this.#held(value, at).map((held) => [name, held] as const);
    });
  }

  /** What stands at a place, as one or none. Nothing else must stand in for it: that would be written into the target. */
  #held(value: unknown, at: Spot): readonly Spot[] {
    if (isMap(value) || isSeq(value) || isScalar(value)) return [{ ...at, node: value }];
    this.fault(
      isNode(value) ? { ...at, node: value } : at,
      isAlias(value)
        ? `'*${value.source}' is no value here: write out what it stands for.`
        : "It has no value: write one behind a colon.",
    );
    return [];
  }

  /** The members of an object by name: `known` ones alone, and every `required` one. */
  members(spot: Spot, known: readonly string[], required: readonly string[]): ReadonlyMap<string, Spot> {
    const members = new Map(this.pairs(spot));
    for (const [name, each] of members)
      if (!known.includes(name)) this.fault(each, `'${name}' is unknown; known are ${known.join(", ")}.`);
    if (isMap(spot.node))
      for (const name of required) if (!members.has(name)) this.fault(spot, `'${name}' is missing.`);
    return members;
  }

  /** Where a node stands. */
  place({ node, path }: Spot): Place {
    const start = node?.range?.[0];
    if (start === undefined) return { line: 0, column: 0, path };
    const { line, col } = this.#lines.linePos(start);
    return { line, column: col, path };
  }

  /** Whether nothing was found to be wrong so far. */
  get areRight(): boolean {
    return this.#faults.length === 0;
  }

  /** Notes what is wrong with a node. */
  fault(spot: Spot, message: string): void {
    this.#faults.push({ ...this.place(spot), message });
  }
}

/** A name as it is written: YAML takes `01` for 1, and codes are no numbers. */
export function nameOf(key: unknown): string {
  return isScalar(key) ? (key.source ?? String(key.value)) : "";
}

/** A text, boolean or number; as it is written, where a number would be another one: `01`, `1.10`. Undefined for others. */
export function constantOf({ value, source }: Scalar): JsonValue | undefined {
  if (typeof value === "number") return source === undefined || source === String(value) ? value : source;
  return typeof value === "string" || typeof value === "boolean" || value === null ? value : undefined;
}

function joined(path: string, name: string): string {
  const plain = /^[\w$-]+$/.test(name);
  if (!plain) return `${path}["${name}"]`;
  return path === "" ? name : `${path}.${name}`;
}
