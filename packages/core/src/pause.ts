/**
 * Lets other work have its turn within what takes long: a store that answers at once leaves none by itself.
 * @module
 */

/**
 * Lets other requests, and the time of this one, go on.
 * @throws the reason of the signal, where it aborts meanwhile
 */
export async function pause({ signal }: { readonly signal?: AbortSignal | undefined }): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  signal?.throwIfAborted();
}

/**
 * Goes through steps, and lets others have their turn between two of them.
 * @param next makes the next step; it may put what is thrown into other words
 * @returns what the last step gives
 * @throws what a step throws, and the reason of the signal
 */
export async function inSteps<Result>(
  context: { readonly signal?: AbortSignal | undefined },
  next: () => IteratorResult<undefined, Result>,
): Promise<Result> {
  let step = next();
  while (step.done !== true) {
    await pause(context);
    step = next();
  }
  return step.value;
}
