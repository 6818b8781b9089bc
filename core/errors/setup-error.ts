/** A fault of the installation that whoever runs it can put right: told in one sentence, without a stack. */
export class SetupError extends Error {}
