/**
 * Requests of administration: their addresses, and what is read of their answers.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject } from "@scim/schemas";
import { CommandFailure, EXIT } from "../failure.ts";

/** A request below `/admin/v1`. */
export interface AdminRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Made by {@link at}. */
  readonly path: string;
  /** Parameters; those that are null or left out are not sent. */
  readonly query?: Readonly<Record<string, string | number | null | undefined>>;
  /** Members that are left out are not sent. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Members that the answer has where it was done: another service may answer at the address. Default: none. */
  readonly answers?: readonly string[];
  /** Milliseconds that the answer may take. Default 30,000. */
  readonly timeout?: number;
  /** Gives the request up. */
  readonly signal?: AbortSignal;
}

/** Speaks to the administration of a server. */
export interface AdminClient {
  /**
   * Sends a request as it stands. Resolves to the body; to an empty object where there is none.
   * @throws CommandFailure where the body lacks what the request asks of it, here and below
   */
  send(request: AdminRequest): Promise<JsonObject>;
  /**
   * Sends a request that names the version which is there now: what others change in between is not overwritten.
   * @param versioned where the version is read; default the address itself
   */
  change(request: AdminRequest, versioned?: string): Promise<JsonObject>;
  /** Reads what is at an address; null where nothing is. */
  find(path: string, query?: AdminRequest["query"]): Promise<JsonObject | null>;
  /** Whether a failure says no more than that the server is away for now, as while it is started anew. */
  isAway(failure: unknown): boolean;
}

/**
 * An address below `/admin/v1`, with what people gave percent-encoded.
 *
 * @example
 * at`/tenants/${tenant}/connections`
 * @throws CommandFailure where a part could not be told from the parts beside it
 */
export function at(texts: TemplateStringsArray, ...parts: readonly string[]): string {
  const encoded = parts.map((part) => {
    if (/^\.{0,2}$/.test(part)) throw new CommandFailure(EXIT.usage, `'${part}' is no name and no id.`);
    return encodeURIComponent(part);
  });
  return String.raw({ raw: texts }, ...encoded);
}

/** The objects of a list in an answer. */
export function objectsIn(body: JsonObject, name: string): readonly JsonObject[] {
  const list = body[name];
  if (list !== undefined && isJsonArray(list) && list.every(isJsonObject)) return list;
  throw anotherRelease(`a list '${name}'`);
}

/**
 * An object of an answer, as what it was made of: both sides write it by the same code.
 * @param members those that are looked for
 */
export function typedOf<Value extends object>(
  object: JsonObject,
  members: readonly (keyof Value & string)[],
): Value {
  const missing = members.find((name) => !Object.hasOwn(object, name));
  // What a server of another release says of it otherwise is shown as it says it.
  if (missing === undefined) return object as object as Value;
  throw anotherRelease(`'${missing}'`);
}

/** The objects of a list in an answer, each as `typedOf` gives it. */
export function typedIn<Value extends object>(
  body: JsonObject,
  name: string,
  members: readonly (keyof Value & string)[],
): readonly Value[] {
  return objectsIn(body, name).map((object) => typedOf<Value>(object, members));
}

function anotherRelease(missing: string): CommandFailure {
  return new CommandFailure(
    EXIT.failed,
    `The server answered without ${missing}: is it of another release than this program?`,
  );
}
