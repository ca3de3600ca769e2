/**
 * Reads mapping files: YAML, or JSON, which is YAML too.
 * @module
 */
import { createHash } from "node:crypto";
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type ParsedNode } from "yaml";
import type { JsonValue } from "@scim/schemas";
import type { ValueRule } from "../expression/evaluate.ts";
import { ExpressionError, parseExpression, type Expression } from "../expression/parse.ts";
import type {
  ChangeLimit,
  LeaverAction,
  Mapping,
  MutableTables,
  StatedReference,
  StatedRule,
  StatedSection,
} from "./document.ts";
import { MappingError, type MappingFault } from "./mapping-error.ts";
import { constantOf, nameOf, YamlNodes, type Spot } from "./yaml-nodes.ts";

/** Form in which a state holds what was applied: one of another form is that of another mapping. */
const FORM = 2;

const LEAVERS: readonly LeaverAction[] = ["deactivate", "delete", "ignore"];
const DEFAULT_LIMITS = { leavers: { most: 10, percent: 5 }, updates: { most: 100, percent: 20 } } as const;

/**
 * Reads a mapping.
 * @param file its name, for messages
 * @throws {@link MappingError} with every fault and its line
 */
export function readMapping(text: string, file: string): Mapping {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: (a, b) => isScalar(a) && isScalar(b) && nameOf(a) === nameOf(b),
    prettyErrors: false,
  });
  const faults: MappingFault[] = document.errors.map((error) => {
    const { line, col } = lines.linePos(error.pos[0]);
    return { line, column: col, path: "", message: error.message };
  });
  if (faults.length > 0) throw new MappingError(file, faults);
  const reader = new MappingReader(new YamlNodes(lines, faults));
  const mapping = reader.mapping(document.contents);
  if (faults.length > 0) throw new MappingError(file, faults);
  return { file, fingerprint: digestOf(`${FORM}\n${text}`), ...mapping };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

/** Reads the parts of a mapping. */
class MappingReader {
  readonly #nodes: YamlNodes;
  readonly #tables: MutableTables = new Map();

  constructor(nodes: YamlNodes) {
    this.#nodes = nodes;
  }

  mapping(contents: ParsedNode | null): Omit<Mapping, "file" | "fingerprint"> {
    const root = this.#nodes.members(
      { node: contents, path: "" },
      ["resources", "tables", "limits"],
      ["resources"],
    );
    const tables = root.get("tables");
    if (tables !== undefined) this.#readTables(tables);
    const limits = root.get("limits");
    const list = root.get("resources");
    const sections = list === undefined ? [] : this.#nodes.items(list).flatMap((each) => this.#section(each));
    if (list !== undefined && sections.length === 0 && this.#nodes.areRight)
      this.#nodes.fault(list, "There is nothing to do: state at least one resource type.");
    return { tables: this.#tables, limits: this.#limits(limits), sections };
  }

  #section(spot: Spot): readonly StatedSection[] {
    const known = ["type", "from", "where", "key", "match", "set", "initial", "references", "leavers"];
    const members = this.#nodes.members(spot, known, ["type", "key", "match", "set"]);
    const get = (name: string): Spot | null => members.get(name) ?? null;
    const [type, key, match, set] = [get("type"), get("key"), get("match"), get("set")];
    if (type === null || key === null || match === null || set === null) return [];
    const from = get("from");
    const where = get("where");
    const own = [type, from, where, key].map((each) => (isScalar(each?.node) ? each.node.value : null));
    return [
      {
        identity: digestOf(JSON.stringify(own)),
        type: this.#nodes.text(type),
        from: from === null ? null : this.#nodes.text(from),
        where: where === null ? null : this.#expression(where),
        key: this.#expression(key),
        match: this.#nodes.text(match),
        set: this.#rules(set),
        initial: this.#rules(get("initial")),
        references: this.#references(get("references")),
        leavers: this.#leavers(get("leavers")),
        place: this.#nodes.place(spot),
        matchPlace: this.#nodes.place(match),
      },
    ];
  }

