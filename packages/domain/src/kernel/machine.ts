import { Data, Result } from "effect"

/** What an event does in a state: the next state, `same` (a repeat that succeeds without a change), or `refuse`. */
export type Cell<S extends string> = S | "same" | "refuse"

/** A state machine as a total table: a missing cell doesn't compile. */
export interface Machine<S extends string, V extends string> {
  readonly name: string
  readonly states: ReadonlyArray<S>
  readonly events: ReadonlyArray<V>
  readonly initial: S
  readonly table: { readonly [State in S]: { readonly [Event in V]: Cell<S> } }
}

/** The event is not allowed in this state. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly machine: string
  readonly state: string
  readonly event: string
}> {}

/** Named sets of states: what the code outside asks for, instead of comparing states itself. */
type Groups<S extends string> = { readonly [name: string]: ReadonlyArray<S> }

/** A machine with its groups: `in` lists the states of each, `is` says whether a state is one of them. */
export type Grouped<S extends string, V extends string, G extends Groups<S>> = Machine<S, V> & {
  readonly in: G
  readonly is: { readonly [Name in keyof G]: (state: S | undefined) => state is G[Name][number] }
}

export const defineMachine = <const S extends string, const V extends string, const G extends Groups<NoInfer<S>>>(
  name: string,
  {
    groups,
    ...spec
  }: Omit<Machine<S, V>, "name" | "initial" | "table"> & {
    readonly initial: NoInfer<S>
    readonly table: { readonly [State in NoInfer<S>]: { readonly [Event in NoInfer<V>]: Cell<NoInfer<S>> } }
    readonly groups: G
  }
): Grouped<S, V, G> => {
  const named = Object.entries<ReadonlyArray<S>>(groups)
  const is = named.map(([group, states]) => [group, (state: S) => states.includes(state)])
  return { name, ...spec, in: groups, is: Object.fromEntries(is) } as Grouped<S, V, G>
}

export const step = <S extends string, V extends string>(
  machine: Machine<S, V>,
  state: NoInfer<S>,
  event: NoInfer<V>
): Result.Result<S, Refused> => {
  const cell = machine.table[state][event]
  if (cell === "refuse") return Result.fail(new Refused({ machine: machine.name, state, event }))
  return Result.succeed(cell === "same" ? state : (cell as S))
}

export const allows = <S extends string, V extends string>(
  machine: Machine<S, V>,
  state: NoInfer<S>,
  event: NoInfer<V>
): boolean => machine.table[state][event] !== "refuse"

/** The state after the event; unchanged if the event is refused. */
export const after = <S extends string, V extends string>(
  machine: Machine<S, V>,
  state: NoInfer<S>,
  event: NoInfer<V>
): S => Result.getOrElse(step(machine, state, event), () => state)

/** Whether the event leads to another state. */
export const changes = <S extends string, V extends string>(
  machine: Machine<S, V>,
  state: NoInfer<S>,
  event: NoInfer<V>
): boolean => after(machine, state, event) !== state

/** The states that allow the event, for a guarded `UPDATE … WHERE state IN (…)`. */
export const statesAllowing = <S extends string, V extends string>(
  machine: Machine<S, V>,
  event: NoInfer<V>
): ReadonlyArray<S> => machine.states.filter((state) => machine.table[state][event] !== "refuse")

/** A state that no event leaves. */
export const isFinal = <S extends string, V extends string>(machine: Machine<S, V>, state: NoInfer<S>): boolean =>
  machine.events.every((event) => !changes(machine, state, event))
