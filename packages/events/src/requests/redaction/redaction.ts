/**
 * One text being redacted: whose it is, how much of it may still be shown, and what was left out.
 * @module
 */
import { type AttributeNode, createProfile, type ModelCatalog } from "@scim/core";
import { sensitivityOf } from "../../audit/sensitivity.ts";
import { type Pseudonyms, WITHHELD } from "./pseudonyms.ts";

/** Values that were left out because there were too many. */
export interface Cut {
  /** Where: member names from the beginning, such as `Resources` or `members`. */
  readonly path: string;
  readonly shown: number;
  readonly of: number;
}

/** Characters of a body that are shown at most, about. */
const BUDGET = 16_384;
/** Characters of one text that is shown as it is. */
const LONGEST = 1000;
/** What reads texts in the place of other values. */
const READING = createProfile("texts", ["string-booleans", "string-numbers"]).rewrites;

/** What texts are redacted by. */
export interface RedactionParts {
  readonly pseudonyms: Pseudonyms;
  /** The resource types of the tenant, whose names tell of nobody. */
  readonly catalog: Pick<ModelCatalog, "definitions">;
}

/** The redaction of one body, filter or address. */
export class Redaction {
  readonly cuts: Cut[] = [];
  readonly #tenant: string;
  readonly #pseudonyms: Pseudonyms;
  readonly #catalog: RedactionParts["catalog"];
  /** Names of resource types in lower case; null before the first text that may be one. */
  #types: ReadonlySet<string> | null = null;
  #left = BUDGET;

  constructor(tenant: string, { pseudonyms, catalog }: RedactionParts) {
    this.#tenant = tenant;
    this.#pseudonyms = pseudonyms;
    this.#catalog = catalog;
  }

  /** Whether no more may be shown. */
  get isFull(): boolean {
    return this.#left <= 0;
  }

  /** Counts characters that are shown. */
  spend(characters: number): void {
    this.#left -= characters;
  }

  /** Notes what is left out. */
  cut(path: string, shown: number, of: number): void {
    this.cuts.push({ path, shown, of });
  }

  /** A text that tells nothing of a person. */
  plain(text: string): string {
    const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
    this.spend(shown.length + 3);
    return shown;
  }

  /** A text of a person. */
  personal(text: string, node?: AttributeNode): string {
    const shown = this.#pseudonyms.of(this.#tenant, text, node);
    this.spend(shown.length + 3);
    return shown;
  }

  /** What stands for a secret. */
  withheld(): string {
    this.spend(WITHHELD.length + 3);
    return WITHHELD;
  }

  /** A text as the attribute that holds it lets it be shown. An attribute that no schema knows shows none at all. */
  text(text: string, node: AttributeNode | undefined): string {
    if (node === undefined) return this.withheld();
    const read = readAs(node, text);
    // A switch reads what stands for it too, so that the request means the same when it is sent again.
    if (read !== undefined && isHidden(node)) return this.plain(typeof read === "number" ? "0" : "false");
    if (isSecret(node)) return this.withheld();
    const holder = holderOf(node);
    if (isSecret(holder)) return this.withheld();
    if (isStructural(holder)) return this.name(text);
    return isOpen(holder, text) ? this.plain(text) : this.personal(text, holder);
  }

  /**
   * A text of the protocol: an id, a version, a URN or a word as the service gives them, or a resource type; whatever else it is, is
   * personal.
   */
  name(text: string): string {
    if (isProtocolText(text) || this.#isType(text)) return this.plain(text);
    const bulkId = /^bulkId:(?<id>.+)$/.exec(text)?.groups?.["id"];
    return bulkId === undefined ? this.personal(text) : `bulkId:${this.personal(bulkId)}`;
  }

  #isType(text: string): boolean {
    this.#types ??= new Set(this.#catalog.definitions().map(({ name }) => name.toLowerCase()));
    return this.#types.has(text.toLowerCase());
  }

  /** A version as this service makes them, without quotes; whatever else a client names in its place is personal. */
  version(text: string): string {
    return VERSION_FORM.test(text) ? this.plain(text) : this.personal(text);
  }

