/**
 * Shows one operation: what it takes, what it answers, and how to call it.
 * @module
 */
import { element, paragraph } from "./element.js";
import { nameOf, schemaTree, typeOf } from "./schema-tree.js";

/** @import { Content, OpenApiDocument, Operation, Parameter, Reference, Response } from "./document.d.ts" */

/**
 * @typedef {object} Placed an operation and where it stands
 * @property {string} path
 * @property {string} method
 * @property {Operation} operation
 * @property {readonly Reference[]} shared parameters of the whole path
 */

/**
 * The operations of a document in the order of its paths.
 * @param {OpenApiDocument} document
 * @returns {readonly Placed[]}
 */
export function operationsOf(document) {
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const { parameters } = item;
    const shared = isList(parameters) ? parameters : [];
    return Object.entries(item).flatMap(([method, operation]) =>
      operation === undefined || isList(operation) ? [] : [{ path, method, operation, shared }],
    );
  });
}

/**
 * @param {Operation | readonly Reference[] | undefined} value
 * @returns {value is readonly Reference[]}
 */
function isList(value) {
  return Array.isArray(value);
}

/**
 * An operation, folded.
 * @param {OpenApiDocument} api
 * @param {Placed} placed
 */
export function operationView(api, { path, method, operation, shared }) {
  // Each way to authenticate names them again.
  const scopes = [...new Set(operation.security.flatMap((scheme) => Object.values(scheme).flat()))];
  const parameters = [...shared, ...(operation.parameters ?? [])].flatMap(
    ({ $ref }) => api.components.parameters[nameOf($ref)] ?? [],
  );
  return element("details", { id: operation.operationId }, [
    element("summary", {}, [
      element("span", { class: "method" }, [method.toUpperCase()]),
      " ",
      element("span", { class: "path" }, [path]),
      " ",
      element("span", { class: "note" }, [operation.summary]),
    ]),
    ...(operation.description === undefined ? [] : [paragraph(operation.description)]),
    paragraph(`Scope: ${scopes.map((scope) => `\`${scope}\``).join(", ")}`, "note"),
    element("pre", {}, [curl(api, { path, method, operation })]),
    ...parametersView(parameters),
    ...(operation.requestBody === undefined
      ? []
      : [element("h3", {}, ["Body"]), ...contentView(operation.requestBody.content)]),
    element("h3", {}, ["Answers"]),
    ...Object.entries(operation.responses).map(([status, response]) => responseView(api, status, response)),
  ]);
}

/**
 * A call as a shell takes it. The token stays a variable.
 * @param {OpenApiDocument} api
 * @param {Pick<Placed, "path" | "method" | "operation">} placed
 */
function curl(api, { path, method, operation }) {
  const server = api.servers[0]?.url ?? "";
  const lines = [
    `curl${method === "get" ? "" : ` -X ${method.toUpperCase()}`} "${server}${path}"`,
    '-H "Authorization: Bearer $SCIM_TOKEN"',
    ...(operation.requestBody === undefined
      ? []
      : ['-H "Content-Type: application/scim+json"', "--data @body.json"]),
  ];
  return lines.join(" \\\n  ");
}

/** @param {readonly Parameter[]} parameters */
function parametersView(parameters) {
  if (parameters.length === 0) return [];
  const rows = parameters.flatMap(({ name, in: place, required, schema, description }) => [
    element("dt", {}, [
      element("code", {}, [name]),
      element("span", { class: "note" }, [
        ` ${place}, `,
        ...typeOf(schema),
        required === true ? ", required" : "",
      ]),
    ]),
    element("dd", {}, [paragraph(description)]),
  ]);
  return [element("h3", {}, ["Parameters"]), element("dl", { class: "members" }, rows)];
}

/** @param {Content | undefined} content */
function contentView(content) {
  const [first] = Object.values(content ?? {});
  if (first === undefined) return [];
  const types = Object.keys(content ?? {}).join(", ");
  return [element("p", { class: "note" }, [types]), schemaTree(first.schema)];
}

/**
 * @param {OpenApiDocument} api
 * @param {string} status
 * @param {Response | Reference} response
 */
function responseView(api, status, response) {
  const found = "$ref" in response ? api.components.responses[nameOf(response.$ref)] : response;
  const headers = Object.keys(found?.headers ?? {});
  return element("details", {}, [
    element("summary", {}, [
      element("span", { class: "method" }, [status]),
      " ",
      element("span", { class: "note" }, [briefly(found?.description ?? "")]),
    ]),
    paragraph(found?.description ?? ""),
    ...(headers.length === 0
      ? []
      : [paragraph(`Headers: ${headers.map((name) => `\`${name}\``).join(", ")}`)]),
    ...contentView(found?.content),
  ]);
}

/**
 * The first line, or where each line tells of another error, what they are called: none stands for all.
 * @param {string} text
 */
function briefly(text) {
  const names = [...text.matchAll(/^`(\w+)`: /gm)].map(([, name]) => name);
  return names.length > 1 ? names.join(", ") : (text.split("\n", 1)[0] ?? "").replaceAll("`", "");
}
