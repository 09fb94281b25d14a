import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { allows, changes } from "@outbound/domain/kernel/machine.js"
import { approvalsModel, SMALL } from "../../models/approvals/Approvals.js"
import type { Action } from "../../models/approvals/protocol.js"
import type { Bounds, State } from "../../models/approvals/State.js"

/** One thing that is done to the model and to the service. `of` names an approval or a person. */
export interface Op {
  readonly kind:
    | "ask_launch"
    | "add_person"
    | "approve"
    | "decline"
    | "execute"
    | "day_passes"
    | "expire"
    | "kill"
    | "clear"
    | "send"
    | "claim_and_die"
    | "give_claims_up"
    | "unsubscribe"
    | "suppress"
    | "pause_mailbox"
    | "resume_mailbox"
  readonly of: number
  /** Who approves. */
  readonly by?: number
}

/** Most approvals that one walk asks for. */
const APPROVALS_MAX = 6

const boundsFor = (approversNeeded: number): Bounds => ({
  ...SMALL,
  people: 2,
  hosts: 1,
  approvals: APPROVALS_MAX,
  approversNeeded
})

const modelFor = (approversNeeded: number) => approvalsModel({ bounds: boundsFor(approversNeeded), fault: null })

/** The worlds that are replayed: one person approves, or two have to. */
const MODELS = { 1: modelFor(1), 2: modelFor(2) } as const
export type ApproversNeeded = keyof typeof MODELS

export const INITIAL = MODELS[1].initial

/** The state after the first step that is wanted; null: the model has none. */
export const take = (
  state: State,
  isWanted: (action: Action) => boolean,
  needed: ApproversNeeded = 1
): State | null => {
  let found: State | null = null
  MODELS[needed].steps(state, (action, after) => {
    if (found === null && isWanted(action)) found = after
  })
  return found
}

const named =
  (name: Action["name"], of?: number) =>
  (action: Action): boolean =>
    action.name === name && (of === undefined || action.of === of)

/** The steps one after the other; null if one of them is not possible. */
const inTurn = (state: State, ...steps: ReadonlyArray<(action: Action) => boolean>): State | null =>
  steps.reduce<State | null>((now, isWanted) => (now === null ? null : take(now, isWanted)), state)

/** Takes a sequence of steps for each person of whom the model allows it. */
const forEachPerson = (state: State, ...names: ReadonlyArray<Action["name"]>): State =>
  state.people.reduce(
    (now, _person, of) =>
      inTurn(
        now,
        ...names.map(
          (name) => (action: Action) =>
            named(name, of)(action) && action.outcome !== "unclear" && action.outcome !== "refused"
        )
      ) ?? now,
    state
  )

const overdue = (state: State): State =>
  state.approvals.reduce((now, _approval, of) => take(now, named("overdue", of)) ?? now, state)

const expired = (state: State): State =>
  state.approvals.reduce((now, _approval, of) => take(now, named("expire", of)) ?? now, state)

/** What the model says that the operation does; null: it is refused. */
export const modelled = (state: State, { by = 0, kind, of }: Op, needed: ApproversNeeded): State | null => {
  switch (kind) {
    case "ask_launch":
      return take(state, named("ask_launch"))
    case "add_person":
      if (state.suspension !== "none") return null
      return take(state, named("add_to_draft", 1)) ?? take(state, named("ask_extend", 1))
    case "approve":
      return take(state, (action) => named("approve", of)(action) && action.by === by, needed)
    case "decline":
      return take(state, named("decline", of))
    case "execute": {
      const done = inTurn(state, named("confirm", of), named("execute", of))
      return done === null || done.approvals[of]?.executions === state.approvals[of]?.executions ? null : done
    }
    case "day_passes":
      return overdue(state)
    case "expire":
      return expired(state)
    case "kill": {
      const killed = take(state, named("kill"))
      return killed === null ? null : take(killed, named("kill_answers"))
    }
    case "clear":
      return take(state, named("clear"))
    case "send":
      return forEachPerson(state, "claim", "hand_over", "record")
    case "claim_and_die":
      return forEachPerson(state, "claim", "crash")
    case "give_claims_up":
      return forEachPerson(state, "claim_ages", "claim_lost")
    case "unsubscribe":
      return take(state, named("unsubscribe", of))
    case "suppress":
      return take(state, named("suppress", of))
    case "pause_mailbox":
      return take(state, named("pause_mailbox", 0))
    case "resume_mailbox":
      return take(state, named("resume_mailbox", 0))
  }
}

const ABOUT_APPROVALS = ["decline", "execute"] as const
const ABOUT_PEOPLE = ["unsubscribe", "suppress"] as const
const OTHERS = [
  "ask_launch",
  "add_person",
  "day_passes",
  "expire",
  "kill",
  "clear",
  "send",
  "claim_and_die",
  "give_claims_up",
  "pause_mailbox",
  "resume_mailbox"
] as const

/** Operations whose refusal the service can tell. The others are only done where the model allows them. */
const TOLD: ReadonlyArray<Op["kind"]> = ["ask_launch", "approve", "decline", "execute"]

/** Everything that may be tried in the state. */
export const possible = (state: State, needed: ApproversNeeded): ReadonlyArray<Op> => {
  const approvers = Array.from({ length: needed }, (_none, by) => by)
  const all: ReadonlyArray<Op> = [
    ...OTHERS.map((kind) => ({ kind, of: 0 })),
    ...state.approvals.flatMap((_approval, of) => [
      ...approvers.map((by) => ({ kind: "approve", of, by }) as const),
      ...ABOUT_APPROVALS.map((kind) => ({ kind, of }))
    ]),
    ...state.people.flatMap((_person, of) => ABOUT_PEOPLE.map((kind) => ({ kind, of })))
  ]
  return all.filter((op) => {
    // The last approvals are kept for the end of the walk, where a refusal would be the model's bound alone.
    // The same decision twice is one, until its time is over, which the model does not keep for what is decided.
    const approval = state.approvals[op.of]
    if (approval !== undefined && (op.kind === "approve" || op.kind === "decline")) {
      if (allows(ApprovalMachine, approval.state, op.kind) && !changes(ApprovalMachine, approval.state, op.kind))
        return false
    }
    if (op.kind === "ask_launch" && state.approvals.length >= APPROVALS_MAX) return false
    // A launch to nobody is above no limit: one person approves it, which the model does not say.
    if (needed > 1 && op.kind === "ask_launch" && modelled(state, op, needed)?.approvals.at(-1)?.people === 0)
      return false
    return TOLD.includes(op.kind) || modelled(state, op, needed) !== null
  })
}

/** A small generator with a seed (mulberry32), from 0 to 1. */
export const randomOf = (seed: number): (() => number) => {
  let at = seed
  return () => {
    at = (at + 0x6d2b79f5) | 0
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Walks through the model that prefer an operation after another that no walk before had in this order. */
export const walks = (count: number, length: number, seed: number, needed: ApproversNeeded) => {
  const random = randomOf(seed)
  const pairs = new Set<string>()
  const all = Array.from({ length: count }, () => {
    const ops: Array<Op> = []
    let state = INITIAL
    let last = ""
    for (let at = 0; at < length; at += 1) {
      const options = possible(state, needed)
      const fresh = options.filter(({ kind }) => !pairs.has(`${last}>${kind}`))
      const from = fresh.length > 0 ? fresh : options
      const op = from[Math.floor(random() * from.length)] as Op
      pairs.add(`${last}>${op.kind}`)
      last = op.kind
      ops.push(op)
      state = modelled(state, op, needed) ?? state
    }
    return ops
  })
  return { walks: all, pairs }
}
