/**
 * What stands in the table that lists are read from.
 * @module
 */
import { isJsonArray, isJsonObject, type AttributeType, type JsonObject } from "@scim/schemas";
import type { ResourceModel } from "../../model/resource-model.ts";
import { idOf, statusOf, type HandlerSubject, type OpenSubject } from "./subject.ts";

/** Resources of samples in a list. */
export const MANY = 25;

/** Letters that only Unicode folds, and signs that patterns of databases read as anything. */
export const AWKWARD_TEXT = "Zoë 100%_\\x";

/** Resources that come and go before a list is read. */
const GONE = 3;

/** A plain text of a resource, at the top or one below. */
export interface PlainText {
  readonly path: string;
  /** The type of its attribute: dates and bytes are text too. */
  readonly type: AttributeType;
  readonly value: string;
  /** The resource with another text in its place. */
  readonly exchanged: (text: string) => JsonObject;
}

/** The plain texts of a resource, at the top and one below, those of extensions too. */
export function textsOf({ members }: ResourceModel, sample: JsonObject): readonly PlainText[] {
  return Object.entries(sample).flatMap(([name, value]): readonly PlainText[] => {
    const node = members.get(name.toLowerCase());
    if (typeof value === "string") {
      const type = node?.attribute.type ?? "string";
      return [{ path: name, type, value, exchanged: (text) => ({ ...sample, [name]: text }) }];
    }
    const held = isJsonArray(value) ? value[0] : value;
    if (!isJsonObject(held)) return [];
    const join = name.includes(":") ? ":" : ".";
    return Object.entries(held).flatMap(([part, text]): readonly PlainText[] => {
      if (typeof text !== "string") return [];
      const exchanged = (other: string): JsonObject => {
        const changed = { ...held, [part]: other };
        return { ...sample, [name]: isJsonArray(value) ? [changed] : changed };
      };
      const type = node?.subAttributes.get(part.toLowerCase())?.attribute.type ?? "string";
      return [{ path: `${name}${join}${part}`, type, value: text, exchanged }];
    });
  });
}

/** A resource with every attribute that any sample has. */
export function wholeSample({ sample }: HandlerSubject): JsonObject {
  return Object.fromEntries(Array.from({ length: MANY }, (_, n) => Object.entries(sample(n))).flat());
}

/**
 * Fills the table: resources of samples, one with an awkward text in each attribute that takes it, some that are
 * deleted again, and as many of another tenant.
 * @returns the ids of those that a list shows, in ascending order
 */
export async function fill({ client, model, stranger, subject }: OpenSubject): Promise<readonly string[]> {
  const { sample } = subject;
  const ids: string[] = [];
  for (let n = 0; n < MANY; n += 1) {
    ids.push(idOf(await client.create(sample(n))));
    if (subject.oneTenant !== true) await stranger.create(sample(n));
  }
  for (let n = MANY; n < MANY + GONE; n += 1) await client.delete(idOf(await client.create(sample(n))));
  const whole = wholeSample(subject);
  for (const [index, { path }] of textsOf(model, whole).entries()) {
    // With another value in what must be unique.
    const texts = textsOf(model, { ...whole, ...sample(MANY + GONE + index) });
    const text = texts.find((each) => each.path === path);
    if (text === undefined) continue;
    const create = async (): Promise<unknown> =>
      ids.push(idOf(await client.create(text.exchanged(AWKWARD_TEXT))));
    await statusOf(create());
  }
  return ids.toSorted(compareText);
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
