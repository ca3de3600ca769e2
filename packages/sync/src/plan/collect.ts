/**
 * Reads all sources and collects what their records ask for.
 * @module
 */
import type { BoundSection } from "../mapping/bind.ts";
import { SourceError, type Source, type SourceRecord } from "../sources/source.ts";
import type { SpillFile } from "../spill/spill-file.ts";
import { jsonForm, SpilledMap } from "../spill/spilled-map.ts";
import { NamedFields, namesIn } from "./named-fields.ts";
import { desiredForm, desiredOf, keyOf, type Desired, type RecordFault } from "./desired.ts";

/** What is asked for of one resource type. */
export interface DesiredOfType {
  readonly desired: SpilledMap<Desired>;
  /** Keys by what resources are found by, for each path; of records that are wrong too. */
  readonly byMatch: ReadonlyMap<string, SpilledMap<string>>;
  /** Keys of records that are wrong: their resources are left as they are. */
  readonly held: Set<string>;
  /** Keys that the source says are gone, with the places where it does. */
  readonly removed: SpilledMap<string>;
  /** Whether records were read of which not even the key is known, so that nobody can be said to have left. */
  hasUnknown: boolean;
  /** Whether the source told changes alone, so that what is missing has not left. */
  changesOnly: boolean;
  /** Whether its sources held no record at all, as a file that is cut off behind its header. */
  isEmpty: boolean;
}

/** What the sources hold. */
export interface Collected {
  /** By name of the resource type. */
  readonly types: ReadonlyMap<string, DesiredOfType>;
  readonly faults: readonly RecordFault[];
  /** Tokens for the next run by source; sources that give none are missing. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly records: number;
  /** What else is to be told of the records. */
  readonly notes: readonly string[];
}

/** How sources are read. */
export interface CollectOptions {
  readonly sections: readonly BoundSection[];
  /** By the names that a mapping's `from` uses. */
  readonly sources: ReadonlyMap<string, Source>;
  /** Tokens of the last run by source; empty to read everything. */
  readonly since: Readonly<Record<string, string>>;
  readonly onRecord?: (() => void) | undefined;
  /** Keeps what is asked for. */
  readonly file: SpillFile;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the sources to their end.
 * @throws {@link SourceError} where one cannot be read, or is named and not given
 */
export async function collect({
  sections,
  sources,
  since,
  onRecord,
  file,
  signal,
}: CollectOptions): Promise<Collected> {
  const collector = new Collector(sections, file);
  const tokens: Record<string, string> = {};
  const notes: string[] = [];
  for (const [name, own] of sectionsBySource(sections, sources)) {
    const reading = await own.source.open(since[name] ?? null);
    if (reading.changesOnly) collector.changesOnly(own.sections);
    const named = new NamedFields(name, own.sections, reading);
    for await (const item of reading.items) {
      if (signal?.aborted === true)
        throw new SourceError(`The source '${name}' was not read to its end: it was stopped.`);
      onRecord?.();
      const place = `${name} ${item.place}`;
      if (item.kind === "unreadable") collector.unreadable(own.sections, place, item.fault);
      else {
        named.see(item.fields);
        collector.record(own.sections, item, place);
      }
    }
    named.end();
    notes.push(...named.notes());
    const token = reading.token();
    if (token !== null) tokens[name] = token;
  }
  return collector.collected(tokens, notes);
}

interface SourceSections {
  readonly source: Source;
  readonly sections: readonly BoundSection[];
}

function sectionsBySource(
  sections: readonly BoundSection[],
  sources: ReadonlyMap<string, Source>,
): ReadonlyMap<string, SourceSections> {
  const known = [...sources.keys()].join(", ");
  const only = sources.size === 1 ? [...sources.keys()][0] : undefined;
  const found = new Map<string, { source: Source; sections: BoundSection[] }>();
  for (const section of sections) {
    const name = section.from ?? only;
    const source = name === undefined ? undefined : sources.get(name);
    if (name === undefined || source === undefined)
      throw new SourceError(
        section.from === null
          ? `The section of ${section.type.name} does not say which source it is from: write 'from' with one of ${known}.`
          : `The mapping reads from '${section.from}', which is no source that was given; given are ${known}.`,
      );
    const own = found.get(name);
    if (own === undefined) found.set(name, { source, sections: [section] });
    else own.sections.push(section);
  }
  return found;
}

class Collector {
  readonly #types = new Map<string, DesiredOfType>();
  readonly #faults: RecordFault[] = [];
  /** Where records stand that were refused, by type and key. */
  readonly #refused = new Map<string, string>();
  #records = 0;

