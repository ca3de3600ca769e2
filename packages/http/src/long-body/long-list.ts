/**
 * A list whose values are handed on as they come: it keeps no more than the text of the last one.
 * @module
 */
import type { JsonValue } from "@scim/schemas";
import { countNames } from "../json/decode.ts";
import { findFault } from "../json/fault.ts";
import { findHalfPair } from "../json/scan.ts";
import type { TextPlace } from "./cursor.ts";
import type { Faults } from "./faults.ts";

/** Takes the values of one list, some at a time. */
export type TakeValues = (values: readonly JsonValue[]) => void;

/** Some text of a list, between two commas or its ends. */
interface ListText {
  readonly text: string;
  /** Member names in it. */
  readonly names: number;
  /** The character that follows. */
  readonly behind: string;
}

/** A list that is open. */
export class LongList {
  /** How many brackets are open within it, itself included. */
  readonly depth: number;
  readonly #take: TakeValues;
  readonly #faults: Faults;
  /** Text behind the last value that was handed on, and where it begins. */
  #pending = "";
  #start: TextPlace;
  #hasValues = false;

  constructor(
    { take, depth }: { readonly take: TakeValues; readonly depth: number },
    start: TextPlace,
    faults: Faults,
  ) {
    this.#take = take;
    this.depth = depth;
    this.#start = start;
    this.#faults = faults;
  }

  /** Length of the text that is kept. */
  get length(): number {
    return this.#pending.length;
  }

  /** Keeps text that no comma ended. */
  keep(text: string): void {
    this.#pending += text;
  }

  /** Hands on the values before a comma; `next` is where the text behind it begins. */
  pass(text: string, names: number, next: TextPlace): void {
    this.#handOn({ text: this.#pending + text, names, behind: "," });
    this.#pending = "";
    this.#start = next;
  }

  /** Hands on the last values; tells whether the list had any. */
  close(text: string, names: number, behind: string): boolean {
    const whole = this.#pending + text;
    if (!this.#hasValues && SPACE.test(whole)) return false;
    this.#handOn({ text: whole, names, behind });
    return true;
  }

  /** The text ended within the list. */
  breakOff(): void {
    const before = this.#opening();
    const fault = findFault(before + this.#pending);
    const offset = (fault?.offset ?? before.length + this.#pending.length) - before.length;
    const place = this.#start.behind(this.#pending, Math.max(0, offset));
    this.#faults.syntax(place, fault?.problem ?? null);
  }

  /** What stands before the present text, as far as it decides what may come next. */
  #opening(): string {
    return this.#hasValues ? "[0," : "[";
  }

  #handOn({ text, names, behind }: ListText): void {
    const before = this.#opening();
    this.#hasValues = true;
    if (this.#faults.hasSyntaxFault) return;
    const values = SPACE.test(text) ? null : parseList(text);
    const tell = (source: string, kind: "syntax" | "repeated"): void => {
      const fault = findFault(before + source);
      const offset = Math.max(0, (fault?.offset ?? 0) - before.length);
      this.#faults[kind](this.#start.behind(source, offset), fault?.problem ?? null);
    };
    if (values === null) {
      tell(text + behind, "syntax");
      return;
    }
    const half = findHalfPair(text);
    if (half !== null) this.#faults.halfPair(this.#start.behind(text, half));
    if (names === values.reduce<number>((sum, value) => sum + countNames(value), 0)) this.#take(values);
    else tell(`${text}]`, "repeated");
  }
}

/** Nothing but what JSON has for space: `trim` takes away more. */
const SPACE = /^[ \t\n\r]*$/;

function parseList(text: string): readonly JsonValue[] | null {
  try {
    // JSON.parse is typed `any`; text between brackets is a list.
    return JSON.parse(`[${text}]`) as readonly JsonValue[];
  } catch {
    return null;
  }
}
