/**
 * How the server of the Model Context Protocol presents itself.
 * @module
 */

/** How the server presents itself. */
export interface McpServerOptions {
  /** Version of the program, as agents are told. Default `unknown`. */
  readonly version?: string;
  /** Whether clients are told when the list of tools becomes shorter. Default: over standard input alone. */
  readonly listChanges?: boolean;
}
