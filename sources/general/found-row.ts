/** A row of a file, numbered from 1, or why it cannot be read. */
export type FoundRow = {number: number; value: unknown} | {number: number; fault: string; detail: string}
