/**
 * Resolves the names of a filter and checks its values against the attributes' types
 * (RFC 7644 §3.4.2.2; rules R7644-3.4.2.2-T-01 to T-07, R7644-F-08 to F-26).
 * @module
 */
import type {
  AttributePath,
  ComparisonNode,
  FilterNode,
  Literal,
  PresenceNode,
  ValuePathNode,
} from "../ast/nodes.ts";
import { printAttributePath } from "../ast/print.ts";
import type { BoundConstant, BoundFilter, BoundPath } from "../bound.ts";
import { bindLiteral } from "./literal.ts";
import type { AttributeResolver, Resolution } from "./resolver.ts";
import { FilterSemanticError } from "./semantic-error.ts";

/** How a filter is bound. */
export interface BindOptions {
  /**
   * Reads the strings `"true"` and `"false"`, in any letter case, as booleans where a boolean is
   * compared (Entra ID sends `roles[primary eq "True"]`). Default false.
   */
  readonly stringBooleans?: boolean;
  /** Is told each time that a string was read as a boolean. */
  readonly onStringBoolean?: () => void;
}

/**
 * Resolves every name of a filter and makes its values ready for comparison.
 * @throws {@link FilterSemanticError} where a name is unknown, or an operator or a value does not go
 * with an attribute's type.
 */
export function bindFilter<Handle>(
  node: FilterNode,
  resolver: AttributeResolver<Handle>,
  options: BindOptions = {},
): BoundFilter<Handle> {
  return new Binder(resolver, options, null).bind(node);
}

/**
 * Binds the filter between the brackets of a PATCH path to the values of one attribute, as
 * {@link bindFilter} does for `attribute[filter]`.
 * @throws {@link FilterSemanticError}
 */
export function bindValueFilter<Handle>(
  node: FilterNode,
  target: BoundPath<Handle>,
  { resolver, ...options }: BindOptions & { readonly resolver: AttributeResolver<Handle> },
): BoundFilter<Handle> {
  return new Binder(resolver, options, target).bind(node);
}

class Binder<Handle> {
  readonly #resolver: AttributeResolver<Handle>;
  readonly #options: BindOptions;
  readonly #within: BoundPath<Handle> | null;

  constructor(resolver: AttributeResolver<Handle>, options: BindOptions, within: BoundPath<Handle> | null) {
    this.#resolver = resolver;
    this.#options = options;
    this.#within = within;
  }

  bind(node: FilterNode): BoundFilter<Handle> {
    switch (node.kind) {
      case "comparison":
        return this.#comparison(node);
      case "presence":
        return this.#presence(node);
      case "valuePath":
        return this.#valuePath(node);
      case "not":
        return { kind: "not", operand: this.bind(node.operand) };
      case "and":
      case "or":
        return { kind: node.kind, operands: this.#operands(node.kind, node.operands) };
    }
  }

  // Groups of the same kind become one list, so that readers of the tree see `a and (b and c)` as three.
  #operands(kind: "and" | "or", operands: readonly FilterNode[]): readonly BoundFilter<Handle>[] {
    return operands.flatMap((operand) => {
      const bound = this.bind(operand);
      return bound.kind === kind ? bound.operands : [bound];
    });
  }

