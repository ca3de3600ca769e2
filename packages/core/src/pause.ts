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
