import { setFlagsFromString } from "node:v8"
import { replaceFiberRoots } from "./fiberRoots.js"

const FLAGS = [
  // The heap grows by half of what lives in it before a full collection. Where memory is plenty, V8 lets it grow by three
  // times that.
  "--heap-growing-percent=50",
  // Nearly everything that a call makes dies with it. V8 takes some of it for long-lived, because it saw it alive while
  // calls ran, and makes it where only a full collection frees it, with all that it names (decision 0087).
  "--no-allocation-site-pretenuring"
]

/** Makes a process that serves calls let go at once of what ended calls held. */
export const tuneHeap = (): void => {
  for (const flag of FLAGS) setFlagsFromString(flag)
  replaceFiberRoots()
}
