/**
 * Redacts filters and the paths of PATCH operations: attributes and operators stay, literals become what their
 * attributes let be shown, and so do names that no attribute has. The spelling stays too, since it decides which switches a profile has to have on. What cannot be
 * read is redacted word by word.
 * @module
 */
import { type AttributeNode, findAttribute, type ResourceModel } from "@scim/core";
import {
  type AttributePath,
  type FilterNode,
  type Literal,
  literalPlaces,
  parsedOrNull,
  parseFilter,
  parsePatchPath,
  type Tolerance,
} from "@scim/filter";
import { sensitivityOf } from "../../audit/sensitivity.ts";
import { isAttributePath } from "../attribute-path.ts";
import { WITHHELD } from "./pseudonyms.ts";
import { isSecret, type Redaction } from "./redaction.ts";
import { shownName } from "./redact-value.ts";

const TOLERATE: ReadonlySet<Tolerance> = new Set(["valuePathComparison", "lenientLiterals"]);

/** A filter that is redacted for the resource types that it looks through. */
export function redactFilter(redaction: Redaction, text: string, models: readonly ResourceModel[]): string {
  const parsed = parsedOrNull(() => parseFilter(text, { tolerate: TOLERATE }));
  if (parsed === null) return redactWords(redaction, text, models);
  const literals = shownLiterals({ redaction, models }, parsed, null);
  return redaction.plain(withLiterals({ redaction, models }, { text, form: "filter" }, literals));
}

/** A PATCH path, and the attribute that it names. */
export interface RedactedPath {
  readonly text: string;
  readonly node: AttributeNode | undefined;
}

/** Redacts the path of a PATCH operation. */
export function redactPath(redaction: Redaction, text: string, model: ResourceModel | null): RedactedPath {
  const parsed = parsedOrNull(() => parsePatchPath(text, { tolerate: TOLERATE }));
  const models = model === null ? [] : [model];
  if (parsed === null) return { text: redactWords(redaction, text, models), node: undefined };
  const target = nodeAt(models, parsed.path);
  const node =
    parsed.subAttribute === null ? target : target?.subAttributes.get(parsed.subAttribute.toLowerCase());
  const literals =
    parsed.filter === null ? [] : shownLiterals({ redaction, models }, parsed.filter, target ?? null);
  return {
    text: redaction.plain(withLiterals({ redaction, models }, { text, form: "path" }, literals)),
    node,
  };
}

/** A text that can be read. */
interface ReadText {
  readonly text: string;
  readonly form: "filter" | "path";
}

/** The text with other literals in their places, spelled as those were. */
function withLiterals(place: Place, { text, form }: ReadText, literals: readonly ShownLiteral[]): string {
  let shown = "";
  let last = 0;
  for (const [index, { start, end }] of literalPlaces(text, form, { tolerate: TOLERATE }).entries()) {
    shown += withNames(place, text.slice(last, start)) + spelled(text.slice(start, end), literals[index]);
    last = end;
  }
  return shown + withNames(place, text.slice(last));
}

/** Everything that is no bracket and no space: operators, and names of attributes, alone or behind a value filter. */
const OUTSIDE_LITERALS = /[^\s()[\]]+/g;

/** What stands outside of literals: a URI may hold anything (RFC 3986 §2), so one that leads to no attribute is as personal. */
function withNames({ redaction, models }: Place, text: string): string {
  return text.replaceAll(OUTSIDE_LITERALS, (word) => {
    if (isAttributePath(word.replace(/^\./, ""))) return word;
    const parsed = parsedOrNull(() => parsePatchPath(word));
    const isNamed = parsed !== null && nodeAt(models, parsed.path) !== undefined;
    return isNamed ? word : redaction.personal(word);
  });
}

/** What is shown of a literal; what is the same stays as it was spelled. */
interface ShownLiteral {
  readonly value: Literal;
  readonly isSame: boolean;
}

function spelled(sent: string, literal: ShownLiteral | undefined): string {
  // There is one of each, as the tree and the text have the same order.
  if (literal === undefined) return JSON.stringify(WITHHELD);
  const { value, isSame } = literal;
  if (isSame) return sent;
  if (typeof value !== "string" || sent.startsWith('"')) return JSON.stringify(value);
  // What stands for a value has no white space, quote or bracket: it is a word too.
  return sent.startsWith("'") ? `'${value}'` : value;
}

