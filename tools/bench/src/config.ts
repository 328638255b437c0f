/** Folders in which programs are looked for, as the shell has them. */
export const searchPath = (): string => process.env.PATH ?? '';
