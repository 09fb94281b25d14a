import { zero } from "@outbound/domain/money/Credits.js"
import { RunStore } from "@outbound/domain/runs/RunStore.js"
import { memoryStore } from "./MemoryStore.js"
import { keyOf } from "./Table.js"

export const layer = memoryStore(RunStore, "RunStore", ({ write }) => ({
  insert: (run) =>
    write(({ runs }) => runs.insert(keyOf(run.workspaceId, run.runId), { run, spent: zero, reserved: zero }))
}))
