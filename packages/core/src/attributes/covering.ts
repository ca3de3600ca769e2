/**
 * Which values of a list have every sub-attribute that another one has, with the same value. Each value is gone through once, and
 * not once for each that is looked for: thousands of either are compared in one PATCH.
 * @module
 */
import type { AttributeNode } from "../model/attribute-node.ts";
import { partKey } from "./identity.ts";
import { isMutableObject, type MutableObject, type MutableValue } from "./json-object.ts";

/** The values of a list by what one of their sub-attributes is compared by. */
type ByKey = ReadonlyMap<string | null, readonly MutableObject[]>;

interface Wanted {
  readonly sub: AttributeNode;
  readonly key: string;
}

function wantedBy(node: AttributeNode, part: MutableObject): readonly Wanted[] {
  return [...node.subAttributes.values()].flatMap((sub) => {
    const key = partKey(sub, part);
    return key === null ? [] : [{ sub, key }];
  });
}

function hasAll(value: MutableObject, wanted: readonly Wanted[]): boolean {
  return wanted.every(({ sub, key }) => partKey(sub, value) === key);
}

/** Tells of values whether they have every sub-attribute that one value has, with the same value. */
export function coveredBy(node: AttributeNode, part: MutableObject): (whole: MutableObject) => boolean {
  const wanted = wantedBy(node, part);
  return (whole) => hasAll(whole, wanted);
}

/** Finds values by parts of them. */
export class Covering {
  readonly #node: AttributeNode;
  readonly #values: readonly MutableObject[];
  readonly #byPart = new Map<AttributeNode, ByKey>();
  /** What was found before: parts that are alike find the same. */
  readonly #found = new Map<string, readonly MutableObject[]>();

  constructor(node: AttributeNode, values: readonly MutableValue[]) {
    this.#node = node;
    this.#values = values.filter(isMutableObject);
  }

  /** The values that have all sub-attributes of a part; all of them where it has none. */
  of(part: MutableObject): readonly MutableObject[] {
    const wanted = wantedBy(this.#node, part);
    const name = JSON.stringify(wanted.map(({ sub, key }) => [sub.attribute.name, key]));
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    const found = this.#find(wanted);
    this.#found.set(name, found);
    return found;
  }

  #find(wanted: readonly Wanted[]): readonly MutableObject[] {
    // What the fewest have is looked at first: of these alone the others are asked.
    let fewest = this.#values;
    for (const { sub, key } of wanted) {
      const having = this.#by(sub).get(key) ?? [];
      if (having.length < fewest.length) fewest = having;
    }
    return wanted.length < 2 ? fewest : fewest.filter((value) => hasAll(value, wanted));
  }

  #by(sub: AttributeNode): ByKey {
    const known = this.#byPart.get(sub);
    if (known !== undefined) return known;
    const made = Map.groupBy(this.#values, (value) => partKey(sub, value));
    this.#byPart.set(sub, made);
    return made;
  }
}
