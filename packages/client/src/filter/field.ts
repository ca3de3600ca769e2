/**
 * Attributes in filters, and the operators that they have.
 * @module
 */
import {
  attributePath,
  compare,
  present,
  valuePath,
  type AttributePath,
  type CompareOperator,
  type Literal,
} from "@scim/filter/ast";
import { FilterExpression } from "./expression.ts";

/** What every attribute has. */
export interface AnyField {
  /** Has a value. */
  pr(): FilterExpression;
}

/** An attribute that is true or false. */
export interface BooleanField extends AnyField {
  eq(value: boolean | null): FilterExpression;
  ne(value: boolean | null): FilterExpression;
}

/** An attribute with an order. */
export interface OrderedField<Value extends string | number> extends AnyField {
  eq(value: Value | null): FilterExpression;
  ne(value: Value | null): FilterExpression;
  gt(value: Value): FilterExpression;
  ge(value: Value): FilterExpression;
  lt(value: Value): FilterExpression;
  le(value: Value): FilterExpression;
}

/** An attribute that is text, a reference or a time. */
export interface TextField extends OrderedField<string> {
  /** Contains. */
  co(value: string): FilterExpression;
  /** Starts with. */
  sw(value: string): FilterExpression;
  /** Ends with. */
  ew(value: string): FilterExpression;
}

/** A complex attribute. */
export interface ComplexField<Subs> extends AnyField {
  /** One of its values meets the whole filter: `emails[type eq "work" and value ew "@example.com"]`. */
  where(build: (sub: Subs) => FilterExpression): FilterExpression;
}

/** An attribute of which the type is not known. */
export class Field {
  readonly #path: AttributePath;

  constructor(path: AttributePath) {
    this.#path = path;
  }

  eq(value: Literal): FilterExpression {
    return this.#compare("eq", value);
  }

  ne(value: Literal): FilterExpression {
    return this.#compare("ne", value);
  }

  co(value: string): FilterExpression {
    return this.#compare("co", value);
  }

  sw(value: string): FilterExpression {
    return this.#compare("sw", value);
  }

  ew(value: string): FilterExpression {
    return this.#compare("ew", value);
  }

  gt(value: string | number): FilterExpression {
    return this.#compare("gt", value);
  }

  ge(value: string | number): FilterExpression {
    return this.#compare("ge", value);
  }

  lt(value: string | number): FilterExpression {
    return this.#compare("lt", value);
  }

  le(value: string | number): FilterExpression {
    return this.#compare("le", value);
  }

  pr(): FilterExpression {
    return new FilterExpression(present(this.#path));
  }

  /** One of the values meets the whole filter, whose paths are those of sub-attributes. */
  where(filter: FilterExpression): FilterExpression {
    return new FilterExpression(valuePath(this.#path, filter.node));
  }

  #compare(operator: CompareOperator, value: Literal): FilterExpression {
    return new FilterExpression(compare(this.#path, operator, value));
  }
}

/**
 * An attribute by its path, for types that are known at run time alone.
 *
 * @example
 * client.resource(found).list({ filter: field("serial").sw("47").and(field("seen").pr()) });
 * @throws FilterBuildError of `@scim/filter/ast` where the path is none
 */
export function field(path: string): Field {
  return new Field(attributePath(path));
}
