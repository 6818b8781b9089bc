/** A fault of the installation that its operator can correct: reported in one sentence, without a stack. */
export class SetupError extends Error {}
