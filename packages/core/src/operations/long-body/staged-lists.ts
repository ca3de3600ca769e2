/**
 * The lists of a body whose values were read and staged before: what was found in them is told where they stand, so
 * that a body is refused for the same fault, however it was read.
 * @module
 */
import { isScimError, ScimError, type JsonValue } from "@scim/schemas";
import { copyObject, type MutableValue } from "../../attributes/json-object.ts";
import type { RequestContext } from "../../context.ts";
import type { AttributeNode } from "../../model/attribute-node.ts";
import type { StagedBody } from "../../requests.ts";

/** The number of an operation, which stands before what is wrong with its value. */
const OPERATION = /^Operations\[\d+\]: /;

/** The staged lists of one body. */
export class StagedLists {
  readonly #staged: Pick<StagedBody, "lists"> | undefined;
  readonly #context: Pick<RequestContext, "onSwitch">;
  readonly #invalid: { readonly node: AttributeNode; readonly error: ScimError }[] = [];
  readonly #nodes = new Set<AttributeNode>();

  constructor(staged: Pick<StagedBody, "lists"> | undefined, context: Pick<RequestContext, "onSwitch">) {
    this.#staged = staged;
    this.#context = context;
  }

  /** The attributes that they are of. */
  get nodes(): ReadonlySet<AttributeNode> {
    return this.#nodes;
  }

  /** The examples of a list; null where it has no values, undefined where it is none that was staged. */
  take(node: AttributeNode, raw: JsonValue): MutableValue[] | null | undefined {
    const found = this.#staged?.lists.get(raw);
    if (found === undefined) return undefined;
    for (const [name, path] of found.switches) this.#context.onSwitch(name, path);
    if (found.unreadable !== null) throw found.unreadable;
    if (found.count === 0) return null;
    if (found.invalid !== null) this.#invalid.push({ node, error: found.invalid });
    this.#nodes.add(node);
    return found.examples.map(copyObject);
  }

  /** Checks the body; where an example is refused, so is the value that it stands for, under its own index. */
  explain<Result>(check: () => Result): Result {
    try {
      return check();
    } catch (error) {
      if (!isScimError(error)) throw error;
      const [operation = ""] = OPERATION.exec(error.detail) ?? [];
      const stand = error.detail.slice(operation.length);
      const { error: meant } =
        this.#invalid.find(({ node }) => stand.startsWith(`Attribute '${node.path}[0]`)) ?? {};
      if (meant === undefined) throw error;
      throw operation === "" ? meant : new ScimError(meant.code, `${operation}${meant.detail}`);
    }
  }
}
