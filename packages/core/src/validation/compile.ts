/**
 * JSON Schemas compiled by ajv, once for all services of the process: many tenants share the same few schemas, and
 * compiling one takes longer than a hundred requests.
 * @module
 */
import { _, Ajv, type KeywordCxt, type ValidateFunction } from "ajv";
import { codePointsOf, isBinary, isDateTime, isReference, precisionOf, scaleOf } from "./formats.ts";
import { MAX_LENGTH, PRECISION, SCALE, type JsonSchema } from "./json-schema.ts";

/** Most schemas that are kept; whoever holds a function goes on with it. */
const MAX_ENTRIES = 2000;

interface Compiled {
  readonly schema: JsonSchema;
  readonly validate: ValidateFunction;
}

const compiler = createAjv();
const known = new Map<string, Compiled>();

/** The function that checks values against a schema. Equal schemas have the same function. */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  const text = JSON.stringify(schema);
  const compiled = known.get(text) ?? { schema, validate: compiler.compile(schema) };
  known.delete(text);
  known.set(text, compiled);
  const [oldest] = known;
  if (known.size > MAX_ENTRIES && oldest !== undefined) {
    known.delete(oldest[0]);
    compiler.removeSchema(oldest[1].schema);
  }
  return compiled.validate;
}

function createAjv(): Ajv {
  const made = new Ajv({
    strict: true,
    allErrors: false,
    ownProperties: true,
    messages: false,
    // The schemas are our own, and `strict` refuses a keyword that is none.
    meta: false,
    validateSchema: false,
    // Half the time to compile a great schema, which a request waits for; what is compiled is no slower.
    code: { optimize: false },
    formats: { "scim-binary": isBinary, "scim-date-time": isDateTime, "scim-reference": isReference },
  });
  addLengthKeyword(made);
  addDigitsKeyword(made, PRECISION, precisionOf);
  addDigitsKeyword(made, SCALE, scaleOf);
  return made;
}

/** `maxLength` that looks at single code points only where it must: few texts come near the limit. */
function addLengthKeyword(ajv: Ajv): void {
  ajv.addKeyword({
    keyword: MAX_LENGTH,
    type: "string",
    schemaType: "number",
    code: (context: KeywordCxt) => {
      const { gen, data, schemaCode } = context;
      const count = gen.scopeValue("func", { ref: codePointsOf });
      context.fail(_`${data}.length > ${schemaCode} && ${count}(${data}) > ${schemaCode}`);
    },
    error: { message: "", params: ({ schemaCode }) => _`{limit: ${schemaCode}}` },
  });
}

/** A keyword that limits what is counted of a number. */
function addDigitsKeyword(ajv: Ajv, keyword: string, count: (value: number) => number): void {
  ajv.addKeyword({
    keyword,
    type: "number",
    schemaType: "number",
    validate: (limit: number, value: number) => count(value) <= limit,
    error: { message: "", params: ({ schemaCode }) => _`{limit: ${schemaCode}}` },
  });
}
