/** The version of the program, by which it names itself to receivers. */
import manifest from '#package.json' with { type: 'json' }

export const VERSION: string = manifest.version
