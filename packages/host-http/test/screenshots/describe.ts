export const describe = (names: ReadonlyArray<string>): string => names.join("\n")