interface Place {
  readonly redaction: Redaction;
  readonly models: readonly ResourceModel[];
}

/**
 * The literals of a filter, in its order, as their attributes let them be shown.
 * @param within the attribute whose values a value filter looks at; null outside of one
 */
function shownLiterals(
  place: Place,
  node: FilterNode,
  within: AttributeNode | null,
): readonly ShownLiteral[] {
  switch (node.kind) {
    case "comparison": {
      const named =
        within === null
          ? nodeAt(place.models, node.path)
          : (within.subAttributes.get(node.path.attribute.toLowerCase()) ?? simple(within));
      const value = shownLiteral(place.redaction, node.value, named);
      return [{ value, isSame: value === node.value }];
    }
    case "presence":
      return [];
    case "and":
    case "or":
      return node.operands.flatMap((each) => shownLiterals(place, each, within));
    case "not":
      return shownLiterals(place, node.operand, within);
    case "valuePath":
      return shownLiterals(place, node.filter, nodeAt(place.models, node.path) ?? null);
  }
}

/** The values of a simple attribute are called `value` in a filter. */
function simple(node: AttributeNode): AttributeNode | undefined {
  return node.subAttributes.size === 0 ? node : undefined;
}

function shownLiteral(redaction: Redaction, value: Literal, node: AttributeNode | undefined): Literal {
  if (typeof value === "number") return redaction.number(value, node);
  if (typeof value === "boolean") return redaction.boolean(value, node);
  if (typeof value !== "string") return value;
  // A complex attribute stands for its values in a filter: "manager eq …", "members eq …".
  const compared = node?.attribute.type === "complex" ? node.subAttributes.get("value") : node;
  return compared === undefined ? redaction.personal(value) : redaction.text(value, compared);
}

/** The attribute that a path names; of several types that have it, the one that lets the least be shown. */
function nodeAt(models: readonly ResourceModel[], path: AttributePath): AttributeNode | undefined {
  const nodes = models.flatMap((model) => findAttribute(model, path)?.node ?? []);
  return nodes.find(isSecret) ?? nodes.find((node) => sensitivityOf(node) === "personal") ?? nodes[0];
}

const WORDS: ReadonlySet<string> = new Set(
  "eq ne co sw ew gt ge lt le pr and or not true false null".split(" "),
);
/** Quoted texts, closed or not, and everything else that is no bracket and no space. */
const WORD = /"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s()[\]"']+/g;

/**
 * A text that is no filter: its operators and the attributes that the resource types have stay. Where one of them holds
 * secrets, nobody can tell which word is one.
 */
function redactWords(redaction: Redaction, text: string, models: readonly ResourceModel[]): string {
  const sent = text.slice(0, 2000);
  const named = (sent.match(WORD) ?? []).flatMap((word) => attributesOf(word, models));
  const hidden = named.some(isSecret)
    ? () => redaction.withheld()
    : (word: string) => redaction.personal(word);
  const shown = sent.replaceAll(WORD, (word) => (isKnown(word, models) ? word : hidden(word)));
  return redaction.plain(shown);
}

function isKnown(word: string, models: readonly ResourceModel[]): boolean {
  return WORDS.has(word.toLowerCase()) || attributesOf(word, models).length > 0;
}

function attributesOf(word: string, models: readonly ResourceModel[]): readonly AttributeNode[] {
  return models.flatMap((model) => knownAttribute(model, word) ?? []);
}

function knownAttribute(model: ResourceModel, word: string): AttributeNode | undefined {
  const [first = "", second] = word.replace(/^\./, "").toLowerCase().split(".");
  const parts = [...model.members.values()].flatMap((node) => [...node.subAttributes.values()]);
  const top = model.members.get(first) ?? parts.find((node) => node.attribute.name.toLowerCase() === first);
  return second === undefined ? top : top?.subAttributes.get(second);
}

/** Names that are looked at in one text. */
const MOST_NAMES = 1000;

/** Names of attributes as a client lists them, as far as there is room. */
export function redactNames(redaction: Redaction, names: string): string {
  const listed = names.split(",", MOST_NAMES + 1);
  const shown: string[] = [];
  for (const name of listed.slice(0, MOST_NAMES)) {
    if (redaction.isFull) break;
    const known = shownName(redaction, name.trim());
    redaction.spend(known.length + 1);
    shown.push(known);
  }
  return [...shown, ...(shown.length < listed.length ? ["…"] : [])].join(",");
}
