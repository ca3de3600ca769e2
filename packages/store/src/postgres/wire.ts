/**
 * What lies below a connection of the driver: how the server knows it, and how it is given up.
 * @module
 */
import type { ClientBase } from "pg";

/** Milliseconds that the server has to heed a cancellation, or an end, before the connection is given up. */
export const PATIENCE = 2000;

/** What the driver knows of a connection and does not state in its types. */
export interface Wire {
  readonly host: string;
  readonly port: number;
  readonly processID: number | null;
  readonly secretKey: number | null;
  readonly connection: { readonly stream: { destroy(error?: Error): void } };
}

/** What the driver knows of a connection. */
export function wireOf(client: ClientBase): Wire {
  // The driver's types leave out what its own cancellation reads.
  return client as unknown as Wire;
}
