/** One broken rule, in words that say where and what. */
export interface Breach {
  readonly path: string
  readonly line: number
  readonly message: string
}

export const render = ({ line, message, path }: Breach): string => `${path}:${line}  ${message}`
