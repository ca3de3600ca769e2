/**
 * What is wrong with a mapping, with the places.
 * @module
 */

/** Something that is wrong. */
export interface MappingFault {
  /** 1-based line and column in the file; 0 where it is about the whole. */
  readonly line: number;
  readonly column: number;
  /** Where in the document: `resources[0].set.userName`. */
  readonly path: string;
  /** What is wrong, and what to do. */
  readonly message: string;
}

/** A mapping that cannot be used; nothing was sent. The message lists every fault with its place. */
export class MappingError extends Error {
  override readonly name = "MappingError";
  readonly faults: readonly MappingFault[];

  constructor(file: string, faults: readonly MappingFault[]) {
    const lines = faults.map(({ line, column, path, message }) => {
      const place = line === 0 ? file : `${file}:${line}:${column}`;
      return `${place}${path === "" ? "" : ` ${path}`}: ${message}`;
    });
    super(lines.join("\n"));
    this.faults = faults;
  }
}
