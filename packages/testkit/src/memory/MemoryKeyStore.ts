import { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { plus } from "@outbound/domain/kernel/money/Credits.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { ascending } from "./Table.js"

export const layer = memoryStore(KeyStore, "KeyStore", ({ read, write }) => {
  const find = (keyId: string) => read(({ keys }) => Option.map(keys.find(keyId), ({ key }) => key))
  return {
    insert: (key, secretHash) =>
      write(({ keyIds, keys }) => {
        keys.insert(key.keyId, { key, secretHash })
        keyIds.insert(secretHash, key.keyId)
      }),
    get: find,
    hashOf: (workspaceId, keyId) =>
      read(({ keys }) => {
        const row = keys.get(keyId)
        return row?.key.workspaceId === workspaceId ? Option.some(row.secretHash) : Option.none()
      }),
    lock: find,
    update: (key) => write(({ keys }) => keys.update(key.keyId, (row) => ({ ...row, key }))),
    spentIn: (workspaceId, month) =>
      read(({ keys, usage }) => {
        const used = keys
          .filter(({ key }) => key.workspaceId === workspaceId)
          .flatMap(({ key }) => {
            const one = usage.get(key.keyId)
            return one === undefined || one.month !== month ? [] : [[key.keyId, plus(one.spent, one.reserved)] as const]
          })
        return new Map(used)
      }),
    list: (workspaceId) =>
      read(({ keys }) =>
        keys
          .filter(({ key }) => key.workspaceId === workspaceId)
          .map(({ key }) => key)
          .sort(
            ascending(
              (key) => key.createdAtMillis,
              (key) => key.keyId
            )
          )
      )
  }
})
