/**
 * What is wrong with a text, found in any order, and told in the order of `decodeJson`: nesting, syntax, numbers, halves
 * of pairs, repeated names; of each kind the first in the text.
 * @module
 */
import { halfPair, inexactNumber, nestsTooDeep, syntaxFault } from "../json/refusals.ts";
import type { TextPlace } from "./cursor.ts";

interface SyntaxFault {
  readonly place: TextPlace;
  readonly problem: string | null;
}

/** The faults of one text. */
export class Faults {
  #tooDeep: TextPlace | null = null;
  #maxDepth = 0;
  #syntax: SyntaxFault | null = null;
  #inexact: TextPlace | null = null;
  #half: TextPlace | null = null;
  #repeated: SyntaxFault | null = null;

  get isTooDeep(): boolean {
    return this.#tooDeep !== null;
  }

  get hasSyntaxFault(): boolean {
    return this.#syntax !== null;
  }

  tooDeep(place: TextPlace, maxDepth: number): void {
    this.#tooDeep = place;
    this.#maxDepth = maxDepth;
  }

  syntax(place: TextPlace, problem: string | null): void {
    if (this.#syntax === null || place.offset < this.#syntax.place.offset) this.#syntax = { place, problem };
  }

  inexact(place: TextPlace): void {
    this.#inexact = earlier(this.#inexact, place);
  }

  halfPair(place: TextPlace): void {
    this.#half = earlier(this.#half, place);
  }

  repeated(place: TextPlace, problem: string | null): void {
    if (this.#repeated === null || place.offset < this.#repeated.place.offset)
      this.#repeated = { place, problem };
  }

  throwTooDeep(): void {
    if (this.#tooDeep !== null) throw nestsTooDeep(this.#maxDepth, String(this.#tooDeep));
  }

  throwFirst(): void {
    if (this.#syntax !== null) {
      // Whoever looks for the fault of a text that is no JSON takes a repeated name before it for one.
      const isFirst = this.#repeated !== null && this.#repeated.place.offset < this.#syntax.place.offset;
      const { problem, place } = isFirst && this.#repeated !== null ? this.#repeated : this.#syntax;
      throw syntaxFault(problem, String(place));
    }
    if (this.#inexact !== null) throw inexactNumber(String(this.#inexact));
    if (this.#half !== null) throw halfPair(String(this.#half));
    if (this.#repeated !== null) throw syntaxFault(this.#repeated.problem, String(this.#repeated.place));
  }
}

function earlier(known: TextPlace | null, place: TextPlace): TextPlace {
  return known === null || place.offset < known.offset ? place : known;
}
