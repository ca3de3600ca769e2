/**
 * Errors as the log tells them: what failed and where, and no value. What others hang on an error may hold what a client
 * sent: PostgreSQL shows the whole row that a constraint refused.
 * @module
 */

/** Members that tell what failed, in Node.js, SQLite and PostgreSQL, and never hold a value of a resource. */
const TOLD = [
  "code",
  "errno",
  "syscall",
  "address",
  "port",
  "errcode",
  "errstr",
  "severity",
  "schema",
  "table",
  "column",
  "constraint",
  "routine",
] as const;

/** An error in a line of the log. */
export interface LoggedError extends Readonly<Partial<Record<(typeof TOLD)[number], unknown>>> {
  /** Name of its class, or the type of what was thrown in the place of an error. */
  readonly type: string;
  readonly message?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
  /** Those that it stands for, as of an attempt at several addresses. */
  readonly errors?: readonly LoggedError[];
}

/** Causes of causes that are told; one that is its own cause ends there too. */
const DEEPEST = 5;

/** Shows an error, with its causes. */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error };
  const told = TOLD.flatMap((name) => {
    const value: unknown = Reflect.get(error, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const deeper = (inner: unknown): LoggedError => loggedError(inner, depth + 1);
  const { cause } = error;
  return {
    type: error.constructor.name,
    message: error.message,
    ...(error.stack !== undefined && { stack: error.stack }),
    ...Object.fromEntries(told),
    ...(depth < DEEPEST && cause !== undefined && { cause: deeper(cause) }),
    ...(depth < DEEPEST && error instanceof AggregateError && { errors: error.errors.map(deeper) }),
  };
}
