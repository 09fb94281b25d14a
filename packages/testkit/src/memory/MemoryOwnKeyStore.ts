import { OwnKeyStore } from "@outbound/domain/sources/ownKeys/OwnKeyStore.js"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"

export const layer = memoryStore(OwnKeyStore, "OwnKeyStore", ({ atomically, read, write }) => ({
  put: (key) => write(({ ownKeys }) => ownKeys.set(keyOf(key.workspaceId, key.vendor), key)),
  list: (workspaceId) =>
    read(({ ownKeys }) =>
      ownKeys.filter((key) => key.workspaceId === workspaceId).sort(ascending(({ vendor }) => vendor))
    ),
  remove: (workspaceId, vendor) => write(({ ownKeys }) => ownKeys.delete(keyOf(workspaceId, vendor))),
  refused: (workspaceId, vendor, atMillis) =>
    atomically(
      write(({ ownKeys }) => {
        const key = ownKeys.get(keyOf(workspaceId, vendor))
        if (key !== undefined && key.addedAtMillis <= atMillis) {
          ownKeys.set(keyOf(workspaceId, vendor), { ...key, refusedAtMillis: atMillis })
        }
      })
    ),
  accepted: (workspaceId, vendor, atMillis) =>
    atomically(
      write(({ ownKeys }) => {
        const key = ownKeys.get(keyOf(workspaceId, vendor))
        if (key !== undefined && key.refusedAtMillis !== null && key.refusedAtMillis <= atMillis) {
          ownKeys.set(keyOf(workspaceId, vendor), { ...key, refusedAtMillis: null })
        }
      })
    )
}))
