/**
 * Makes the text of a representation of the text that a store keeps: what is shown as it is stored is not read.
 * @module
 */
import type { JsonObject, JsonValue } from "@scim/schemas";
import type { ResourceModel } from "../model/resource-model.ts";
import type { StoredText } from "../store/stored-resource.ts";
import { type LevelPlan, type TextPlan, textPlanOf } from "./text-plan.ts";
import { addressIn } from "./addresses.ts";
import { metaOf, represent, type Represented, representValues, schemasWith } from "./represent.ts";
import type { Selection } from "./selection.ts";
import { splitMembers, type TextMember } from "../attributes/split-members.ts";

/** A resource to represent, its body as text. */
export interface RepresentedText extends Omit<Represented, "stored"> {
  readonly stored: StoredText;
}

/** What addresses are made of. */
interface Place {
  readonly model: ResourceModel;
  readonly baseUrl: string;
}

/** The JSON text of what `represent` makes; attributes that are shown as they are stored come first. */
export function representText(model: ResourceModel, selection: Selection, input: RepresentedText): string {
  const { stored, baseUrl } = input;
  const body = selection.asked
    ? null
    : bodyText(stored.text, textPlanOf(model, selection), { model, baseUrl });
  if (body === null) {
    const whole = { ...input, stored: { ...stored, body: parsedObject(stored.text) } };
    return JSON.stringify(represent(model, selection, whole));
  }
  const { urns, rest } = body;
  const schemas = schemasWith(model, (urn) => urns.includes(urn));
  const head = `{"schemas":${JSON.stringify(schemas)},"id":${JSON.stringify(stored.id)}`;
  const others = isAllShown(stored, rest)
    ? ""
    : valuesText(representValues(model, selection, { stored: { ...stored, body: restOf(rest) }, baseUrl }));
  return `${head}${more(body.shown)}${more(others)},"meta":${JSON.stringify(metaOf(model, input))}}`;
}

/** Members of an object, as the text between its braces, and those that have to be read. */
interface LevelText {
  readonly shown: string;
  readonly rest: readonly TextMember[];
}

/** A body with its extensions. */
interface BodyText extends LevelText {
  /** URNs of the extensions that it holds. */
  readonly urns: readonly string[];
}

/** Null where the text has another form than the store's. */
function bodyText(text: string, { base, extensions }: TextPlan, place: Place): BodyText | null {
  const level = levelText(text, base, place);
  if (level === null) return null;
  const urns: string[] = [];
  const rest: TextMember[] = [];
  let { shown } = level;
  for (const member of level.rest) {
    const extension = extensions.get(member.name);
    if (extension !== undefined) urns.push(member.name);
    const inner =
      extension === undefined || extension === null ? null : levelText(member.value, extension, place);
    if (inner?.rest.length === 0)
      shown = joined(shown, memberText({ name: member.name, value: `{${inner.shown}}` }));
    else rest.push(member);
  }
  return { shown, rest, urns };
}

function levelText(text: string, { plain, references }: LevelPlan, place: Place): LevelText | null {
  const split = splitMembers(text, plain);
  if (split === null) return null;
  const rest: TextMember[] = [];
  let shown = split.plain;
  for (const member of split.rest) {
    const node = references.get(member.name);
    if (node === undefined) {
      rest.push(member);
      continue;
    }
    const $ref = addressIn(place, node, parsed(member.value));
    const value = $ref === undefined ? member.value : withAddress(member.value, $ref);
    shown = joined(shown, memberText({ name: member.name, value }));
  }
  return { shown, rest };
}

/** The text of a reference, which has its `value` and never a stored `$ref`, with its address. */
function withAddress(reference: string, $ref: string): string {
  return `${reference.slice(0, -1)},"$ref":${JSON.stringify($ref)}}`;
}

/** Whether nothing is shown but what was taken from the text of the body. */
function isAllShown({ collections, inverses }: StoredText, rest: readonly TextMember[]): boolean {
  if (rest.length > 0) return false;
  for (const values of collections.values()) if (values.length > 0) return false;
  for (const values of inverses.values()) if (values.length > 0) return false;
  return true;
}

/** What is shown beside what was taken from the text of a body. */
function valuesText({ schemas: _schemas, id: _id, ...values }: JsonObject): string {
  return JSON.stringify(values).slice(1, -1);
}

/** Names of attributes, and URNs, hold nothing that JSON escapes. */
function memberText({ name, value }: TextMember): string {
  return `"${name}":${value}`;
}

function joined(members: string, further: string): string {
  return members === "" ? further : `${members}${more(further)}`;
}

/** Members behind others. */
function more(members: string): string {
  return members === "" ? "" : `,${members}`;
}

function restOf(rest: readonly TextMember[]): JsonObject {
  return parsedObject(`{${rest.map(memberText).join(",")}}`);
}

function parsedObject(text: string): JsonObject {
  // The store wrote it: it is an object.
  return JSON.parse(text) as JsonObject;
}

function parsed(text: string): JsonValue {
  // Any JSON text is a JSON value.
  return JSON.parse(text) as JsonValue;
}
