import { StateTable } from "./StateTable.js"

/** What may happen next: the action, and the state that it leads to. */
export type Emit<S, A> = (action: A, next: S) => void

/** A protocol as a pure transition system. */
export interface Model<S, A> {
  readonly initial: S
  /** Everything that may happen in a state. Emits in the same order each time. */
  readonly steps: (state: S, emit: Emit<S, A>) => void
  /** Which guarantee the step breaks; null: none. */
  readonly violationOf: (before: S, action: A, after: S) => string | null
  /** Bytes of an encoded state. */
  readonly width: number
  /** The same bytes for states that differ only by names (symmetry). */
  readonly encode: (state: S, into: Uint8Array) => void
  readonly decode: (bytes: Uint8Array) => S
}

export interface Violation<S, A> {
  readonly broken: string
  /** A shortest way from the initial state; the last action breaks the guarantee. */
  readonly trace: ReadonlyArray<{ readonly action: A; readonly state: S }>
}

export interface Explored<S, A> {
  readonly states: number
  readonly transitions: number
  /** Number of actions to the farthest state. */
  readonly depth: number
  /** True: every reachable state was visited. */
  readonly isComplete: boolean
  readonly violation: Violation<S, A> | null
  /** How often each action was taken, by its name. */
  readonly taken: ReadonlyMap<string, number>
}

/** Walks from the initial state along the states' parents. Keeps the names of the first state through all of them. */
const traceTo = <S, A>(model: Model<S, A>, table: StateTable, index: number): Violation<S, A>["trace"] => {
  const path: Array<Uint8Array> = []
  for (let at = index; table.parentOf(at) !== -1; at = table.parentOf(at)) path.unshift(table.at(at).slice())
  const encoded = new Uint8Array(model.width)
  let state = model.initial
  return path.map((wanted) => {
    let found: { readonly action: A; readonly state: S } | null = null
    model.steps(state, (action, next) => {
      model.encode(next, encoded)
      if (found === null && encoded.every((byte, at) => byte === wanted[at])) found = { action, state: next }
    })
    if (found === null) throw new Error("no step leads to the next state of the path: the encoding loses something")
    const step: { readonly action: A; readonly state: S } = found
    state = step.state
    return step
  })
}

/**
 * Breadth-first search over every reachable state, or until a guarantee is broken, or `statesMax` states were found.
 * The first violation found is a shortest one.
 */
export const explore = <S, A extends { readonly name: string }>(
  model: Model<S, A>,
  statesMax: number
): Explored<S, A> => {
  const table = new StateTable(model.width)
  const encoded = new Uint8Array(model.width)
  const taken = new Map<string, number>()
  let [transitions, depth, levelEnd, cursor] = [0, 0, 1, 0]
  let broken: string | null = null
  model.encode(model.initial, encoded)
  table.add(encoded, -1)
  for (; cursor < table.size && broken === null && table.size < statesMax; cursor += 1) {
    if (cursor === levelEnd) {
      depth += 1
      levelEnd = table.size
    }
    const state = model.decode(table.at(cursor))
    model.steps(state, (action, next) => {
      if (broken !== null) return
      transitions += 1
      taken.set(action.name, (taken.get(action.name) ?? 0) + 1)
      broken = model.violationOf(state, action, next)
      model.encode(next, encoded)
      if (broken === null) table.add(encoded, cursor)
    })
  }
  const found = { states: table.size, transitions, depth, isComplete: cursor === table.size && broken === null, taken }
  if (broken === null) return { ...found, violation: null }
  const trace = traceTo(model, table, cursor - 1)
  const before = trace.at(-1)?.state ?? model.initial
  let last: Violation<S, A>["trace"] = []
  model.steps(before, (action, state) => {
    if (last.length === 0 && model.violationOf(before, action, state) === broken) last = [{ action, state }]
  })
  return { ...found, violation: { broken, trace: [...trace, ...last] } }
}
