/**
 * Which attributes of its schema a handler keeps, and how it keeps references.
 * @module
 */
import { isScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import { equalValues } from "../../attributes/equal.ts";
import { valueAt } from "../../attributes/json-object.ts";
import type { AttributeNode } from "../../model/attribute-node.ts";
import { isSecret } from "../../model/secrets.ts";
import { expectEqual, expectTrue } from "../contract/expect.ts";
import type { HandlerRule } from "./rule.ts";
import { idOf, withoutAddresses, type OpenSubject } from "./subject.ts";

export const ATTRIBUTE_RULES: readonly HandlerRule[] = [
  {
    rule: "attributes/kept",
    name: "every attribute of the schema that clients may set is kept",
    run: async (opened) => {
      const lost: string[] = [];
      for (const [n, node] of settable(opened).entries())
        if (!(await keeps(opened, node, n))) lost.push(node.path);
      return lost.length === 0 ? undefined : `not kept are ${lost.join(", ")}`;
    },
  },
  {
    rule: "attributes/changes",
    name: "an attribute that is kept comes and goes by a change too, and moves the version",
    run: async (opened) => {
      for (const [n, node] of settable(opened).entries()) {
        // What is immutable neither goes nor comes to another value.
        if (node.attribute.mutability === "immutable") continue;
        if (await keeps(opened, node, n)) await changes(opened, node, n);
      }
    },
  },
  {
    rule: "references/changes",
    name: "references come, go and stay, and are read back in the order of adding",
    unsupported: ({ model }) =>
      model.collections.length > 0 ? null : "the type has no reference collections",
    run: async ({ client, model, subject }) => {
      for (const { node } of model.collections.filter(({ node: each }) => each.extension === null)) {
        const { name } = node.attribute;
        const { [name]: _held, ...rest } = subject.sample(0);
        const state = (...ids: readonly string[]): JsonObject =>
          ids.length === 0 ? rest : { ...rest, [name]: ids.map((value) => ({ value })) };
        const made = await client.create(state("r1", "r2", "r3"));
        const values = async (): Promise<unknown> => idsIn((await client.read(idOf(made))).resource[name]);
        expectEqual(await values(), ["r1", "r2", "r3"], `${name} of a new resource`);
        await client.replace(idOf(made), state("r3", "r4"));
        expectEqual(await values(), ["r3", "r4"], `${name} after a change`);
        await client.replace(idOf(made), state());
        expectEqual(await values(), [], `${name} after the last went`);
        await client.delete(idOf(made));
      }
    },
  },
];

function idsIn(value: JsonValue | undefined): readonly unknown[] {
  return Array.isArray(value) ? value.map((each: JsonObject) => each["value"]) : [];
}

/** Attributes that clients may set and read back. */
function settable({ model }: OpenSubject): readonly AttributeNode[] {
  const own = [...model.members.values()].filter(({ extension, path }) => extension !== path);
  const extended = [...model.extensions.values()].flatMap(({ node }) => [...node.subAttributes.values()]);
  return [...own, ...extended].filter(
    (node) =>
      node.storage === "value" &&
      node.attribute.mutability !== "readOnly" &&
      node.attribute.returned !== "never" &&
      !isSecret(node),
  );
}

/** A sample, and the same with a value in an attribute. */
interface Probe {
  readonly without: JsonObject;
  readonly with: JsonObject;
  readonly value: JsonValue;
}

function probe({ subject, model }: OpenSubject, node: AttributeNode, n: number): Probe {
  const sample = subject.sample(n);
  const value = valueAt(sample, node.keys) ?? valueOf(node);
  const { extension, attribute } = node;
  if (extension === null) {
    const { [attribute.name]: _left, ...rest } = sample;
    return {
      without: attribute.required ? sample : rest,
      with: { ...sample, [attribute.name]: value },
      value,
    };
  }
  const others = requiredOf(model.extensions.get(extension.toLowerCase())?.node);
  return { without: sample, with: { ...sample, [extension]: { ...others, [attribute.name]: value } }, value };
}

async function keeps(opened: OpenSubject, node: AttributeNode, n: number): Promise<boolean> {
  const { client } = opened;
  const tried = probe(opened, node, n);
  try {
    const made = await client.create(tried.with);
    const { resource } = await client.read(idOf(made));
    await client.delete(idOf(made));
    return shows(resource, node, tried.value);
  } catch (error) {
    if (isScimError(error) && error.status < 500) return false;
    throw error;
  }
}

/** Sets an attribute and takes it away by replacing the resource: it comes, goes, and moves the version. */
async function changes(opened: OpenSubject, node: AttributeNode, n: number): Promise<void> {
  const { client, handler } = opened;
  const { path } = node;
  const tried = probe(opened, node, n);
  const made = await client.create(tried.without);
  const id = idOf(made);
  const set = await client.replace(id, tried.with);
  expectTrue(shows((await client.read(id)).resource, node, tried.value), `${path} is kept by a change`);
  const taken = await client.replace(id, tried.without);
  expectEqual(valueAt(taken.resource, node.keys), valueAt(made.resource, node.keys), `${path} after it went`);
  if (handler.comparesVersions && !shows(made.resource, node, tried.value))
    expectTrue(
      set.version !== made.version && taken.version !== set.version,
      `the version moves as ${path} comes and goes`,
    );
  await client.delete(id);
}

function shows(resource: JsonObject, node: AttributeNode, value: JsonValue): boolean {
  const shown = valueAt(resource, node.keys);
  return equalValues(shown === undefined ? undefined : withoutAddresses(shown), withoutAddresses(value));
}

function requiredOf(extension: AttributeNode | undefined): JsonObject {
  const required = [...(extension?.subAttributes.values() ?? [])].filter(
    ({ attribute }) => attribute.required,
  );
  return Object.fromEntries(required.map((node) => [node.attribute.name, valueOf(node)]));
}

/** A valid value of an attribute. */
function valueOf(node: AttributeNode): JsonValue {
  const { multiValued } = node.attribute;
  return multiValued ? [oneOf(node)] : oneOf(node);
}

function oneOf(node: AttributeNode): JsonValue {
  const { type, canonicalValues, subAttributes } = node.attribute;
  switch (type) {
    case "boolean":
      return true;
    case "integer":
      return Math.max(1, node.annotation.minimum ?? 1);
    case "decimal":
      return Math.max(1.5, node.annotation.minimum ?? 1.5);
    case "dateTime":
      return "2026-01-31T08:00:00Z";
    case "binary":
      return "AAAA";
    case "reference":
      return "https://example.com/x";
    case "string":
      return canonicalValues[0] ?? "text".slice(0, node.annotation.maxLength);
    case "complex": {
      const given = subAttributes.filter(
        ({ name, mutability }) => name !== "$ref" && mutability !== "readOnly",
      );
      const parts = given.flatMap(({ name }) => node.subAttributes.get(name.toLowerCase()) ?? []);
      return Object.fromEntries(parts.map((part) => [part.attribute.name, valueOf(part)]));
    }
  }
}
