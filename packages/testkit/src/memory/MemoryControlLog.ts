import { ControlLog } from "@outbound/domain/control/ControlLog.js"
import { memoryStore } from "./MemoryStore.js"
import { descending, keyOf } from "./Table.js"

export const layer = memoryStore(ControlLog, "ControlLog", ({ read, write }) => ({
  append: (entry) => write(({ controlLog }) => controlLog.insert(keyOf(entry.workspaceId, entry.controlLogId), entry)),
  page: ({ before, keyId, limit, workspaceId }) =>
    read(({ controlLog }) =>
      controlLog
        .filter((entry) => entry.workspaceId === workspaceId && (keyId === null || entry.keyId === keyId))
        .filter(({ controlLogId }) => before === null || controlLogId < before)
        .sort(descending(({ controlLogId }) => controlLogId))
        .slice(0, limit)
    )
}))
