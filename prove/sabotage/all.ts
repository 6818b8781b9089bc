/** Sabotages of the program: each changes one place of its source as a server loads it, as a mistake would. */

export interface Sabotage {
  readonly name: string
}

export const SABOTAGES: readonly Sabotage[] = []
