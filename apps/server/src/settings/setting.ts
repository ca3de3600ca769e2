/**
 * Kinds of settings: how a text becomes a value, and what bounds it.
 * @module
 */

/** One setting. Its name as a flag and as an environment variable follow from its key. */
export interface Setting<Value> {
  /** What it decides; one sentence, for people. */
  readonly doc: string;
  /** What is used where nothing is given, as text; null for nothing. */
  readonly fallback: string | null;
  /** What its number counts, such as `bytes`; empty where it has none. */
  readonly unit: string;
  /** What is allowed, for people. */
  readonly bound: string;
  /** The words that it may be, where there are no others. */
  readonly words?: readonly string[];
  /** Whether the value must never be shown. */
  readonly secret: boolean;
  /** The text as it may be shown, where a part of it is secret. */
  readonly show?: ((text: string) => string) | undefined;
  /**
   * The value of a text.
   * @throws TypeError with the end of a sentence that begins with the name of the setting
   */
  readonly read: (text: string) => Value;
}

/** What describes a setting, whatever its kind. */
interface Description {
  readonly doc: string;
  readonly secret?: boolean;
}

/** A whole number between bounds. */
export function integer(
  options: Description & {
    readonly fallback: number;
    readonly minimum: number;
    readonly maximum: number;
    readonly unit: string;
  },
): Setting<number> {
  const { doc, fallback, minimum, maximum, unit } = options;
  return {
    doc,
    fallback: String(fallback),
    unit,
    bound: `${minimum} to ${maximum}`,
    secret: false,
    read: (text) => {
      const value = /^-?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
      if (value >= minimum && value <= maximum) return value;
      throw new TypeError(`must be a whole number from ${minimum} to ${maximum}`);
    },
  };
}

/** One of several words. */
export function choice<const Word extends string>(
  options: Description & { readonly fallback: Word; readonly words: readonly Word[] },
): Setting<Word> {
  const { doc, fallback, words } = options;
  return {
    doc,
    fallback,
    unit: "",
    bound: words.join(", "),
    words,
    secret: false,
    read: (text) => {
      const word = words.find((candidate) => candidate === text);
      if (word !== undefined) return word;
      throw new TypeError(`must be one of ${words.join(", ")}`);
    },
  };
}

/** A text that may be left out, or has a default. */
export function text<Value = string>(
  options: Description & {
    readonly bound: string;
    readonly read: (text: string) => Value;
  },
): Setting<Value | null>;
export function text<Value = string>(
  options: Description & {
    readonly bound: string;
    readonly read: (text: string) => Value;
    readonly show?: (text: string) => string;
    readonly fallback: string;
  },
): Setting<Value>;
export function text<Value>(
  options: Description & {
    readonly bound: string;
    readonly read: (text: string) => Value;
    readonly show?: (text: string) => string;
    readonly fallback?: string;
  },
): Setting<Value | null> {
  const { doc, bound, read, show, fallback, secret } = options;
  return { doc, fallback: fallback ?? null, unit: "", bound, secret: secret ?? false, show, read };
}

/** The flag of a setting: `--filter-max-results` for `filter.maxResults`. */
export function flagOf(key: string): string {
  return `--${wordsOf(key).join("-")}`;
}

/** The environment variable of a setting: `SCIM_FILTER_MAX_RESULTS` for `filter.maxResults`. */
export function variableOf(key: string): string {
  return `SCIM_${wordsOf(key).join("_").toUpperCase()}`;
}

function wordsOf(key: string): readonly string[] {
  return key.replaceAll(/[A-Z]/g, (letter) => `.${letter.toLowerCase()}`).split(".");
}
