/** The code of a system's error; `otherwise`: it has none. */
export const codeOf = (error: unknown, otherwise = ""): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : otherwise

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
