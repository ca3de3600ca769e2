/**
 * A bounded cache of parsed texts: clients send the same filters and paths again and again.
 * @module
 */
import type { AttributePath, FilterNode, PatchPath } from "../ast/nodes.ts";
import { DEFAULT_MAX_DEPTH, DEFAULT_MAX_LENGTH } from "./options.ts";
import type { ParseOptions } from "./options.ts";
import { attributePathProduction, filterProduction, parse, patchPathProduction } from "./parse.ts";
import type { Parsed, Production } from "./parse.ts";

/** How much a cache keeps. */
export interface FilterCacheOptions {
  /** Most texts kept of each kind (filters, PATCH paths, attribute paths). Default 1000; at least 2. */
  readonly max?: number;
}

/** How often a cache had what it was asked for, and how often it had not, since it was made. */
export interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
}

/**
 * Parses as the functions of the same name do, and keeps the trees. Options may differ from call to
 * call: a tree is handed out only where its text is within the limits and the tolerances that it needs
 * are on, and `onTolerance` is told of these each time. Errors are not kept, nor texts of more than 1024
 * characters. Trees are shared between callers: treat them as the constants that their types say they are.
 */
export interface FilterCache {
  /** @throws {@link FilterSyntaxError} */
  parseFilter(text: string, options?: ParseOptions): FilterNode;
  /** @throws {@link FilterSyntaxError} */
  parsePatchPath(text: string, options?: ParseOptions): PatchPath;
  /** @throws {@link FilterSyntaxError} */
  parseAttributePath(text: string, options?: ParseOptions): AttributePath;
  /** How often a tree was handed out, and how often a text had to be parsed, over all kinds of texts. */
  counts(): CacheCounts;
}

const DEFAULT_MAX = 1000;
const LONGEST_KEPT = 1024;

/**
 * Makes a cache. It keeps the texts used last: when it is full, those not used for half of its size are
 * dropped.
 * @example
 * ```ts
 * const cache = createFilterCache({ max: 500 });
 * cache.parseFilter('userName eq "bjensen"');
 * ```
 */
export function createFilterCache({ max = DEFAULT_MAX }: FilterCacheOptions = {}): FilterCache {
  const filters = new ParseCache(filterProduction, max);
  const patchPaths = new ParseCache(patchPathProduction, max);
  const attributePaths = new ParseCache(attributePathProduction, max);
  return {
    parseFilter: (text, options) => filters.parse(text, options ?? {}),
    parsePatchPath: (text, options) => patchPaths.parse(text, options ?? {}),
    parseAttributePath: (text, options) => attributePaths.parse(text, options ?? {}),
    counts: () => sumOf([filters, patchPaths, attributePaths]),
  };
}

function sumOf(caches: readonly CacheCounts[]): CacheCounts {
  return {
    hits: caches.reduce((sum, { hits }) => sum + hits, 0),
    misses: caches.reduce((sum, { misses }) => sum + misses, 0),
  };
}

// Two generations: what is used moves to the young one, and when that is full, the old one goes. So a hit
// among the young, the common case, writes nothing.
class ParseCache<Node> {
  hits = 0;
  misses = 0;
  readonly #production: Production<Node>;
  readonly #generationSize: number;
  #young = new Map<string, Parsed<Node>>();
  #old = new Map<string, Parsed<Node>>();

  constructor(production: Production<Node>, max: number) {
    this.#production = production;
    this.#generationSize = Math.max(1, Math.floor(max / 2));
  }

  parse(text: string, options: ParseOptions): Node {
    const kept = this.#find(text);
    if (kept !== undefined && isAllowed(kept, text, options)) {
      for (const name of kept.used) options.onTolerance?.(name);
      this.hits += 1;
      return kept.node;
    }
    this.misses += 1;
    const parsed = parse(this.#production, text, options);
    if (text.length <= LONGEST_KEPT) this.#keep(text, parsed);
    return parsed.node;
  }

  #find(text: string): Parsed<Node> | undefined {
    const young = this.#young.get(text);
    if (young !== undefined) return young;
    const old = this.#old.get(text);
    if (old !== undefined) this.#keep(text, old);
    return old;
  }

  #keep(text: string, parsed: Parsed<Node>): void {
    if (this.#young.size >= this.#generationSize) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(text, parsed);
  }
}

// A tolerance changes only texts that the grammar refuses, so a text that needed none reads the same
// under all options. Where it may not be handed out, parsing it throws the error that says why.
function isAllowed(parsed: Parsed<unknown>, text: string, options: ParseOptions): boolean {
  return (
    text.length <= (options.maxLength ?? DEFAULT_MAX_LENGTH) &&
    parsed.depth <= (options.maxDepth ?? DEFAULT_MAX_DEPTH) &&
    parsed.used.every((name) => options.tolerate?.has(name) === true)
  );
}