  /** A number, or 0 in the place of one that may tell of a person. */
  number(value: number, node: AttributeNode | undefined): number {
    this.spend(8);
    if (node === undefined || isSecret(node)) return 0;
    // One in the place of a boolean tells which switch reads it.
    if (node.attribute.type === "boolean" && value !== 0 && value !== 1) return 0;
    return isHidden(node) ? 0 : value;
  }

  /** A boolean, or false in the place of one that may tell of a person. */
  boolean(value: boolean, node: AttributeNode | undefined): boolean {
    this.spend(6);
    return value && (node === undefined || !isHidden(node));
  }
}

/** Whether values of an attribute are secrets: annotated, or written and never read. */
export function isSecret(node: AttributeNode): boolean {
  const { mutability, returned } = node.attribute;
  return (mutability === "writeOnly" && returned === "never") || sensitivityOf(node) === "secret";
}

/** Whether numbers and booleans of an attribute may tell of a person. */
function isHidden(node: AttributeNode): boolean {
  return isSecret(node) || (sensitivityOf(node) !== "none" && !isStructural(node));
}

/** The number or boolean that a switch reads a text as; undefined where none does. */
function readAs(node: AttributeNode, text: string): number | boolean | undefined {
  for (const { rewrite } of READING) {
    const read = rewrite(node, text);
    if (typeof read === "number" || typeof read === "boolean") return read;
  }
  return undefined;
}

/** What a text is a value of: one in the place of a complex value is its `value`, as the switch `reference-as-string` reads it. */
function holderOf(node: AttributeNode): AttributeNode {
  return node.subAttributes.get("value") ?? node;
}

function isOpen(node: AttributeNode, text: string): boolean {
  if (sensitivityOf(node) === "none") return node.attribute.type !== "boolean" || isBooleanWord(text);
  return isLabel(node, text);
}

/** A count and what no two versions share, or a hash of the content; behind it a digest of what was derived. */
const VERSION = String.raw`(?:\d{1,20}|[0-9a-z]{1,8}-[\w-]{6,64}|[\w-]{22,80})(?:~[\w-]{6,64})?`;
const VERSION_FORM = new RegExp(`^${VERSION}$`);
const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const PROTOCOL_TEXTS: readonly RegExp[] = [
  new RegExp(`^(?:[a-z]+://[^?#]*/|/?\\w+/)?${UUID}$`, "i"),
  /^urn:[\w:.+-]{1,200}$/i,
  /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/,
  new RegExp(`^(?:W/)?"${VERSION}"$`),
  /^(?:\d{1,10}|true|false|POST|PUT|PATCH|DELETE|ascending|descending|direct|indirect)$/i,
];

function isProtocolText(text: string): boolean {
  return PROTOCOL_TEXTS.some((form) => form.test(text));
}

/** A word in the place of a boolean tells which switch reads it. */
function isBooleanWord(text: string): boolean {
  return /^\s*(?:true|false|yes|no|0|1)\s*$/i.test(text);
}

/** Ids, versions and references are names that the service gave: the audit log shows them too. */
function isStructural({ storage, attribute, parent }: AttributeNode): boolean {
  if (storage === "column" || parent?.storage === "column") return true;
  return parent !== null && isReference(parent) && (attribute.name === "value" || attribute.name === "$ref");
}

function isReference({ attribute, subAttributes }: AttributeNode): boolean {
  const reference = subAttributes.get("$ref");
  return (
    attribute.type === "complex" &&
    reference?.attribute.referenceTypes.some((type) => type !== "external" && type !== "uri") === true
  );
}

/** The `type` of a value is a label of its function (RFC 7643 §2.4), as long as it is one that the schema lists. */
function isLabel({ attribute, parent }: AttributeNode, text: string): boolean {
  if (attribute.name !== "type" || parent?.attribute.multiValued !== true) return false;
  const word = text.toLowerCase();
  return attribute.canonicalValues.some((value) => value.toLowerCase() === word);
}
