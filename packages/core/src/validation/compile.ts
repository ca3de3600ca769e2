/**
 * JSON Schemas compiled by ajv, once for all services of the process: many tenants share the same few schemas, and
 * compiling one takes longer than a hundred requests.
 * @module
 */
import { precisionOf, scaleOf } from "@scim/schemas";
import { _, Ajv, type KeywordCxt, type ValidateFunction } from "ajv";
import { isLonger, isBinary, isDateTime, isReference } from "./formats.ts";
import { MAX_LENGTH, PRECISION, SCALE, type JsonSchema } from "./json-schema.ts";

/** Most schemas that are kept; whoever holds a function goes on with it. */
const MAX_ENTRIES = 2000;

/** Schemas that one ajv compiles: to make it takes a tenth of the time of a schema, and the memory of one. */
const SCHEMAS_OF_AJV = 32;

/**
 * Compiles schemas, and keeps those that were asked for last. An ajv never lets go of what it has compiled, nor does a function
 * of its ajv: so each ajv compiles a few schemas, and goes with the last of them.
 */
export class SchemaCompiler {
  readonly #most: number;
  readonly #known = new Map<string, ValidateFunction>();
  #ajv = createAjv();
  #compiled = 0;

  /** @param most schemas that are kept */
  constructor(most: number) {
    this.#most = most;
  }

  /** The function that checks values against a schema; the same for equal ones, while they are kept. */
  compile(schema: JsonSchema): ValidateFunction {
    const text = JSON.stringify(schema);
    const validate = this.#known.get(text) ?? this.#make(schema);
    this.#known.delete(text);
    this.#known.set(text, validate);
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#most && oldest !== undefined) this.#known.delete(oldest);
    return validate;
  }

  #make(schema: JsonSchema): ValidateFunction {
    if (this.#compiled === SCHEMAS_OF_AJV) {
      this.#ajv = createAjv();
      this.#compiled = 0;
    }
    this.#compiled += 1;
    return this.#ajv.compile(schema);
  }
}

const compiler = new SchemaCompiler(MAX_ENTRIES);

/** The function that checks values against a schema. Equal schemas have the same function. */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  return compiler.compile(schema);
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
      const longer = gen.scopeValue("func", { ref: isLonger });
      context.fail(_`${data}.length > ${schemaCode} && ${longer}(${data}, ${schemaCode})`);
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
