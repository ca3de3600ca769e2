/**
 * Operands and flags of commands: what each takes, what it does, and what may stand behind it.
 * @module
 */

/** What a shell offers as a value: words, or what lies in the file system. */
export type Offered = readonly string[] | "file";

/** Variables of the environment by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What stands behind a command without dashes. */
export interface Operand {
  /** Such as `FILE`. */
  readonly name: string;
  readonly does: string;
  readonly optional?: boolean;
  /** Whether it may be given several times; the last operand alone. */
  readonly many?: boolean;
  readonly offers?: Offered;
}

/**
 * Which settings a command takes as flags: those of the server, of which help and shells show all or those of the
 * database, or none.
 */
export type TakenSettings = "all" | "database" | "none";

/** A flag with a text behind it. */
export interface TextFlag {
  readonly type: "string";
  /** What stands for the text in a line of usage, such as `NAME`. */
  readonly value: string;
  /** One sentence without its end. */
  readonly does: string;
  /** What a shell offers; nothing where it is left out. */
  readonly offers?: Offered;
  /** Whether the command is refused without it. */
  readonly required?: boolean;
  readonly multiple?: boolean;
}

/** A flag that stands alone. */
export interface SwitchFlag {
  readonly type: "boolean";
  readonly does: string;
}

/** Flags by name without dashes, as `parseArgs` takes them too. */
export type FlagTable = Readonly<Record<string, TextFlag | SwitchFlag>>;

type Given<Flag extends TextFlag | SwitchFlag> = Flag extends { readonly multiple: true }
  ? readonly string[]
  : Flag["type"] extends "string"
    ? string
    : boolean;

type Needed<Flags extends FlagTable> = {
  [Name in keyof Flags]: Flags[Name] extends { readonly required: true } ? Name : never;
}[keyof Flags];

/** What was given for the flags of a table: those that are required are there. */
export type GivenFlags<Flags extends FlagTable> = {
  readonly [Name in Needed<Flags>]: Given<Flags[Name]>;
} & {
  readonly [Name in Exclude<keyof Flags, Needed<Flags>>]?: Given<Flags[Name]>;
};

/** What else there is to say of a flag with a text. */
type More = Pick<TextFlag, "offers">;

/** Whoever runs the command must give it. */
const REQUIRED = { required: true } as const;

/** A flag with a text: `text("NAME", "what people call it")`. */
export function text(value: string, does: string, more: More = {}): TextFlag {
  return { type: "string", value, does, ...more };
}

/** A flag with a text, without which the command is refused. */
export function needed(value: string, does: string, more: More = {}): TextFlag & typeof REQUIRED {
  return { ...text(value, does, more), ...REQUIRED };
}

/** A flag with a text that may be given several times. */
export function texts(value: string, does: string, more: More = {}): TextFlag & { readonly multiple: true } {
  return { type: "string", value, does, ...more, multiple: true };
}

/** A flag that stands alone. */
export function toggle(does: string): SwitchFlag {
  return { type: "boolean", does };
}

/** `--tenant`, which most commands take. */
export const TENANT = text("NAME", "tenant that is meant; default 'default'");

/** `--connection` of commands that look at one alone. */
export const ONE_CONNECTION = text("NAME", "of this connection alone");

/** `--since` with a position, for what lies behind it. */
export const SINCE_POSITION = text("POSITION", "what lies behind a position");

/** `--since` with an instant. */
export const SINCE_INSTANT = text("WHEN", "15m, 12h, 7d back, or an instant such as 2027-01-01T00:00:00Z");

/** `--json`, which every command takes. */
export const JSON_FLAG = toggle("print JSON, for programs");

/** `--token-file` of commands that speak to a service. */
export const TOKEN_FILE = text("FILE", "holds the token; default the variable SCIM_TOKEN", {
  offers: "file",
});

/** Flags of commands that work on a database, or on a running service where `--url` names one. */
export const OR_REMOTE = {
  url: text("ADDRESS", "a running service instead of the database: https://id.example/scim/v2"),
  "token-file": TOKEN_FILE,
} satisfies FlagTable;

/** Flags of commands that administer the database, or a running server where `--url` names one. */
export const OR_SERVER = {
  url: text("ADDRESS", "a running server instead of the database: https://scim.example"),
  "token-file": text("FILE", "holds the token of an administrator; default the variable SCIM_ADMIN_TOKEN", {
    offers: "file",
  }),
} satisfies FlagTable;
