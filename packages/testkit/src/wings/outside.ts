import { Layer } from "effect"
import { simulatedPayments } from "./payments/simulatedPayments.js"
import * as ScriptedReceiver from "./webhooks/ScriptedReceiver.js"

/** What every wing needs of the world outside to run on a host, scripted, a line each. */
export const wingsOutside = Layer.mergeAll(Layer.empty, simulatedPayments, ScriptedReceiver.layer)
