/** Puts all faults of a file into its text at once, each behind a switch that one number turns on while it runs. */

/** Set by `runner.mjs` before anything is imported. Elsewhere (vitest's own process) no fault is ever on. */
export const SWITCH = "__outboundFault"

const BANNER = `const __fault = globalThis.${SWITCH} ?? (() => false); `

/** Spans of syntax are nested or apart, so a stack makes a tree of them. */
const treeOf = (faults) => {
  const bySpan = new Map()
  for (const fault of faults) {
    const key = `${fault.start} ${fault.end} ${fault.isStatement}`
    const known = bySpan.get(key)
    if (known === undefined) bySpan.set(key, { ...fault, faults: [fault], children: [] })
    else known.faults.push(fault)
  }
  const spans = [...bySpan.values()].toSorted(
    (one, other) =>
      one.start - other.start || other.end - one.end || Number(other.isStatement) - Number(one.isStatement)
  )
  const top = { start: 0, end: Number.POSITIVE_INFINITY, children: [] }
  const open = [top]
  for (const span of spans) {
    while (open.at(-1).end < span.end) open.pop()
    open.at(-1).children.push(span)
    open.push(span)
  }
  return top
}

export const instrument = (text, faults) => {
  const inner = ({ children, start, end }) => {
    let at = start
    let made = ""
    for (const child of children) {
      made += text.slice(at, child.start) + around(child)
      at = child.end
    }
    return made + text.slice(at, end)
  }
  const around = (span) => {
    const original = inner(span)
    // A statement may be the only one after an `if`, and may begin with a parenthesis where its line before ends with none.
    if (span.isStatement) return `{if(__fault(${span.faults[0].id})){}else{;${original};}}`
    const arms = span.faults.map((fault) => `__fault(${fault.id})?(${fault.text}):`).join("")
    return `(${arms}(${original}))`
  }
  return BANNER + inner({ ...treeOf(faults), end: text.length })
}
