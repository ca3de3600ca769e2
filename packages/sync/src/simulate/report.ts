/**
 * What comes of a simulation.
 * @module
 */
import type { Evidence, Phase, Weight } from "./scenario.ts";

/** Something that the identity provider could not live with, or badly. */
export interface Finding {
  readonly weight: Weight;
  /** What is wrong: `answered 404 Not Found; Microsoft Entra ID goes on from 200 alone`. */
  readonly fault: string;
  /** What it means for the identity provider. */
  readonly means: string;
  /** How to mend it. */
  readonly mend: string;
}

/**
 * How a step went. `skipped`: something that it needs was never made, the service refused the credentials from the beginning, or
 * the run was stopped before.
 */
export type StepOutcome = "passed" | "hindered" | "failed" | "skipped";

/** One step of a simulation. */
export interface StepReport {
  readonly id: string;
  readonly phase: Phase;
  readonly does: string;
  readonly evidence: Evidence;
  readonly outcome: StepOutcome;
  readonly method: string;
  /** Path and query as they were sent; of a step that was skipped, with its placeholders. */
  readonly path: string;
  /** Null where nothing was answered. */
  readonly status: number | null;
  /** How often it was sent: more than once where the service asked to wait. */
  readonly attempts: number;
  readonly durationMs: number;
  readonly findings: readonly Finding[];
}

/** What comes of a simulation. */
export interface SimulationReport {
  /** Such as `entra`. */
  readonly identityProvider: string;
  /** Such as `Microsoft Entra ID`. */
  readonly name: string;
  /** Base address of the service. */
  readonly target: string;
  /** The word that marks everything that was made, in `userName`, `displayName` and `externalId`. */
  readonly run: string;
  /** `failed` where a step would make the identity provider fail; `interrupted` where the run was stopped. */
  readonly outcome: "passed" | "failed" | "interrupted";
  readonly steps: readonly StepReport[];
  /** Paths of what was made and could not be deleted. */
  readonly leftBehind: readonly string[];
}
