import { Layer } from "effect"
import { scriptedCrms } from "./crm/crms.js"
import { openFilesHere } from "./openDirectory/files.js"
import { simulatedPayments } from "./payments/simulated.js"

/** What wings meet in tests of the host, a line each. */
export const scriptedWings = Layer.mergeAll(Layer.empty, scriptedCrms, openFilesHere, simulatedPayments)
