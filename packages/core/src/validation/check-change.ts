/**
 * Checks what a change makes of a resource.
 * @module
 */
import { isJsonArray, isJsonObject, isScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import { equalInList, equalValues } from "../attributes/equal.ts";
import { identityOf } from "../attributes/identity.ts";
import {
  copy,
  isMutableObject,
  own,
  ownMutable,
  type MutableObject,
  type MutableValue,
} from "../attributes/json-object.ts";
import { requireShort } from "../attributes/list-length.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { isRequired, requiredExtensions } from "./json-schema.ts";
import { lackingValue, type Validator } from "./validator.ts";

/** A resource before a change, and after it. */
export interface ResourceChange {
  /** Asked for where the resource is not valid afterwards. */
  readonly before: () => JsonObject;
  readonly after: MutableObject;
  /** Most values of a list in a complex value; one that had more may keep as many. */
  readonly maxValues: number;
}

/**
 * Checks the resource that a change leads to. One that was stored by other definitions or limits, or that was imported without
 * what is never returned, need not fit the present ones: then only what differs has to. A value of a list counts as a whole.
 * @throws ScimError `invalidValue` naming the attribute
 */
export function checkChange(
  validator: Validator,
  model: ResourceModel,
  { before, after, maxValues }: ResourceChange,
): void {
  try {
    validator.resource(model, after, "result");
  } catch (error) {
    const stored = before();
    if (isValid(validator, model, stored)) throw error;
    new ChangeCheck(validator, { model, maxValues }).members({
      members: model.members,
      before: stored,
      after,
    });
  }
}

function isValid(validator: Validator, model: ResourceModel, resource: JsonObject): boolean {
  try {
    validator.resource(model, resource, "result");
    return true;
  } catch (error) {
    if (!isScimError(error)) throw error;
    return false;
  }
}

/** Two states of an object that holds attributes. */
interface Place {
  readonly members: ReadonlyMap<string, AttributeNode>;
  /** Before; undefined where there was none. */
  readonly before: JsonObject | undefined;
  readonly after: MutableObject;
}

/** Tells whether an attribute must have a value. */
type IsDemanded = (node: AttributeNode) => boolean;

class ChangeCheck {
  readonly #validator: Validator;
  readonly #isDemanded: IsDemanded;
  readonly #maxValues: number;

  constructor(
    validator: Validator,
    { model, maxValues }: { readonly model: ResourceModel } & Pick<ResourceChange, "maxValues">,
  ) {
    const urns = new Set(requiredExtensions(model, "import"));
    this.#validator = validator;
    this.#maxValues = maxValues;
    // Whoever reads the rows of a collection sees to it that there are some.
    this.#isDemanded = (node) =>
      (node.storage !== "collection" && isRequired(node, "import")) || urns.has(node.path);
  }

  members({ members, before, after }: Place): void {
    for (const node of members.values()) {
      const { name } = node.attribute;
      const [was, is] = [before === undefined ? undefined : own(before, name), ownMutable(after, name)];
      if (is !== undefined) this.#value(node, was, is);
      else if ((before === undefined || was !== undefined) && this.#isDemanded(node))
        throw lackingValue(node.path);
    }
  }

  #value(node: AttributeNode, was: JsonValue | undefined, is: MutableValue): void {
    if (equalValues(was, is)) return;
    if (Array.isArray(is)) this.#list(node, isJsonArray(was) ? was : [], is);
    else if (isMutableObject(is) && node.subAttributes.size > 0) {
      const before = isJsonObject(was) ? was : undefined;
      this.members({ members: node.subAttributes, before, after: is });
    } else this.#validator.changed(node, is, node.path);
  }

  #list(node: AttributeNode, were: readonly JsonValue[], are: readonly MutableValue[]): void {
    // Lists of a resource or an extension are settled behind this: see `settleResource`.
    if (node.parent !== null && are.length > were.length)
      requireShort({ node, path: node.path }, are.length, { maxValues: this.#maxValues });
    const identify = identityOf(node);
    const known = new Map(were.map((value) => [identify(copy(value)), value]));
    const names = are.map(identify);
    const staying = new Set(names);
    const gone = [...known].flatMap(([name, value]) => (staying.has(name) ? [] : [value]));
    for (const [index, value] of are.entries())
      if (!equalInList(known.get(names[index] ?? ""), value))
        this.#validator.changed(node, this.#cut(node, value, gone), `${node.path}[${String(index)}]`);
  }

  /** A value without what its lists have too many, where one that it can have been before had as many: they may become fewer. */
  #cut(node: AttributeNode, value: MutableValue, gone: readonly JsonValue[]): MutableValue {
    if (!isMutableObject(value)) return value;
    const cut: MutableObject = { ...value };
    for (const { attribute } of node.subAttributes.values()) {
      const list = ownMutable(value, attribute.name);
      if (!Array.isArray(list) || list.length <= this.#maxValues) continue;
      const had = gone.map((each) => (isJsonObject(each) ? own(each, attribute.name) : undefined));
      if (had.some((each) => isJsonArray(each) && each.length >= list.length))
        cut[attribute.name] = list.slice(0, this.#maxValues);
    }
    return cut;
  }
}
