/**
 * The grammar of filters, attribute paths and PATCH paths, as a Chevrotain parser
 * (RFC 7644 §3.4.2.2 Figure 1 and §3.5.2 Figure 7, with precedence written into the rules).
 *
 * White space and the forms of names and values are the lexer's: see `lexer.ts`.
 * @module
 */
import { EmbeddedActionsParser } from "chevrotain";
import type { ParserMethod, TokenType } from "chevrotain";
import type { AttributePath, FilterNode, PatchPath, ValuePathNode } from "../ast/nodes.ts";
import { errorMessages } from "./recognition.ts";
import {
  And,
  Attribute,
  DotName,
  FilteredAttribute,
  LeftParenthesis,
  Not,
  Operator,
  Or,
  Present,
  RightBracket,
  RightParenthesis,
  tokenTypes,
  Value,
} from "./tokens.ts";
import type { PayloadTokenType } from "./tokens.ts";
import { subAttributePath, withinValueFilter } from "./value-path-comparison.ts";

type Rule<Node> = ParserMethod<[], Node>;

/** One production, one rule; each returns its part of the tree. */
export class FilterGrammar extends EmbeddedActionsParser {
  // filter = andExp *( "or" andExp )
  readonly filter = this.#chain("filter", Or, () => this.andExpression);

  // andExp = term *( "and" term )
  readonly andExpression = this.#chain("andExpression", And, () => this.term);

  // Kept, since a rule would else make them anew at every call.
  readonly #termAlternatives = [
    { ALT: () => this.#attributeExpression() },
    { ALT: () => this.#group(this.filter) },
    { ALT: () => this.SUBRULE(this.valuePathTerm) },
  ];

  // term = attrExp / ["not"] "(" filter ")" / valuePath
  readonly term: Rule<FilterNode> = this.RULE("term", () => this.OR(this.#termAlternatives));

  // By tolerance: valuePath ["." name] ( compareOp compValue / "pr" ). Else the lexer stops before it.
  readonly valuePathTerm: Rule<FilterNode> = this.RULE("valuePathTerm", () => {
    const node = this.SUBRULE(this.valuePath);
    const compared = this.OPTION(() => {
      const name = this.OPTION2(() => this.#take(DotName));
      const comparison = this.#test(subAttributePath(name ?? "value"));
      return this.ACTION(() => withinValueFilter(node, comparison, name !== undefined));
    });
    return compared ?? node;
  });

  // valuePath = attrPath "[" valFilter "]"
  readonly valuePath: Rule<ValuePathNode> = this.RULE("valuePath", (): ValuePathNode => {
    const path = this.#take(FilteredAttribute);
    const filter = this.SUBRULE(this.valueFilter);
    this.CONSUME(RightBracket);
    return { kind: "valuePath", path, filter };
  });

  // valFilter = valAnd *( "or" valAnd )
  readonly valueFilter = this.#chain("valueFilter", Or, () => this.valueAnd);

  // valAnd = valTerm *( "and" valTerm )
  readonly valueAnd = this.#chain("valueAnd", And, () => this.valueTerm);

  readonly #valueTermAlternatives = [
    { ALT: () => this.#attributeExpression() },
    { ALT: () => this.#group(this.valueFilter) },
  ];

  // valTerm = attrExp / ["not"] "(" valFilter ")"
  readonly valueTerm: Rule<FilterNode> = this.RULE("valueTerm", () => this.OR(this.#valueTermAlternatives));

  // PATH = attrPath / valuePath ["." name]
  readonly patchPath: Rule<PatchPath> = this.RULE("patchPath", () =>
    this.OR([
      {
        ALT: (): PatchPath => {
          const path = this.SUBRULE(this.attributePath);
          return { kind: "patchPath", path, filter: null, subAttribute: null };
        },
      },
      {
        ALT: (): PatchPath => {
          const { path, filter } = this.SUBRULE(this.valuePath);
          const subAttribute = this.OPTION(() => this.#take(DotName)) ?? null;
          return { kind: "patchPath", path, filter, subAttribute };
        },
      },
    ]),
  );

  // attrPath = [URI ":"] name ["." name]
  readonly attributePath: Rule<AttributePath> = this.RULE("attributePath", () => this.#take(Attribute));

  constructor() {
    super([...tokenTypes], { maxLookahead: 1, errorMessageProvider: errorMessages });
    this.performSelfAnalysis();
  }

  // Consumes a token and gives what it means.
  #take<Payload>(type: PayloadTokenType<Payload>): Payload {
    const payload: unknown = this.CONSUME(type).payload;
    // The lexer pairs type and payload; Chevrotain's token carries the payload untyped.
    return payload as Payload;
  }

  // attrExp = attrPath ( compareOp compValue / "pr" )
  #attributeExpression(): FilterNode {
    return this.#test(this.#take(Attribute));
  }

  // compareOp compValue / "pr"
  #test(path: AttributePath): FilterNode {
    return this.OR2([
      {
        ALT: (): FilterNode => {
          const operator = this.#take(Operator);
          const value = this.#take(Value);
          return { kind: "comparison", path, operator, value };
        },
      },
      {
        ALT: (): FilterNode => {
          this.CONSUME(Present);
          return { kind: "presence", path };
        },
      },
    ]);
  }

  // operand *( separator operand )
  #chain(name: string, separator: TokenType, operand: () => Rule<FilterNode>): Rule<FilterNode> {
    const kind = separator === And ? "and" : "or";
    return this.RULE(name, (): FilterNode => {
      const first = this.SUBRULE(operand());
      const operands = [first];
      this.MANY(() => {
        this.CONSUME(separator);
        operands.push(this.SUBRULE2(operand()));
      });
      return operands.length === 1 ? first : { kind, operands };
    });
  }

  // ["not"] "(" inner ")"
  #group(inner: Rule<FilterNode>): FilterNode {
    const not = this.OPTION(() => this.CONSUME(Not));
    this.CONSUME(LeftParenthesis);
    const operand = this.SUBRULE(inner);
    this.CONSUME(RightParenthesis);
    return not === undefined ? operand : { kind: "not", operand };
  }
}
