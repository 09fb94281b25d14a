/** Faults that change nothing anybody could notice, each under the reason. Checked to be still in the code. */
export const EQUIVALENTS = {}
