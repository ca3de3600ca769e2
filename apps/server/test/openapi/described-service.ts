/**
 * A service as its OpenAPI document describes it: what to send, and what may come back.
 * @module
 */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { JsonObject, JsonValue } from "@scim/schemas";
import { exchange, type WireAnswer } from "../over-http/exchange.ts";
import { closed, type Resolve } from "./bodies-from-schema.ts";

/** A JSON Schema, as far as it is read here. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: JsonValue;
  readonly enum?: readonly JsonValue[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly contains?: Schema;
  readonly minItems?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly contentEncoding?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "header" | "path";
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: JsonValue }>>;
}

interface Content {
  readonly [mediaType: string]: { readonly schema: Schema };
}

interface Response {
  readonly headers?: Readonly<Record<string, JsonObject>>;
  readonly content?: Content;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly $ref: string }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response & { readonly $ref?: string }>>;
}

export interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonObject>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

export const METHODS = ["get", "post", "put", "patch", "delete"] as const;

/** An operation and where it stands. */
export interface Described {
  readonly path: string;
  readonly method: (typeof METHODS)[number];
  readonly operation: Operation;
}

/** A document, and how to judge answers by it. */
export interface DescribedService {
  readonly document: Document;
  readonly operations: readonly Described[];
  readonly resolve: Resolve;
  /** The parameters of an operation, those of its path left out. */
  parametersOf(operation: Operation): readonly Parameter[];
  /** What is wrong with an answer to an operation; empty where it is as described. */
  faultsOf(operation: Operation, answer: WireAnswer): readonly string[];
}

/** Headers that say something of SCIM: an answer has none that its description does not name. */
const TELLING = [
  "etag",
  "location",
  "preference-applied",
  "retry-after",
  "scim-dry-run",
  "scim-filter-plan",
  "www-authenticate",
] as const;

/** Reads the document of a server. */
export async function readDescription(origin: string, token: string): Promise<DescribedService> {
  const answer = await exchange(origin, {
    method: "GET",
    path: "/openapi.json",
    headers: { authorization: `Bearer ${token}` },
  });
  if (answer.status !== 200) throw new Error(`/openapi.json answered ${answer.status}: ${answer.text}`);
  // Its form is checked where it is made, by an independent validator.
  return describedBy(answer.body as unknown as Document);
}

function describedBy(document: Document): DescribedService {
  const { components, paths } = document;
  // Each schema is compiled once, and not anew wherever something refers to it.
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "document", components: { schemas: closedComponents(components.schemas) } });
  const resolve: Resolve = (reference) => {
    const schema = components.schemas[lastOf(reference)];
    if (schema === undefined) throw new Error(`${reference} names nothing.`);
    return schema;
  };
  const known = new Map<Schema, ValidateFunction>();
  const compiled = (schema: Schema): ValidateFunction => {
    const validate = known.get(schema) ?? ajv.compile(absolute(closed(schema as JsonObject)) as JsonObject);
    known.set(schema, validate);
    return validate;
  };
  const checkBody = (content: Content, answer: WireAnswer): readonly string[] => {
    const [type = ""] = String(answer.headers["content-type"]).split(";", 1);
    const schema = content[type]?.schema;
    if (schema === undefined) return [`its media type is ${type}`];
    const validate = compiled(schema);
    if (validate(answer.body)) return [];
    return [`its body: ${ajv.errorsText(validate.errors)}: ${answer.text.slice(0, 2000)}`];
  };
  return {
    document,
    resolve,
    operations: Object.entries(paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = item[method];
        return operation === undefined ? [] : [{ path, method, operation }];
      }),
    ),
    parametersOf: ({ parameters = [] }) =>
      parameters.flatMap(({ $ref }) => components.parameters[lastOf($ref)] ?? []),
    faultsOf: ({ responses }, answer) => {
      const named = responses[String(answer.status)];
      const response = named?.$ref === undefined ? named : components.responses[lastOf(named.$ref)];
      if (response === undefined) return [`it is a ${answer.status}: ${answer.text.slice(0, 500)}`];
      const headers = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()));
      const untold = TELLING.filter((name) => answer.headers[name] !== undefined && !headers.has(name));
      return [
        ...untold.map((name) => `its ${answer.status} has a header ${name}`),
        ...(response.content === undefined
          ? answer.text === ""
            ? []
            : ["it has a body"]
          : checkBody(response.content, answer)),
      ];
    },
  };
}

function closedComponents(schemas: Document["components"]["schemas"]): JsonObject {
  const entries = Object.entries(schemas).map(([name, schema]) => [name, absolute(closed(schema))] as const);
  return Object.fromEntries(entries);
}

/** References into the document, for ajv, which knows it by a name. */
function absolute(schema: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')) as JsonValue;
}

function lastOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}
