/**
 * Shows a JSON Schema as a tree of members; references become links.
 * @module
 */
import { element, paragraph } from "./element.js";

/** @import { Schema } from "./document.d.ts" */

/**
 * A schema as a heading for its type, and its members below.
 * @param {Schema} schema
 * @returns {HTMLElement}
 */
export function schemaTree(schema) {
  return element("div", {}, [element("p", { class: "note" }, typeOf(schema)), ...membersOf(schema)]);
}

/**
 * The type of a schema in words, with links to components.
 * @param {Schema} schema
 * @returns {readonly (Node | string)[]}
 */
export function typeOf(schema) {
  if (schema.$ref !== undefined) return [linkTo(schema.$ref)];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined)
    return choices.flatMap((choice, index) => [index === 0 ? "" : " or ", ...typeOf(choice)]);
  if (schema.items !== undefined) return ["list of ", ...typeOf(schema.items)];
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum !== undefined) return [schema.enum.map((value) => JSON.stringify(value)).join(" | ")];
  return [
    [schema.title, typeName(schema), boundsOf(schema)]
      .filter((part) => part !== undefined && part !== "")
      .join(", "),
  ];
}

/**
 * @param {Schema} schema
 * @returns {string}
 */
function typeName({ type = "any value", format, contentEncoding }) {
  return [typeof type === "string" ? type : type.join(" or "), format ?? contentEncoding ?? ""]
    .filter((part) => part !== "")
    .join(" ");
}

/**
 * @param {Schema} schema
 * @returns {string}
 */
function boundsOf(schema) {
  /** @type {readonly (readonly [string, number | string | undefined])[]} */
  const bounds = [
    ["at least", schema.minimum],
    ["at most", schema.maximum],
    ["least length", schema.minLength],
    ["greatest length", schema.maxLength],
    ["form", schema.pattern],
  ];
  return bounds
    .filter(([, value]) => value !== undefined)
    .map(([words, value]) => `${words} ${String(value)}`)
    .join(", ");
}

/**
 * @param {Schema} schema
 * @returns {readonly HTMLElement[]}
 */
function membersOf(schema) {
  const inner = [
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.items === undefined ? [] : [schema.items]),
  ];
  const { properties } = schema;
  if (properties === undefined) return inner.flatMap(membersOf);
  const required = new Set(schema.required);
  const rows = Object.entries(properties).flatMap(([name, member]) => [
    element("dt", {}, [
      element("code", {}, [name]),
      " ",
      element("span", { class: "note" }, [...typeOf(member), flagsOf(member, required.has(name))]),
    ]),
    element("dd", {}, [
      ...(member.description === undefined ? [] : [paragraph(member.description)]),
      ...(member.$ref === undefined ? membersOf(member) : []),
    ]),
  ]);
  return [element("dl", { class: "members" }, rows)];
}

/**
 * @param {Schema} schema
 * @param {boolean} required
 */
function flagsOf({ readOnly, writeOnly, maxItems, examples = [], default: fallback }, required) {
  const flags = [
    maxItems === undefined ? "" : `at most ${maxItems} values`,
    examples.length === 0 ? "" : `such as ${examples.map((value) => JSON.stringify(value)).join(", ")}`,
    required ? "required" : "",
    readOnly === true ? "read-only" : "",
    writeOnly === true ? "write-only" : "",
    fallback === undefined ? "" : `default ${JSON.stringify(fallback)}`,
  ].filter((flag) => flag !== "");
  return flags.length === 0 ? "" : ` · ${flags.join(" · ")}`;
}

/**
 * The id of the place where a component is shown.
 * @param {string} name
 */
export function schemaId(name) {
  return `schema-${name}`;
}

/** @param {string} reference */
function linkTo(reference) {
  const name = nameOf(reference);
  return element("a", { href: `#${schemaId(name)}` }, [name]);
}

/**
 * The last part of a reference: the name of the component.
 * @param {string} reference
 */
export function nameOf(reference) {
  return reference.slice(reference.lastIndexOf("/") + 1);
}
