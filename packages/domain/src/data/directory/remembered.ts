/** The cache's size. */
const REMEMBERED_MAX = 20_000

/** Caches a pure function: lists repeat places, companies and industries. */
export const remembered = <A>(read: (text: string) => A): ((text: string) => A) => {
  const known = new Map<string, A>()
  return (text) => {
    const answer = known.get(text)
    if (answer !== undefined || known.has(text)) return answer as A
    const fresh = read(text)
    if (known.size >= REMEMBERED_MAX) known.clear()
    known.set(text, fresh)
    return fresh
  }
}
