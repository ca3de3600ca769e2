/**
 * Where the values of staged resources of one type stand: the first key of each for a path in a column, the others
 * beside the table.
 * @module
 */
import type { ComparisonKey } from "@scim/filter";
import {
  addRules,
  type BulkEntries,
  type BulkGroup,
  type BulkRule,
  type BulkValues,
} from "../imports/bulk.ts";
import type { GroupHead } from "../imports/insert-bulk.ts";
import type { Insert } from "../imports/many-rows.ts";
import type { Sql } from "../sql.ts";
import { sqliteDialect } from "./dialect.ts";

const RESOURCE_COLUMNS = ["n", "g", "id", "version", "at", "created", "body", "c"];

/** Keys of one path. */
export interface Slot<Entries extends BulkEntries> {
  readonly path: string;
  /** Null where the table has no column left. */
  readonly column: Sql | null;
  /** How many resources have a key in the column. */
  count: number;
  /** Keys that have no place in the column, and the ids that they are of. */
  readonly others: { readonly part: readonly string[]; readonly values: Entries }[];
}

/** Keys of one path that must be unique in a scope. */
export interface UniqueSlot extends Slot<BulkValues> {
  readonly scope: string;
}

/** Where rows go. */
export interface StagedPlace {
  readonly into: Sql;
  /** Rows that are there already. */
  readonly from: number;
  /** The number that a list of changed paths has there. */
  readonly changeOf: (text: string) => number;
}

/** The first key of each resource, in the column of a slot. */
interface Column {
  readonly name: string;
  readonly first: readonly (ComparisonKey | null)[];
}

/** Staged resources that have in common what a group has. */
export class StagedGroup implements GroupHead {
  readonly head: Pick<BulkGroup, "type" | "keepsIds" | "subject" | "origin" | "schemas" | "indexRevision">;
  readonly number: number;
  readonly unique: UniqueSlot[] = [];
  readonly index: Slot<BulkEntries>[] = [];
  /** Paths whose keys nobody may hold before. */
  readonly free = new Set<string>();
  readonly rules: BulkRule[] = [];
  count = 0;
  readonly #columns: readonly string[];

  constructor(head: StagedGroup["head"], number: number, columns: readonly string[]) {
    this.head = head;
    this.number = number;
    this.#columns = columns;
  }

  get type(): string {
    return this.head.type;
  }

  get keepsIds(): boolean {
    return this.head.keepsIds;
  }

  get schemas(): number | null {
    return this.head.schemas;
  }

  get indexRevision(): number | null {
    return this.head.indexRevision;
  }

  isOf({ type, keepsIds, subject, origin, schemas, indexRevision }: StagedGroup["head"]): boolean {
    const { head } = this;
    return (
      head.type === type &&
      head.keepsIds === keepsIds &&
      head.subject === subject &&
      head.origin === origin &&
      head.schemas === schemas &&
      head.indexRevision === indexRevision
    );
  }

  /** Takes resources, and answers their rows. */
  rows(group: BulkGroup, { into, from, changeOf }: StagedPlace): Insert {
    const { places, ids, versions, ats, created, bodies } = group;
    const changes = group.changes.map(changeOf);
    const changed = group.changed.map((place) => changes[place] ?? null);
    const filled = [
      ...group.unique.map((values) => fill(this.#uniqueSlot(values), ids, values)),
      ...group.index.map((entries) => fill(this.#indexSlot(entries), ids, entries)),
    ].filter((column) => column !== null);
    for (const path of group.free) this.free.add(path);
    addRules(this.rules, group.rules);
    this.count += ids.length;
    const names = [...RESOURCE_COLUMNS, ...filled.map(({ name }) => name)];
    const row = `(${names.map(() => "?").join(", ")})`;
    const columns = [ids, versions, ats, created, bodies, changed];
    return {
      into: `INSERT INTO ${into.text} (${names.join(", ")})`,
      rows: ids.length,
      known: "fails",
      write: (at, params) => {
        params.push(from + (places[at] ?? 0), this.number);
        for (const column of columns) params.push(column[at] ?? null);
        for (const { first } of filled) {
          const key = first[at] ?? null;
          params.push(key === null ? null : sqliteDialect.keys.bounded(key));
        }
        return row;
      },
    };
  }

  #uniqueSlot({ scope, path }: BulkValues): UniqueSlot {
    for (const slot of this.unique) if (slot.path === path && slot.scope === scope) return slot;
    const slot = { scope, path, column: this.#nextColumn(), count: 0, others: [] };
    this.unique.push(slot);
    return slot;
  }

  #indexSlot({ path }: BulkEntries): Slot<BulkEntries> {
    for (const slot of this.index) if (slot.path === path) return slot;
    const slot = { path, column: this.#nextColumn(), count: 0, others: [] };
    this.index.push(slot);
    return slot;
  }

  #nextColumn(): Sql | null {
    const name = this.#columns[this.unique.length + this.index.length];
    return name === undefined ? null : { text: name, params: [] };
  }
}

/** Takes the keys of a path; null where they have no column. */
function fill<Entries extends BulkEntries>(
  slot: Slot<Entries>,
  ids: readonly string[],
  entries: Entries,
): Column | null {
  if (slot.column === null) {
    slot.others.push({ part: ids, values: entries });
    return null;
  }
  if (hasOneEach(entries, ids.length)) {
    slot.count += ids.length;
    return { name: slot.column.text, first: entries.keys };
  }
  const first = ids.map((): ComparisonKey | null => null);
  const owners: number[] = [];
  const keys: ComparisonKey[] = [];
  for (const [row, key] of entries.keys.entries()) {
    const owner = entries.owners[row] ?? 0;
    if (first[owner] === null) first[owner] = key;
    else {
      owners.push(owner);
      keys.push(key);
    }
  }
  slot.count += entries.keys.length - keys.length;
  if (keys.length > 0) slot.others.push({ part: ids, values: { ...entries, owners, keys } });
  return { name: slot.column.text, first };
}

/** Whether each resource has one key. */
function hasOneEach({ owners }: BulkEntries, resources: number): boolean {
  return owners.length === resources && owners.every((owner, row) => owner === row);
}
