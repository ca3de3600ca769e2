/**
 * Splits JSON text that comes in pieces: the values of some lists are handed on as they come, the rest is kept. What
 * is wrong with the text is told as `decodeJson` tells it of a text that is there as a whole.
 * @module
 */
import { ScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import { countNames } from "../json/decode.ts";
import { findFault } from "../json/fault.ts";
import { findHalfPair, isExactNumber } from "../json/scan.ts";
import { Cursor, type TextPlace } from "./cursor.ts";
import { Faults } from "./faults.ts";
import { RestText } from "./rest-text.ts";

/** Takes the values of one list, some at a time. */
export type TakeValues = (values: readonly JsonValue[]) => void;

/** How a text is split. */
export interface SplitOptions {
  readonly maxDepth: number;
  /** Most characters of the rest, and of one value of a list. */
  readonly maxHeld: number;
  /** Called for each list that is a member of the object, or of an object in it, by the names to it; null keeps it. */
  readonly openList: (names: readonly string[]) => TakeValues | null;
}

/** A text that was split. */
export interface SplitText {
  /** The rest, with an empty list in the place of each that was handed on. */
  readonly rest: JsonValue;
  /** Those lists, in the order in which they were opened. */
  readonly lists: readonly JsonValue[];
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** The list that is handed on. */
interface OpenList {
  readonly take: TakeValues;
  /** How many brackets are open within it, itself included. */
  readonly depth: number;
  /** Text behind the last value that was handed on, without what is in the present piece. */
  pending: string;
  /** Where that text begins. */
  start: TextPlace;
  hasValues: boolean;
  /** Where its last value may end in the present piece, and how many names there are up to it; -1: nowhere. */
  comma: number;
  namesAtComma: number;
}

/** Splits one text. */
export class JsonSplitter {
  readonly #options: SplitOptions;
  readonly #faults = new Faults();
  readonly #rest = new RestText();
  readonly #cursor = new Cursor();
  readonly #paths: (readonly string[])[] = [];
  /** Names that lead to where the text is: of the member of the object, and of the member of an object in it. */
  readonly #names: string[] = [];
  #list: OpenList | null = null;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  /** The last string at depth 1 or 2, with its quotes; the part of it that stands in earlier pieces. */
  #string = "";
  #stringFrom = -1;
  #isAfterColon = false;
  /** The number that the present piece begins in, and its place. */
  #number = "";
  #numberPlace: TextPlace | null = null;
  #nameCount = 0;
  #isTooLong = false;

  constructor(options: SplitOptions) {
    this.#options = options;
  }

  /** Takes the next piece of the text. */
  write(text: string): void {
    if (this.#faults.isTooDeep || this.#isTooLong) return;
    this.#cursor.begin(text);
    let from = 0;
    if (this.#inString && this.#stringFrom !== -1) this.#stringFrom = 0;
    let at = this.#number === "" ? 0 : this.#continueNumber(text);
    for (; at < text.length; at += 1) {
      if (this.#inString) {
        at = this.#readString(text, at);
        continue;
      }
      const code = text.charCodeAt(at);
      // White space.
      if (code <= 0x20) continue;
      if (code === QUOTE) this.#openString(at);
      else if (code === COLON) this.#readColon();
      else if (code === COMMA) this.#readComma(at);
      else if (code === 0x5b || code === 0x7b) {
        if (this.#depth >= this.#options.maxDepth) {
          this.#faults.tooDeep(this.#cursor.placeOf(at), this.#options.maxDepth);
          return;
        }
        if (code === 0x5b && this.#openList(text, from, at)) from = at + 1;
        this.#depth += 1;
        this.#isAfterColon = false;
      } else if (code === 0x5d || code === 0x7d) {
        if (this.#list !== null && this.#depth === this.#list.depth) {
          this.#closeList(text, from, at);
          from = at;
        }
        this.#depth -= 1;
        this.#isAfterColon = false;
      } else {
        this.#isAfterColon = false;
        if (code === MINUS || (code >= 0x30 && code <= 0x39)) at = this.#readNumber(text, at);
      }
    }
    this.#keep(text, from);
    this.#cursor.end();
  }

  /**
   * The text is at its end.
   * @throws ScimError as `decodeJson`; `payloadTooLarge` where too much is not part of a list
   */
  end(): SplitText {
    if (this.#isTooLong) throw this.#tooLong();
    this.#faults.throwTooDeep();
    if (this.#number !== "" && this.#numberPlace !== null) this.#checkNumber(this.#number, this.#numberPlace);
    if (this.#list !== null) this.#breakOff(this.#list);
    const rest = this.#rest.parse(this.#faults, this.#list === null);
    this.#faults.throwFirst();
    return { rest, lists: this.#paths.map((names) => emptied(rest, names)) };
  }

  #openString(at: number): void {
    this.#inString = true;
    this.#string = '"';
    this.#stringFrom = this.#list === null && this.#depth <= 2 ? at + 1 : -1;
    this.#isAfterColon = false;
  }

  /** Reads on in a string; answers the offset of its last character in this piece. */
  #readString(text: string, start: number): number {
    let at = start;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      at += 1;
    }
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#inString = false;
        if (this.#stringFrom !== -1) this.#string += text.slice(this.#stringFrom, at + 1);
        return at;
      }
      if (code === BACKSLASH) at += 1;
    }
    // A backslash at the end of the piece escapes the first character of the next.
    this.#isEscaped = at > text.length;
    if (this.#stringFrom !== -1) this.#string += text.slice(this.#stringFrom);
    return text.length;
  }

  #readColon(): void {
    this.#nameCount += 1;
    this.#isAfterColon = true;
    if (this.#list !== null || this.#depth < 1 || this.#depth > 2) return;
    this.#names.length = this.#depth - 1;
    this.#names.push(nameOf(this.#string));
  }

  #readComma(at: number): void {
    this.#isAfterColon = false;
    if (this.#list === null || this.#depth !== this.#list.depth) return;
    this.#list.comma = at;
    this.#list.namesAtComma = this.#nameCount;
  }

  #openList(text: string, from: number, at: number): boolean {
    if (this.#list !== null || !this.#isAfterColon || this.#names.length !== this.#depth) return false;
    const names = [...this.#names];
    const take = this.#options.openList(names);
    if (take === null) return false;
    this.#addRest(text.slice(from, at + 1), from);
    this.#rest.names += this.#nameCount;
    this.#nameCount = 0;
    this.#paths.push(names);
    this.#list = {
      take,
      depth: this.#depth + 1,
      pending: "",
      start: this.#cursor.placeOf(at + 1),
      hasValues: false,
      comma: -1,
      namesAtComma: 0,
    };
    return true;
  }

  #closeList(text: string, from: number, at: number): void {
    const list = this.#list;
    if (list === null) return;
    const piece = list.pending + text.slice(from, at);
    if (list.hasValues || piece.trim() !== "") {
      this.#take(list, { text: piece, names: this.#nameCount, behind: text.charAt(at) });
      this.#rest.fill();
    }
    this.#nameCount = 0;
    this.#list = null;
  }

  /** Hands values on, or notes what is wrong with them. */
  #take(list: OpenList, { text, names, behind }: Values): void {
    const before = list.hasValues ? "[0," : "[";
    list.hasValues = true;
    if (this.#faults.hasSyntaxFault) return;
    const values = text.trim() === "" ? null : parseList(text);
    if (values === null) {
      const fault = findFault(before + text + behind);
      const offset = fault === null ? 0 : Math.max(0, fault.offset - before.length);
      this.#faults.syntax(list.start.behind(text + behind, offset), fault?.problem ?? null);
      return;
    }
    const half = findHalfPair(text);
    if (half !== null) this.#faults.halfPair(list.start.behind(text, half));
    if (names !== values.reduce<number>((sum, value) => sum + countNames(value), 0)) {
      const fault = findFault(`${before}${text}]`);
      this.#faults.repeated(
        list.start.behind(text, Math.max(0, (fault?.offset ?? 0) - before.length)),
        fault?.problem ?? null,
      );
      return;
    }
    list.take(values);
  }

  /** The text ended within a list. */
  #breakOff(list: OpenList): void {
    const before = list.hasValues ? "[0," : "[";
    const fault = findFault(before + list.pending);
    const offset = (fault?.offset ?? before.length + list.pending.length) - before.length;
    this.#faults.syntax(list.start.behind(list.pending, Math.max(0, offset)), fault?.problem ?? null);
  }

  /** Keeps what of a piece was not made use of. */
  #keep(text: string, from: number): void {
    const list = this.#list;
    if (list === null) {
      this.#addRest(text.slice(from), from);
      this.#rest.names += this.#nameCount;
      this.#nameCount = 0;
      return;
    }
    if (list.comma === -1) list.pending += text.slice(from);
    else {
      const whole = list.pending + text.slice(from, list.comma);
      this.#take(list, { text: whole, names: list.namesAtComma, behind: "," });
      list.pending = text.slice(list.comma + 1);
      list.start = this.#cursor.placeOf(list.comma + 1);
      this.#nameCount -= list.namesAtComma;
      list.comma = -1;
    }
    this.#isTooLong ||= list.pending.length > this.#options.maxHeld;
  }

  #addRest(text: string, from: number): void {
    this.#rest.add(text, this.#cursor.placeOf(from));
    this.#isTooLong ||= this.#rest.length > this.#options.maxHeld;
  }

  /** Reads a number; answers the offset of its last character in this piece. */
  #readNumber(text: string, start: number): number {
    const end = endOfNumber(text, start + 1);
    const token = text.slice(start, end);
    if (end === text.length) {
      this.#number = token;
      this.#numberPlace = this.#cursor.placeOf(start);
    } else if (!isExactNumber(token)) this.#faults.inexact(this.#cursor.placeOf(start));
    return end - 1;
  }

  /** Reads on in a number that began in an earlier piece; answers where to go on. */
  #continueNumber(text: string): number {
    const end = endOfNumber(text, 0);
    this.#number += text.slice(0, end);
    if (end === text.length) return end;
    if (this.#numberPlace !== null) this.#checkNumber(this.#number, this.#numberPlace);
    this.#number = "";
    return end;
  }

  #checkNumber(token: string, place: TextPlace): void {
    if (!isExactNumber(token)) this.#faults.inexact(place);
  }

  #tooLong(): ScimError {
    return new ScimError(
      "payloadTooLarge",
      `The body has more than ${this.#options.maxHeld} characters beside its lists of references, or in one value of them; send less.`,
    );
  }
}

