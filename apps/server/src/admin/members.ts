/**
 * What bodies of the admin API say: members of a JSON object, each of one kind, and no others.
 * @module
 */
import { ScimError } from "@scim/schemas";

/** The members of a body. */
export class BodyMembers {
  readonly #members: ReadonlyMap<string, unknown>;

  /**
   * @param known the names that a body may have
   * @throws ScimError `invalidSyntax`, `invalidValue`
   */
  constructor(body: unknown, known: readonly string[]) {
    if (body !== undefined && body !== null && (typeof body !== "object" || Array.isArray(body))) {
      throw new ScimError("invalidSyntax", "The body must be a JSON object.");
    }
    this.#members = new Map(Object.entries(body ?? {}));
    const odd = [...this.#members.keys()].find((name) => !known.includes(name));
    if (odd !== undefined) {
      throw new ScimError(
        "invalidValue",
        `There is no member '${odd.slice(0, 100)}'; there are ${known.join(", ")}.`,
      );
    }
  }

  /** @throws ScimError `invalidValue` */
  text(name: string): string | undefined {
    return this.#of(name, "a text", (value) => typeof value === "string");
  }

  /** @throws ScimError `invalidValue` */
  texts(name: string): readonly string[] | undefined {
    return this.#of(
      name,
      "a list of texts",
      (value): value is readonly string[] =>
        Array.isArray(value) && value.every((each) => typeof each === "string"),
    );
  }

  /** @throws ScimError `invalidValue` */
  word<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    return this.#of(name, `one of ${words.join(", ")}`, (value): value is Word =>
      words.some((word) => word === value),
    );
  }

  /** A whole number. @throws ScimError `invalidValue` */
  count(name: string, most: number = Number.MAX_SAFE_INTEGER): number | undefined {
    return this.#of(name, `a whole number from 0 to ${most}`, (value): value is number =>
      isCount(value, most),
    );
  }

  /** Whole numbers. @throws ScimError `invalidValue` */
  counts(name: string): readonly number[] | undefined {
    return this.#of(
      name,
      "a list of whole numbers",
      (value): value is readonly number[] =>
        Array.isArray(value) && value.every((each) => isCount(each, Number.MAX_SAFE_INTEGER)),
    );
  }

  #of<Value>(name: string, form: string, isValue: (value: unknown) => value is Value): Value | undefined {
    const value = this.#members.get(name);
    if (value === undefined || isValue(value)) return value;
    throw new ScimError("invalidValue", `The member '${name}' must be ${form}.`);
  }
}

function isCount(value: unknown, most: number): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= most;
}
