import { ChangeRequestMachine } from "@outbound/domain/control/ChangeRequestMachine.js"
import { type ChangeRequest, ChangeRequestStore } from "@outbound/domain/control/ChangeRequestStore.js"
import { memoryStore } from "./MemoryStore.js"
import { ascending, descending, keyOf } from "./Table.js"

const id = ({ changeRequestId }: ChangeRequest): string => changeRequestId

export const layer = memoryStore(ChangeRequestStore, "ChangeRequestStore", ({ read, write }) => ({
  insert: (request) =>
    write(({ changeRequests }) => changeRequests.insert(keyOf(request.workspaceId, id(request)), request)),
  update: (request) =>
    write(({ changeRequests }) => changeRequests.update(keyOf(request.workspaceId, id(request)), () => request)),
  get: (workspaceId, changeRequestId) =>
    read(({ changeRequests }) => changeRequests.find(keyOf(workspaceId, changeRequestId))),
  openOfKey: (workspaceId, keyId) =>
    read(({ changeRequests }) =>
      changeRequests
        .filter(
          (one) => one.workspaceId === workspaceId && one.keyId === keyId && ChangeRequestMachine.is.open(one.state)
        )
        .sort(ascending(id))
    ),
  list: (workspaceId, which, limit) =>
    read(({ changeRequests, keys, users }) =>
      changeRequests
        .filter(
          (one) => one.workspaceId === workspaceId && ChangeRequestMachine.is.open(one.state) === (which === "open")
        )
        .sort(descending(id))
        .slice(0, limit)
        .map((request) => ({
          request,
          keyName: keys.get(request.keyId)?.key.name ?? "",
          requestedByName: keys.get(request.requestedByKeyId)?.key.name ?? "",
          decidedByEmail: users.filter((user) => user.userId === request.decidedByUserId)[0]?.email ?? null
        }))
    )
}))