interface Values {
  readonly text: string;
  /** Member names in the text. */
  readonly names: number;
  /** The character that follows. */
  readonly behind: string;
}

function parseList(text: string): readonly JsonValue[] | null {
  try {
    // JSON.parse is typed `any`; text between brackets is a list.
    return JSON.parse(`[${text}]`) as readonly JsonValue[];
  } catch {
    return null;
  }
}

/** A name as it is spelled; what is no JSON string is found out later. */
function nameOf(source: string): string {
  try {
    return String(JSON.parse(source));
  } catch {
    return "";
  }
}

function endOfNumber(text: string, start: number): number {
  let end = start;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    const isPart = (code >= 0x30 && code <= 0x39) || code === 0x2b || code === MINUS || code === 0x2e;
    if (!isPart && code !== 0x65 && code !== 0x45) break;
  }
  return end;
}

/** Empties the list at names in the rest; answers it. */
function emptied(rest: JsonValue, names: readonly string[]): JsonValue {
  const list: JsonValue = [];
  let holder = rest;
  for (const name of names.slice(0, -1)) holder = memberOf(holder, name);
  // The rest was made here: nobody else holds it.
  Object.defineProperty(holder, names.at(-1) ?? "", {
    value: list,
    enumerable: true,
    writable: true,
    configurable: true,
  });
  return list;
}

function memberOf(holder: JsonValue, name: string): JsonValue {
  if (typeof holder !== "object" || holder === null || Array.isArray(holder)) return {};
  return (holder as JsonObject)[name] ?? {};
}