  #rules(spot: Spot | null): readonly StatedRule[] {
    return this.#nodes.pairs(spot).map(([target, value]) => ({
      target,
      rule: this.#value(value),
      place: this.#nodes.place(value),
    }));
  }

  #references(spot: Spot | null): readonly StatedReference[] {
    return this.#nodes.pairs(spot).flatMap(([target, value]) => {
      const members = this.#nodes.members(value, ["to", "keys"], ["to", "keys"]);
      const [to, keys] = [members.get("to"), members.get("keys")];
      if (to === undefined || keys === undefined) return [];
      return [{ target, to: this.#nodes.text(to), keys: this.#value(keys), place: this.#nodes.place(value) }];
    });
  }

  #leavers(spot: Spot | null): LeaverAction {
    if (spot === null) return "ignore";
    const word = this.#nodes.text(spot);
    const found = LEAVERS.find((each) => each === word);
    if (found === undefined) this.#nodes.fault(spot, `'${word}' is none of ${LEAVERS.join(", ")}.`);
    return found ?? "ignore";
  }

  #value(spot: Spot): ValueRule {
    const { node, path } = spot;
    if (isSeq(node)) {
      return { kind: "list", items: this.#nodes.items(spot).map((each) => this.#value(each)) };
    }
    if (isMap(node)) {
      return {
        kind: "object",
        members: this.#nodes.pairs(spot).map(([name, each]) => [name, this.#value(each)] as const),
      };
    }
    const value = isScalar(node) ? constantOf(node) : null;
    if (isScalar(node) && typeof node.value === "string") {
      const expression = this.#expression(spot);
      const [only] = expression.parts;
      if (expression.parts.every((part) => typeof part === "string"))
        return { kind: "constant", value: typeof only === "string" ? only : "" };
      return { kind: "expression", expression };
    }
    if (value !== undefined && value !== null) return { kind: "constant", value };
    this.#nodes.fault({ node, path }, "A value is an expression, a constant, a list or an object.");
    return { kind: "constant", value: "" };
  }

  #expression(spot: Spot): Expression {
    const text = this.#nodes.text(spot);
    try {
      return parseExpression(text, this.#tables);
    } catch (cause) {
      if (!(cause instanceof ExpressionError)) throw cause;
      this.#nodes.fault(spot, `${cause.message} (character ${cause.offset + 1} of '${text}')`);
      return { parts: [] };
    }
  }

  #readTables(spot: Spot): void {
    for (const [name, table] of this.#nodes.pairs(spot)) {
      const rows = this.#nodes.pairs(table).map(([key, each]): [string, JsonValue] => {
        const value = isScalar(each.node) ? constantOf(each.node) : undefined;
        if (value === undefined)
          this.#nodes.fault(each, "A table holds texts, numbers, booleans, or null for nothing.");
        return [key, value ?? null];
      });
      this.#tables.set(name, new Map(rows));
    }
  }

  #limits(spot: Spot | undefined): Mapping["limits"] {
    if (spot === undefined) return DEFAULT_LIMITS;
    const members = this.#nodes.members(spot, ["leavers", "updates"], []);
    return {
      leavers: this.#limit(members.get("leavers"), DEFAULT_LIMITS.leavers),
      updates: this.#limit(members.get("updates"), DEFAULT_LIMITS.updates),
    };
  }

  #limit(spot: Spot | undefined, other: ChangeLimit): ChangeLimit {
    if (spot === undefined) return other;
    const members = this.#nodes.members(spot, ["most", "percent"], []);
    return {
      most: this.#nodes.number(members.get("most"), { from: 0, to: Number.MAX_SAFE_INTEGER }) ?? 0,
      percent: this.#nodes.number(members.get("percent"), { from: 0, to: 100 }) ?? 0,
    };
  }
}
