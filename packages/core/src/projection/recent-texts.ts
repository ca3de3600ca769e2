/**
 * Keeps the texts of representations that are asked for again and again.
 * @module
 */
import type { CacheCounts } from "@scim/filter";
import type { ResourceModel } from "../model/resource-model.ts";
import { NO_VERSION, type StoredText } from "../store/stored-resource.ts";
import { type RepresentedText, representText } from "./represent-text.ts";
import type { Selection } from "./selection.ts";

/** Most texts of one generation; of the ids that were asked for once as well. */
const GENERATION_SIZE = 1000;
/** Longest text that is kept, in UTF-16 code units: all of them together take some 16 MiB at most. */
const LONGEST_KEPT = 4096;

/** A text, and all that it was made of. */
interface Made {
  readonly selection: Selection;
  readonly input: RepresentedText;
  readonly text: string;
}

/**
 * Makes texts as `representText` does, and hands out one that it has made of the very same: whatever differs, if it is a
 * letter of what is stored, makes another. So nobody has to tell it what was changed, here or by another process.
 *
 * A text is kept where its id is asked for again: who walks through all resources once pays for no more than a look.
 */
export class RecentTexts {
  // Two generations: what is used moves to the young one, and when that is full, the old one goes.
  #young = new Map<string, Made>();
  #old = new Map<string, Made>();
  readonly #askedOnce = new Set<string>();
  #hits = 0;
  #misses = 0;

  /** The text of a representation. */
  textOf(model: ResourceModel, selection: Selection, input: RepresentedText): string {
    if (!isWhollyTold(selection, input)) return representText(model, selection, input);
    const { id } = input.stored;
    const known = this.#find(id);
    if (known !== undefined && isOfSame(known, { selection, input })) {
      this.#hits += 1;
      return known.text;
    }
    this.#misses += 1;
    const text = representText(model, selection, input);
    if (text.length <= LONGEST_KEPT && (known !== undefined || this.#isAskedAgain(id)))
      this.#keep(id, { selection, input, text });
    return text;
  }

  /** How often a text was there already; those that are never kept do not count. */
  counts(): CacheCounts {
    return { hits: this.#hits, misses: this.#misses };
  }

  #find(id: string): Made | undefined {
    const young = this.#young.get(id);
    if (young !== undefined) return young;
    const old = this.#old.get(id);
    if (old !== undefined) this.#keep(id, old);
    return old;
  }

  #keep(id: string, made: Made): void {
    if (this.#young.size >= GENERATION_SIZE) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(id, made);
  }

  #isAskedAgain(id: string): boolean {
    if (this.#askedOnce.delete(id)) return true;
    if (this.#askedOnce.size >= GENERATION_SIZE) this.#askedOnce.clear();
    this.#askedOnce.add(id);
    return false;
  }
}

/** Whether what `isOfSame` compares is all that a text is made of: inverses are part of the version, collections are not. */
function isWhollyTold({ asked }: Selection, { stored, version }: RepresentedText): boolean {
  if (asked || version === NO_VERSION) return false;
  for (const values of stored.collections.values()) if (values.length > 0) return false;
  return true;
}

/** A selection is of one model, and a location begins with the base of all addresses. */
function isOfSame({ selection, input }: Made, other: Omit<Made, "text">): boolean {
  return (
    selection === other.selection &&
    input.version === other.input.version &&
    input.location === other.input.location &&
    isSameStored(input.stored, other.input.stored)
  );
}

function isSameStored(one: StoredText, other: StoredText): boolean {
  return one.lastModified === other.lastModified && one.created === other.created && one.text === other.text;
}