  constructor(sections: readonly BoundSection[], file: SpillFile) {
    const form = desiredForm(sections);
    for (const [name, own] of Map.groupBy(sections, ({ type }) => type.name)) {
      const matches = new Set(own.map(({ match }) => match.text));
      this.#types.set(name, {
        desired: new SpilledMap(file, form),
        byMatch: new Map([...matches].map((text) => [text, new SpilledMap(file, jsonForm<string>())])),
        held: new Set(),
        removed: new SpilledMap(file, jsonForm<string>()),
        hasUnknown: false,
        changesOnly: false,
        isEmpty: true,
      });
    }
  }

  changesOnly(sections: readonly BoundSection[]): void {
    for (const section of sections) this.#typeOf(section).changesOnly = true;
  }

  unreadable(sections: readonly BoundSection[], place: string, message: string): void {
    this.#records += 1;
    for (const section of sections) {
      const own = this.#typeOf(section);
      own.hasUnknown = true;
      own.isEmpty = false;
      this.#faults.push({ type: section.type.name, key: null, place, message });
    }
  }

  record(sections: readonly BoundSection[], record: SourceRecord, place: string): void {
    const { fields, removed = false } = record;
    this.#records += 1;
    for (const section of sections) {
      const own = this.#typeOf(section);
      own.isEmpty = false;
      let key: string | null = null;
      try {
        requireReadable(record, namesIn(section, "key"));
        key = keyOf(section, fields);
        if (key === null) continue;
        requireReadable(record, namesIn(section));
        if (removed) this.#remove(own, { key, place, section });
        else this.#take(own, desiredOf(section, { key, fields, place }));
      } catch (cause) {
        if (!(cause instanceof TypeError)) throw cause;
        this.#faults.push({ type: section.type.name, key, place, message: cause.message });
        if (key === null) own.hasUnknown = true;
        else own.held.add(key);
      }
    }
  }

  collected(tokens: Readonly<Record<string, string>>, notes: readonly string[]): Collected {
    for (const { desired, held } of this.#types.values()) for (const key of held) desired.delete(key);
    return { types: this.#types, faults: this.#faults, tokens, records: this.#records, notes };
  }

  #remove(own: DesiredOfType, asked: Pick<Desired, "key" | "place" | "section">): void {
    const { key, place, section } = asked;
    if (own.removed.has(key)) return;
    const first = this.#placeOf(own, section.type.name, key);
    if (first === undefined) own.removed.set(key, place);
    else this.#refuse(own, asked, twice(asked, first));
  }

  /** Of two records with one key, or for one resource, nobody knows which is right: neither is taken. */
  #take(own: DesiredOfType, desired: Desired): void {
    const { key, match, place, section } = desired;
    const { name } = section.type;
    const first = this.#placeOf(own, name, key);
    if (first !== undefined) {
      this.#refuse(own, desired, twice(desired, first));
      return;
    }
    const matches = matchesOf(own, section);
    const other = matches.get(match);
    if (other !== undefined) {
      const where = this.#placeOf(own, name, other) ?? "";
      own.held.add(other);
      this.#refused.set(`${name} ${key}`, place);
      this.#refuse(
        own,
        desired,
        `Its '${section.match.text}' is that of record '${other}' at ${where} too: both would be one resource.`,
      );
      return;
    }
    matches.set(match, key);
    own.desired.set(key, desired);
  }

  #refuse(
    own: DesiredOfType,
    { key, place, section }: Pick<Desired, "key" | "place" | "section">,
    message: string,
  ): void {
    own.held.add(key);
    this.#faults.push({ type: section.type.name, key, place, message });
  }

  /** Where the record of a key stands; undefined where there was none. */
  #placeOf({ desired, removed }: DesiredOfType, type: string, key: string): string | undefined {
    return desired.get(key)?.place ?? removed.get(key) ?? this.#refused.get(`${type} ${key}`);
  }

  #typeOf({ type }: BoundSection): DesiredOfType {
    const own = this.#types.get(type.name);
    if (own === undefined) throw new RangeError(`There is no section of ${type.name}.`);
    return own;
  }
}

/** @throws TypeError where a record holds something else than text in one of these fields: for nothing, it would clear values */
function requireReadable({ unreadableFields: unreadable }: SourceRecord, names: Iterable<string>): void {
  if (unreadable === undefined || unreadable.size === 0) return;
  for (const name of names)
    if (unreadable.has(name))
      throw new TypeError(
        `The field '${name}' holds bytes that are no text in UTF-8, or base64 that is none: correct it there, or leave it out of the mapping.`,
      );
}

function twice({ key, place, section }: Pick<Desired, "key" | "place" | "section">, first: string): string {
  if (first === place)
    return `The record belongs to two sections of ${section.type.name}: tell them apart by 'where'.`;
  return `Key '${key}' is that of the record at ${first} too: keys tell records apart.`;
}

function matchesOf({ byMatch }: DesiredOfType, { match }: BoundSection): SpilledMap<string> {
  const found = byMatch.get(match.text);
  if (found === undefined) throw new RangeError(`Nothing is found by ${match.text}.`);
  return found;
}