  #presence({ path }: PresenceNode): BoundFilter<Handle> {
    const target = this.#resolve(path);
    return typeof target === "string" ? constant(false) : { kind: "presence", target };
  }

  #comparison(node: ComparisonNode): BoundFilter<Handle> {
    const path = this.#name(node.path);
    const target = this.#resolve(node.path);
    if (target === "hidden") throw isHidden(path);
    if (node.value === null) return this.#againstNull(node, target);
    if (target === "noValue") return constant(node.operator === "ne");
    const comparable = this.#comparable(node.path, target);
    const value = this.#literal(node.value, comparable);
    const key = bindLiteral(value, { target: comparable, operator: node.operator, path });
    return { kind: "comparison", target: comparable, operator: node.operator, key };
  }

  // Null and unassigned are one state (RFC 7643 §2.5): `eq null` is "no value", `ne null` is `pr`.
  #againstNull(node: ComparisonNode, target: BoundPath<Handle> | "noValue"): BoundFilter<Handle> {
    if (node.operator !== "eq" && node.operator !== "ne") {
      const path = this.#name(node.path);
      throw new FilterSemanticError(
        "operatorNotAllowed",
        path,
        `The operator ${node.operator} does not go with null: use eq, ne or pr for ${path}.`,
      );
    }
    if (target === "noValue") return constant(node.operator === "eq");
    const presence: BoundFilter<Handle> = { kind: "presence", target };
    return node.operator === "ne" ? presence : { kind: "not", operand: presence };
  }

  // A multi-valued complex attribute alone means its `value` sub-attribute (R7644-F-11).
  #comparable(path: AttributePath, target: BoundPath<Handle>): BoundPath<Handle> {
    if (target.type !== "complex" || path.subAttribute !== null) return target;
    if (!target.multiValued) return this.#resolver.comparand?.(target) ?? target;
    const value = this.#resolver.resolve({ ...path, subAttribute: "value" }, this.#within);
    return typeof value === "string" ? target : value;
  }

  #literal(value: Exclude<Literal, null>, target: BoundPath): Exclude<Literal, null> {
    if (this.#options.stringBooleans !== true || target.type !== "boolean" || typeof value !== "string")
      return value;
    const word = value.toLowerCase();
    if (word !== "true" && word !== "false") return value;
    this.#options.onStringBoolean?.();
    return word === "true";
  }

  #valuePath({ path, filter }: ValuePathNode): BoundFilter<Handle> {
    const name = this.#name(path);
    if (this.#within !== null) {
      throw new FilterSemanticError(
        "valueFilterNotAllowed",
        name,
        `'${name}' stands within brackets: a value filter cannot hold another, join conditions with "and".`,
      );
    }
    const target = this.#resolve(path);
    if (target === "noValue") return constant(false);
    if (target === "hidden") throw isHidden(name);
    if (path.subAttribute !== null || (target.type !== "complex" && !target.multiValued)) {
      throw new FilterSemanticError(
        "valueFilterNotAllowed",
        name,
        `${name} has no values to filter: compare it without brackets.`,
      );
    }
    return {
      kind: "valuePath",
      target,
      filter: new Binder(this.#resolver, this.#options, target).bind(filter),
    };
  }

  #resolve(path: AttributePath): Exclude<Resolution<Handle>, "unknown"> {
    const found =
      this.#within === null ? this.#resolver.resolve(path, null) : this.#resolveWithin(path, this.#within);
    if (found !== "unknown") return found;
    const name = this.#name(path);
    throw new FilterSemanticError(
      "unknownAttribute",
      name,
      `There is no attribute '${name}': check its name, and put the URN before an extension's attribute.`,
    );
  }

  // Between brackets stand sub-attributes of the parent alone (R7644-F-14).
  #resolveWithin(path: AttributePath, within: BoundPath<Handle>): Resolution<Handle> {
    if (path.urn !== null || path.subAttribute !== null) return "unknown";
    if (within.type === "complex") return this.#resolver.resolve(path, within);
    return path.attribute.toLowerCase() === "value" ? { ...within, keys: [], multiValued: false } : "unknown";
  }

  #name(path: AttributePath): string {
    const name = printAttributePath(path);
    return this.#within === null ? name : `${this.#within.path}.${name}`;
  }
}

function isHidden(path: string): FilterSemanticError {
  return new FilterSemanticError(
    "hiddenAttribute",
    path,
    `${path} is never returned and cannot be compared: remove it from the filter.`,
  );
}

function constant(value: boolean): BoundConstant {
  return { kind: "constant", value };
}
