/**
 * What is asked of the thread that compares tokens with bcrypt hashes.
 * @module
 */

/** Is the hash that of the text? */
export interface BcryptQuestion {
  readonly id: number;
  readonly text: string;
  readonly hash: string;
}

/** Whether it is. */
export interface BcryptAnswer {
  readonly id: number;
  readonly equal: boolean;
}
