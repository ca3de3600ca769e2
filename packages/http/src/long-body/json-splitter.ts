/**
 * Splits JSON text that comes in pieces: the values of some lists are handed on as they come, the rest is kept. What
 * is wrong with the text is told as `decodeJson` tells it of a text that is there as a whole.
 * @module
 */
import { isJsonObject, ScimError, type JsonValue } from "@scim/schemas";
import { beginsNumber } from "../json/scan.ts";
import { Cursor } from "./cursor.ts";
import { Faults } from "./faults.ts";
import { LongList, type TakeValues } from "./long-list.ts";
import { MemberNames } from "./member-names.ts";
import { Numbers } from "./numbers.ts";
import { RestText } from "./rest-text.ts";

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
const COLON = 0x3a;
const OPEN_LIST = 0x5b;

/** Splits one text. */
export class JsonSplitter {
  readonly #options: SplitOptions;
  readonly #faults = new Faults();
  readonly #cursor = new Cursor();
  readonly #numbers = new Numbers(this.#faults, this.#cursor);
  readonly #names = new MemberNames();
  readonly #rest = new RestText();
  /** The names to each list that is handed on. */
  readonly #paths: (readonly string[])[] = [];
  #list: LongList | null = null;
  #depth = 0;
  /** Member names since something was last made use of, and up to the last comma between values of the list. */
  #count = 0;
  #countAtComma = 0;
  /** The piece, what of it was made use of, and its last comma between values of the list; -1: none. */
  #text = "";
  #from = 0;
  #comma = -1;
  #isTooLong = false;

  constructor(options: SplitOptions) {
    this.#options = options;
  }

  /** Takes the next piece of the text. */
  write(text: string): void {
    if (this.#faults.isTooDeep || this.#isTooLong) return;
    this.#cursor.begin(text);
    this.#text = text;
    this.#from = 0;
    this.#comma = -1;
    for (let at = this.#numbers.resume(text); at < text.length; at += 1) {
      if (this.#names.isOpen) at = this.#names.read(text, at);
      else at = this.#read(text.charCodeAt(at), at);
      if (this.#faults.isTooDeep) return;
    }
    this.#keep();
    this.#cursor.end();
    this.#text = "";
  }

  /**
   * The text is at its end.
   * @throws ScimError as `decodeJson`; `payloadTooLarge` where too much is not part of a list
   */
  end(): SplitText {
    if (this.#isTooLong) throw tooLong(this.#options);
    this.#faults.throwTooDeep();
    this.#numbers.end();
    this.#list?.breakOff();
    const rest = this.#rest.parse(this.#faults, this.#list === null);
    this.#faults.throwFirst();
    return { rest, lists: this.#paths.map((names) => emptied(rest, names)) };
  }

  /** Reads a character that stands in no string, and what belongs to it; answers the offset of the last one. */
  #read(code: number, at: number): number {
    // White space.
    if (code <= 0x20) return at;
    if (code === QUOTE) this.#names.open(this.#list === null && this.#depth <= 2);
    else if (code === COLON) this.#colon();
    else if (code === OPEN_LIST || code === 0x7b) this.#open(code, at);
    else {
      this.#names.other();
      if (code === COMMA) this.#separate(at);
      else if (code === 0x5d || code === 0x7d) this.#close(at);
      else if (beginsNumber(code)) return this.#numbers.read(this.#text, at);
    }
    return at;
  }

  #colon(): void {
    this.#count += 1;
    this.#names.colon(this.#depth, this.#list === null);
  }

  #separate(at: number): void {
    if (this.#depth !== this.#list?.depth) return;
    this.#comma = at;
    this.#countAtComma = this.#count;
  }

  #open(code: number, at: number): void {
    if (this.#depth >= this.#options.maxDepth) {
      this.#faults.tooDeep(this.#cursor.placeOf(at), this.#options.maxDepth);
      return;
    }
    if (code === OPEN_LIST && this.#list === null) this.#openList(at);
    this.#names.other();
    this.#depth += 1;
  }

  #openList(at: number): void {
    const names = this.#names.path(this.#depth);
    const take = names === null ? null : this.#options.openList(names);
    if (names === null || take === null) return;
    this.#addRest(at + 1);
    this.#paths.push(names);
    this.#list = new LongList({ take, depth: this.#depth + 1 }, this.#cursor.placeOf(at + 1), this.#faults);
    this.#comma = -1;
  }

  #close(at: number): void {
    if (this.#list !== null && this.#depth === this.#list.depth) {
      const text = this.#text.slice(this.#from, at);
      if (this.#list.close(text, this.#count, this.#text.charAt(at))) this.#rest.fill();
      this.#list = null;
      this.#from = at;
      this.#count = 0;
    }
    this.#depth -= 1;
  }

  /** Keeps what of a piece was not made use of. */
  #keep(): void {
    if (this.#list === null) {
      this.#addRest(this.#text.length);
      return;
    }
    if (this.#comma !== -1) {
      const values = this.#text.slice(this.#from, this.#comma);
      this.#from = this.#comma + 1;
      this.#list.pass(values, this.#countAtComma, this.#cursor.placeOf(this.#from));
      this.#count -= this.#countAtComma;
    }
    this.#list.keep(this.#text.slice(this.#from));
    this.#isTooLong ||= this.#list.length > this.#options.maxHeld;
  }

  #addRest(to: number): void {
    this.#rest.add(this.#text.slice(this.#from, to), this.#cursor.placeOf(this.#from), this.#count);
    this.#count = 0;
    this.#from = to;
    this.#isTooLong ||= this.#rest.length > this.#options.maxHeld;
  }
}

function tooLong({ maxHeld }: SplitOptions): ScimError {
  return new ScimError(
    "payloadTooLarge",
    `The body has more than ${maxHeld} characters beside its lists of references, or in one value of them; send less.`,
  );
}

/** Empties the list at names in the rest; answers it. */
function emptied(rest: JsonValue, names: readonly string[]): JsonValue {
  const list: JsonValue = [];
  const holder = names.slice(0, -1).reduce<JsonValue | undefined>(memberOf, rest);
  // The rest was made here: nobody else holds it. A name may be `__proto__`.
  const descriptor = { value: list, enumerable: true, writable: true, configurable: true };
  if (isJsonObject(holder)) Object.defineProperty(holder, names.at(-1) ?? "", descriptor);
  return list;
}

function memberOf(holder: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(holder) ? holder[name] : undefined;
}
