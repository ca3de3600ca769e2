/**
 * Keeps the texts of representations that are asked for again and again.
 * @module
 */
import type { CacheCounts } from "@scim/filter";
import type { ResourceModel } from "../model/resource-model.ts";
import { NO_VERSION, type StoredText } from "../store/stored-resource.ts";
import { type RepresentedText, representText } from "./represent-text.ts";
import type { Selection } from "./selection.ts";

/** Places for texts, a power of two. */
const PLACES = 4096;
/** Places for the hashes of ids that were asked for once, a power of two: far more, so that few take each other's. */
const ASKED_PLACES = 32_768;
/** Longest text that is kept, in UTF-16 code units: all of them together take some 16 MiB at most. */
const LONGEST_KEPT = 2048;

/** A text, and all that it was made of. */
interface Made {
  readonly selection: Selection;
  readonly input: RepresentedText;
  readonly text: string;
}

/** What texts are kept in. */
interface Places {
  readonly made: (Made | undefined)[];
  /** The hash of the id that was asked for last, in vain, of those that share a place here. */
  readonly asked: Int32Array;
}

/**
 * Makes texts as `representText` does, and hands out one that it has made of the very same: whatever differs, if it is a
 * letter of what is stored, makes another. So nobody has to tell it what was changed, here or by another process.
 *
 * A text is kept where its id is asked for twice, and no other of the same place between: who walks through all resources
 * once pays for no more than a look. It has one of two places, which follow from the id. Places and not a `Map`: of a text that
 * was just read, each look-up would make a key that the engine has to collect again.
 */
export class RecentTexts {
  /** Made with the first text: a service that is never asked for one takes no memory for them. */
  #places: Places | null = null;
  #hits = 0;
  #misses = 0;

  /** The text of a representation. */
  textOf(model: ResourceModel, selection: Selection, input: RepresentedText): string {
    if (!isWhollyTold(selection, input)) return representText(model, selection, input);
    const hash = hashOf(input.stored.id);
    const [first, second] = [hash & (PLACES - 1), (hash >>> 16) & (PLACES - 1)];
    const { made, asked } = (this.#places ??= newPlaces());
    const known = sameOf(made[first], selection, input) ?? sameOf(made[second], selection, input);
    if (known !== null) {
      this.#hits += 1;
      return known;
    }
    this.#misses += 1;
    const text = representText(model, selection, input);
    const place = (hash ^ (hash >>> 15)) & (ASKED_PLACES - 1);
    if (asked[place] === hash && text.length <= LONGEST_KEPT) {
      const isSecondFree = made[first] !== undefined && made[second] === undefined;
      made[isSecondFree ? second : first] = { selection, input, text };
    }
    asked[place] = hash;
    return text;
  }

  /** How often a text was there already; those that are never kept do not count. */
  counts(): CacheCounts {
    return { hits: this.#hits, misses: this.#misses };
  }
}

function newPlaces(): Places {
  return { made: Array.from({ length: PLACES }), asked: new Int32Array(ASKED_PLACES) };
}

function sameOf(made: Made | undefined, selection: Selection, input: RepresentedText): string | null {
  return made !== undefined && isOfSame(made, { selection, input }) ? made.text : null;
}

/** FNV-1a, of 32 bits. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return hash;
}

/** Whether what `isOfSame` compares is all that a text is made of: inverses are part of the version, collections are not. */
function isWhollyTold({ asked }: Selection, { stored, version }: RepresentedText): boolean {
  if (asked || version === NO_VERSION) return false;
  for (const values of stored.collections.values()) if (values.length > 0) return false;
  return true;
}

/** A selection is of one model; a location begins with the base of all addresses, and ends with the id. */
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
