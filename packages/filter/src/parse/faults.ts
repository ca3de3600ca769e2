/**
 * What can be wrong with a text, in one place: each a sentence with its remedy, without its full stop.
 * @module
 */
import type { Fault } from "./fault.ts";
import { compareOperators } from "./words.ts";

const OPERATORS = [...compareOperators, "pr"];
const NAME_RULE = 'a name is a letter followed by letters, digits, "-", "_" or "$"';
const JOINTS = ['"and"', '"or"', '")"', '"]"', "the end"];

/** Faults that depend on nothing but the place where they are found. */
export const faults = {
  nameExpected: {
    message: `Expected a name: ${NAME_RULE}`,
    expected: ["name"],
  },
  characterInPath: {
    message: `This character is not allowed in an attribute path: ${NAME_RULE}`,
    expected: ["name", "white space"],
  },
  secondSubAttribute: {
    message: "An attribute path ends after one sub-attribute",
    expected: ["white space", "the end"],
  },
  schemaUriExpected: {
    message: 'What stands before the last ":" of an attribute path must be the URI of a schema',
    expected: ["schema URI", "name"],
  },
  whiteSpaceInPath: {
    message: "A path has no white space outside brackets: remove it",
    expected: ["the end"],
  },
  whiteSpaceBeforeBracket: {
    message: 'No white space may stand between an attribute and "[": remove it',
    expected: OPERATORS,
  },
  filterBehindSubAttribute: {
    message: "A value filter belongs behind an attribute, not behind a sub-attribute",
    expected: OPERATORS,
  },
  valueFilterNotAllowed: {
    message:
      "A value filter is not allowed here: within brackets, and where one attribute is named, " +
      "write an attribute path alone",
    expected: ["attribute path"],
  },
  operatorExpected: {
    message: `Expected one of the operators ${OPERATORS.join(", ")}`,
    expected: OPERATORS,
  },
  whiteSpaceBeforeValue: {
    message: "White space must stand between an operator and its value",
    expected: ["white space"],
  },
  valueExpected: {
    message: "Expected a value: a string in double quotes, a number, true, false or null (lower case)",
    expected: ["string", "number", "true", "false", "null"],
  },
  valueEndExpected: {
    message: 'After a value must come white space, ")", "]" or the end',
    expected: ["white space", '")"', '"]"', "the end"],
  },
  controlCharacter: {
    message: String.raw`A control character in a string must be escaped, such as \n or \u0009`,
    expected: ["escape sequence"],
  },
  escapeExpected: {
    message: String.raw`This escape is not one of JSON: \" \\ \/ \b \f \n \r \t or \u and four hexadecimal digits`,
    expected: ["escape sequence"],
  },
  numberTooLarge: {
    message: "This number is beyond the range of a double",
    expected: ["number up to 1.8e308"],
  },
  jointExpected: {
    message: 'Expected white space and "and" or "or", a closing ")" or "]", or the end',
    expected: JOINTS,
  },
  whiteSpaceAfterJoint: {
    message: 'White space must stand after "and" and "or"',
    expected: ["white space"],
  },
  comparisonBehindFilter: {
    message:
      "A value filter takes no comparison behind it: write it inside the brackets, as in " +
      'emails[type eq "work" and value eq "x"]',
    expected: JOINTS,
  },
} satisfies Record<string, Fault>;

/** A string without its closing quote. */
export function unclosedString(start: number): Fault {
  return {
    message: `The string that begins at character ${String(start + 1)} has no closing quote`,
    expected: ["closing quote"],
  };
}

/** More levels than `maxDepth`. */
export function tooDeep(limit: number): Fault {
  return {
    code: "tooDeep",
    message: `Groups, "not" and value paths may be nested ${String(limit)} deep: simplify the filter`,
    expected: [],
  };
}

/** More characters than `maxLength`. */
export function tooLong(limit: number): Fault {
  return {
    code: "tooLong",
    message: `The text may have ${String(limit)} characters: shorten it`,
    expected: [],
  };
}
