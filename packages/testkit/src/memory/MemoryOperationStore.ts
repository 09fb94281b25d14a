import { isFinal } from "@outbound/domain/kernel/machine.js"
import { OperationMachine } from "@outbound/domain/outreach/operations/OperationMachine.js"
import { OperationStore } from "@outbound/domain/outreach/operations/OperationStore.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"

export const layer = memoryStore(OperationStore, "OperationStore", ({ read, write }) => {
  const find = (workspaceId: string, operationId: string) =>
    read(({ operations }) => Option.map(operations.find(keyOf(workspaceId, operationId)), ({ operation }) => operation))
  return {
    insert: (operation) =>
      write(({ operations }) => operations.insert(keyOf(operation.workspaceId, operation.operationId), { operation })),
    get: find,
    lock: find,
    update: (operation) =>
      write(({ operations }) =>
        operations.update(keyOf(operation.workspaceId, operation.operationId), () => ({ operation }))
      ),
    open: (limit) =>
      read(({ operations }) =>
        operations
          .filter(({ operation }) => !isFinal(OperationMachine, operation.status))
          .map(({ operation }) => operation)
          .sort(
            ascending(
              (operation) => operation.createdAtMillis,
              (operation) => operation.operationId
            )
          )
          .slice(0, limit)
          .map(({ operationId, workspaceId }) => ({ workspaceId, operationId }))
      )
  }
})
