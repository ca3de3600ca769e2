/**
 * What a simulation made: nothing else may be changed or deleted.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import type { Exchanged } from "./exchange.ts";

/** Sends a request as the identity provider does. */
export type Send = (method: string, path: string) => Promise<Exchanged>;

/** A resource that the service says it made, or that it may have made without saying so. */
interface Trace {
  /** Path of the collection, such as `/Users`. */
  readonly collection: string;
  /** Null where the service did not tell. */
  readonly id: string | null;
  /** What the resource is looked up by where its id is unknown. */
  readonly body: JsonObject;
}

/** Attributes that bear the mark of a run. */
const MARKED = ["userName", "displayName", "externalId"] as const;

/** Keeps traces of what was made, and takes it away. */
export class Made {
  readonly #mark: string;
  readonly #traces = new Set<Trace>();

  /** @param mark the word of the run, which everything that it makes bears */
  constructor(mark: string) {
    this.#mark = mark;
  }

  /** Tells of a request that makes something, before it is sent. Returns what to tell when it is answered. */
  begin(collection: string, body: JsonObject): (exchanged: Exchanged) => void {
    const trace: Trace = { collection, id: null, body };
    this.#traces.add(trace);
    return ({ answer, json }) => {
      const id = idOf(json);
      // A refusal that came makes nothing; silence, or a success without an id, may have.
      const isRefused = answer !== null && answer.status >= 400 && answer.status < 500;
      if (id === null && !isRefused) return;
      this.#traces.delete(trace);
      if (id !== null) this.#traces.add({ ...trace, id });
    };
  }

  /** Whether a resource bears the mark: whatever a service answers, what does not is somebody else's. */
  isOurs(resource: JsonValue): boolean {
    if (!isJsonObject(resource)) return false;
    return MARKED.some((name) => {
      const { [name]: value } = resource;
      return typeof value === "string" && value.includes(this.#mark);
    });
  }

  /** Deletes what was made and is still there, the last first. Returns the paths of what is left. */
  async takeAway(send: Send): Promise<readonly string[]> {
    const left: string[] = [];
    for (const trace of [...this.#traces].toReversed()) {
      for (const path of await this.#pathsOf(trace, send)) {
        if (!(await this.#delete(path, send))) left.push(path);
      }
    }
    return left;
  }

  async #pathsOf({ collection, id, body }: Trace, send: Send): Promise<readonly string[]> {
    if (id !== null) return [`${collection}/${encodeURIComponent(id)}`];
    const { userName, displayName } = body;
    const [name, value] =
      typeof userName === "string" ? ["userName", userName] : ["displayName", displayName];
    const filter = encodeURIComponent(`${name} eq ${JSON.stringify(value)}`);
    const { json } = await send("GET", `${collection}?filter=${filter}`);
    const found = isJsonObject(json) ? json["Resources"] : null;
    const ours = isJsonArray(found) ? found.filter((resource) => this.isOurs(resource)) : [];
    return ours.flatMap((resource) => {
      const foundId = idOf(resource);
      return foundId === null ? [] : [`${collection}/${encodeURIComponent(foundId)}`];
    });
  }

  /** Whether it is gone, or was never ours. */
  async #delete(path: string, send: Send): Promise<boolean> {
    const read = await send("GET", path);
    if (read.answer?.status === 404) return true;
    if (read.answer !== null && read.answer.status < 300 && !this.isOurs(read.json)) return true;
    if (read.answer === null || read.answer.status >= 300) return false;
    const { answer } = await send("DELETE", path);
    return answer !== null && (answer.status < 300 || answer.status === 404);
  }
}

/** The id of a resource. */
export function idOf(json: JsonValue): string | null {
  const id = isJsonObject(json) ? json["id"] : null;
  if (typeof id === "number") return String(id);
  return typeof id === "string" && id !== "" ? id : null;
}
