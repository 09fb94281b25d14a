/** A fenced block of a page, also one that stands in a list. */
export interface Block {
  /** `guides/lists.md:6` */
  readonly place: string
  readonly language: string
  readonly body: string
  /** Whether only white space stands between it and the block before. */
  readonly follows: boolean
}

const FENCE = /^( *)```(\w*)[^\n]*\n([\s\S]*?)^\1```/gm

export const blocksOf = (page: string, markdown: string): ReadonlyArray<Block> => {
  let end = 0
  return [...markdown.matchAll(FENCE)].map(({ 0: all, 1: indent = "", 2: language = "", 3: body = "", index }) => {
    const between = markdown.slice(end, index)
    end = index + all.length
    const line = markdown.slice(0, index).split("\n").length
    const lines = body.split("\n").map((text) => (text.startsWith(indent) ? text.slice(indent.length) : text))
    return { place: `${page}:${line}`, language, body: lines.join("\n"), follows: between.trim() === "" }
  })
}

/** The commands of a block: a line each, or several lines that end in `\`, or a function's body. Comments go. */
export const commandsOf = (body: string): ReadonlyArray<string> => {
  const commands: Array<string> = []
  let open = ""
  for (const line of body.split("\n")) {
    open += `${open === "" ? "" : "\n"}${line}`
    const isFunction = /^\w+\(\) \{/.test(open)
    if (line.endsWith("\\") || (isFunction && !/\}\s*$/.test(open))) continue
    // Nothing in the pages has "  #" inside of a word.
    const command = open.replace(/\s{2,}#.*$/, "").trim()
    if (command !== "" && !command.startsWith("#")) commands.push(command)
    open = ""
  }
  return commands
}
