import { isFinal } from "@outbound/domain/kernel/machine.js"
import { OperationMachine } from "@outbound/domain/outreach/operations/OperationMachine.js"
import { OperationStore } from "@outbound/domain/outreach/operations/OperationStore.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"

export const layer = memoryStore(OperationStore, "OperationStore", ({ atomically, read, write }) => {
  const find = (workspaceId: string, operationId: string) =>
    read(({ operations }) =>
      Option.map(Option.fromNullable(operations.get(keyOf(workspaceId, operationId))), ({ operation }) => operation)
    )
  return {
    insert: (operation) =>
      write(({ operations }) =>
        operations.insert(keyOf(operation.workspaceId, operation.operationId), { operation, startedAtMillis: null })
      ),
    get: find,
    lock: find,
    update: (operation) =>
      write(({ operations }) =>
        operations.update(keyOf(operation.workspaceId, operation.operationId), (row) => ({ ...row, operation }))
      ),
    unstarted: (limit) =>
      read(({ operations }) =>
        operations
          .filter(
            ({ operation, startedAtMillis }) => startedAtMillis === null && !isFinal(OperationMachine, operation.status)
          )
          .map(({ operation }) => operation)
          .sort(
            ascending(
              (operation) => operation.createdAtMillis,
              (operation) => operation.operationId
            )
          )
          .slice(0, limit)
          .map(({ operationId, workspaceId }) => ({ workspaceId, operationId }))
      ),
    markStarted: ({ operationId, workspaceId }, atMillis) =>
      atomically(
        write(({ operations }) =>
          operations.update(keyOf(workspaceId, operationId), (row) => ({
            ...row,
            startedAtMillis: row.startedAtMillis ?? atMillis
          }))
        )
      )
  }
})
