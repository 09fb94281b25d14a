import type { Model } from "../explore.js"
import { agentSteps, approverSteps, stoppingSteps, timeSteps } from "./deciding.js"
import { executingSteps } from "./executing.js"
import { violationOf } from "./guarantees.js"
import type { Action, Config } from "./protocol.js"
import { leadSteps, sendingSteps } from "./sending.js"
import { type Bounds, decoderOf, encoderOf, initialOf, type State, widthOf } from "./State.js"

const PARTS = [agentSteps, approverSteps, timeSteps, stoppingSteps, executingSteps, sendingSteps, leadSteps]

/** The protocol of approvals and claims, with the domain's own machines and its rule of sending. */
export const approvalsModel = (config: Config): Model<State, Action> => ({
  initial: initialOf(config.bounds),
  width: widthOf(config.bounds),
  encode: encoderOf(config.bounds),
  decode: decoderOf(config.bounds),
  steps: (state, tell) => {
    for (const part of PARTS) part(state, config, tell)
  },
  violationOf: (before, action, after) => violationOf(before, action, after, config)
})

/** Small enough for every run of the tests. */
export const SMALL: Bounds = {
  people: 1,
  approvals: 1,
  steps: 1,
  hosts: 2,
  approversNeeded: 1,
  hasPurchase: false,
  failuresMax: 0
}

const said = ({ by, host, left, name, of, outcome }: Action): string =>
  [
    name,
    ...(of === undefined ? [] : [`of ${of + 1}`]),
    ...(by === undefined ? [] : [`by person ${by + 1}`]),
    ...(host === undefined ? [] : [`on host ${host + 1}`]),
    ...(outcome === undefined
      ? []
      : [`(${outcome}${left === undefined ? "" : left ? ", it left" : ", it did not leave"})`])
  ].join(" ")

/** The actions of a trace, one a line. */
export const describeTrace = (trace: ReadonlyArray<{ readonly action: Action }>): string =>
  trace.map(({ action }, index) => `${String(index + 1).padStart(3)}. ${said(action)}`).join("\n")
