import { setFlagsFromString } from "node:v8"
import { replaceFiberRoots } from "./fiberRoots.js"

const FLAGS = [
  // V8 would let the heap grow to up to four times what lives in it where memory is plenty.
  "--heap-growing-percent=50",
  // Nearly everything that a call makes dies with it. V8 believes otherwise of what it once saw alive in the middle of
  // many calls, and then makes such objects where only a full collection frees them, and all that they name (decision 0087).
  "--no-allocation-site-pretenuring"
]

/** Makes a process that serves calls let go at once of what ended calls held. */
export const tuneHeap = (): void => {
  for (const flag of FLAGS) setFlagsFromString(flag)
  replaceFiberRoots()
}
