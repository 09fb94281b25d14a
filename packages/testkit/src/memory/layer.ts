import { Layer } from "effect"
import * as Memory from "./Memory.js"
import * as MemoryCallJournal from "./MemoryCallJournal.js"
import * as MemoryCreditStore from "./MemoryCreditStore.js"
import * as MemoryFaults from "./MemoryFaults.js"
import * as MemoryKeyStore from "./MemoryKeyStore.js"
import * as MemoryRunStore from "./MemoryRunStore.js"
import * as MemoryUnitOfWork from "./MemoryUnitOfWork.js"
import * as MemoryWorkspaceStore from "./MemoryWorkspaceStore.js"

/** Every store and the journal of one host over one memory, empty with each build. */
export const layer = Layer.mergeAll(
  MemoryUnitOfWork.layer,
  MemoryCallJournal.layer,
  MemoryCreditStore.layer,
  MemoryKeyStore.layer,
  MemoryRunStore.layer,
  MemoryWorkspaceStore.layer
).pipe(Layer.provideMerge(Layer.mergeAll(Memory.layer, MemoryFaults.layer)))
