/**
 * Which record a resource of the target belongs to, as its own values tell.
 * @module
 */
import type { DynamicResource } from "@scim/client";
import type { BoundSection } from "../mapping/bind.ts";
import type { TargetPath } from "../mapping/target-path.ts";
import type { ReadonlySpilledMap } from "../spill/spilled-map.ts";
import type { SyncState } from "../state/sync-state.ts";
import { matchText } from "../state/tried-creations.ts";
import { comparableAt } from "./assign.ts";
import type { DesiredOfType } from "./collect.ts";

/** What records are found by. */
interface RecordSources {
  readonly asked: DesiredOfType;
  readonly state: Pick<SyncState, "tried">;
}

/** Finds the keys of the records of one type. */
export class RecordKeys {
  readonly #type: string;
  readonly #sources: RecordSources;
  readonly #byMatch: readonly {
    readonly path: TargetPath;
    readonly keys: ReadonlySpilledMap<string> | undefined;
  }[];
  /** Keys of creations that were begun and have come about. */
  readonly #cameAbout = new Set<string>();

  constructor(type: string, sections: readonly BoundSection[], sources: RecordSources) {
    this.#type = type;
    this.#sources = sources;
    this.#byMatch = sections.map(({ match }) => ({
      path: match,
      keys: sources.asked.byMatch.get(match.text),
    }));
  }

  /** The key of the record that is asked for and has the value that a resource is found by. */
  ofMatch(resource: DynamicResource): string | undefined {
    const { asked } = this.#sources;
    for (const { path, keys } of this.#byMatch) {
      const text = comparableAt(resource, path);
      const key = text === undefined ? undefined : keys?.get(text);
      if (key !== undefined && asked.desired.has(key)) return key;
    }
    return undefined;
  }

  /** The key that a resource was created for, where nobody was told what became of that. A key is told once. */
  ofTried(resource: DynamicResource): string | undefined {
    const { tried } = this.#sources.state;
    for (const { path } of this.#byMatch) {
      const text = comparableAt(resource, path);
      const key = text === undefined ? undefined : tried.keyOf(this.#type, matchText(path.text, text));
      if (key === undefined || this.#cameAbout.has(key)) continue;
      this.#cameAbout.add(key);
      return key;
    }
    return undefined;
  }

  /** Keys of creations that were begun, of which nothing has come about so far. */
  *open(): Generator<string, void, undefined> {
    for (const key of this.#sources.state.tried.keys(this.#type)) if (!this.#cameAbout.has(key)) yield key;
  }
}
