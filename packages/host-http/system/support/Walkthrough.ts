/** A page of the documentation as a script: its commands, its answers, and what its reader does in the console. */

/** One thing that the page asks its reader to do, in the order of the page. */
export type Step =
  | {
      readonly kind: "command"
      readonly line: number
      readonly script: string
      /** Whether the reader is to run it until it answers as shown. */
      readonly isRepeated: boolean
      /** What the page shows as the answer, if anything. */
      readonly shown: unknown
    }
  | { readonly kind: "approve"; readonly line: number; readonly address: string }

const STEP = /^(?:```(sh|json)([ \w]*)\n([\s\S]*?)^```|<!-- approve: (.*) -->)$/gm

/** Commands stand in blocks marked `sh run` or `sh repeat`, the answer in the `json` block right after one. */
export const stepsOf = (markdown: string): ReadonlyArray<Step> => {
  const steps: Array<Step> = []
  let end = 0
  for (const found of markdown.matchAll(STEP)) {
    const [all, language, mark, body = "", address] = found
    const line = markdown.slice(0, found.index).split("\n").length
    const between = markdown.slice(end, found.index)
    end = found.index + all.length
    if (address !== undefined) {
      steps.push({ kind: "approve", line, address })
    } else if (language === "sh" && (mark === " run" || mark === " repeat")) {
      steps.push({ kind: "command", line, script: body, isRepeated: mark === " repeat", shown: undefined })
    } else if (language === "json") {
      const last = steps.at(-1)
      if (last?.kind !== "command" || between.trim() !== "") throw new Error(`line ${line}: an answer to no command`)
      steps[steps.length - 1] = { ...last, shown: JSON.parse(body) as unknown }
    }
  }
  return steps
}

const ELLIPSIS = "…"

/** Where an answer is not as shown, by path; empty where it is. `…` stands for anything, and members may be left out. */
export const differences = (shown: unknown, actual: unknown, path = ""): ReadonlyArray<string> => {
  const here = path === "" ? "the answer" : path
  if (typeof shown === "string" && shown.includes(ELLIPSIS)) {
    const parts = shown.split(ELLIPSIS).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    const isLike = typeof actual === "string" && new RegExp(`^${parts.join("[^]*")}$`).test(actual)
    return isLike ? [] : [`${here}: ${JSON.stringify(actual)} is not like ${JSON.stringify(shown)}`]
  }
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return [`${here}: ${JSON.stringify(actual)} is no list`]
    const isOpen = shown.at(-1) === ELLIPSIS
    const items = isOpen ? shown.slice(0, -1) : shown
    const isLong = isOpen ? actual.length >= items.length : actual.length === items.length
    return isLong
      ? items.flatMap((item, index) => differences(item, actual[index], `${path}[${index}]`))
      : [`${here}: ${actual.length} items: ${JSON.stringify(actual)}`]
  }
  if (typeof shown === "object" && shown !== null) {
    if (typeof actual !== "object" || actual === null) return [`${here}: ${JSON.stringify(actual)} is no object`]
    return Object.entries(shown).flatMap(([name, value]) =>
      name in actual
        ? differences(
            value,
            (actual as Readonly<Record<string, unknown>>)[name],
            path === "" ? name : `${path}.${name}`
          )
        : [`${here}: has no ${name}`]
    )
  }
  return shown === actual ? [] : [`${here}: ${JSON.stringify(actual)} instead of ${JSON.stringify(shown)}`]
}
