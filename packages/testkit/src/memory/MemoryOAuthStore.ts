import { type Grant, OAuthStore } from "@outbound/domain/control/oauth/OAuthStore.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { ascending, descending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

/** Its code is over, and no token can renew it any more. */
const hasLapsed = (tables: Tables, grant: Grant, nowMillis: number): boolean =>
  grant.codeExpiresAtMillis <= nowMillis && !renewable(tables, keyOf(grant.workspaceId, grant.grantId), nowMillis)

const renewable = ({ oauthTokens }: Tables, grant: string, nowMillis: number): boolean =>
  oauthTokens
    .where("grant", grant)
    .some(
      ({ expiresAtMillis, kind, spentAtMillis }) =>
        kind === "refresh" && spentAtMillis === null && expiresAtMillis > nowMillis
    )

export const layer = memoryStore(OAuthStore, "OAuthStore", ({ read, write }) => {
  const request = (requestId: string) => read(({ oauthRequests }) => oauthRequests.find(requestId))
  return {
    insertClient: (client) =>
      write(({ oauthClients }) => oauthClients.insert(client.clientId, { client, usedAtMillis: null })),
    client: (clientId) => read(({ oauthClients }) => Option.map(oauthClients.find(clientId), ({ client }) => client)),
    trimClients: (keep) =>
      write(({ oauthClients }) => {
        const unused = oauthClients.filter(({ usedAtMillis }) => usedAtMillis === null)
        const newest = unused.sort(
          descending(
            ({ client }) => client.createdAtMillis,
            ({ client }) => client.clientId
          )
        )
        for (const { client } of newest.slice(keep)) oauthClients.delete(client.clientId)
      }),
    markUsed: (clientId, nowMillis) =>
      write(({ oauthClients }) => {
        const row = oauthClients.get(clientId)
        if (row !== undefined) oauthClients.set(clientId, { ...row, usedAtMillis: nowMillis })
      }),

    insertRequest: (asked) => write(({ oauthRequests }) => oauthRequests.insert(asked.requestId, asked)),
    trimRequests: (keep) =>
      write(({ oauthRequests }) => {
        const newest = oauthRequests
          .filter(() => true)
          .sort(
            descending(
              ({ expiresAtMillis }) => expiresAtMillis,
              ({ requestId }) => requestId
            )
          )
        for (const { requestId } of newest.slice(keep)) oauthRequests.delete(requestId)
      }),
    request,
    lockRequest: request,
    deleteRequest: (requestId) =>
      write(({ oauthRequests }) => {
        if (!oauthRequests.has(requestId)) throw new Error(`there is no request ${requestId}`)
        oauthRequests.delete(requestId)
      }),

    insertGrant: (grant) =>
      write(({ oauthGrants }) => {
        if (oauthGrants.where("code", grant.codeHash).length > 0) throw new Error("another grant has this code")
        oauthGrants.insert(keyOf(grant.workspaceId, grant.grantId), grant)
      }),
    lockGrant: (workspaceId, grantId) => read(({ oauthGrants }) => oauthGrants.find(keyOf(workspaceId, grantId))),
    lockGrantByCode: (codeHash) =>
      read(({ oauthGrants }) => Option.fromNullishOr(oauthGrants.where("code", codeHash)[0])),
    redeem: ({ grantId, workspaceId }, nowMillis) =>
      write(({ oauthGrants }) =>
        oauthGrants.update(keyOf(workspaceId, grantId), (grant) => {
          if (grant.redeemedAtMillis !== null) throw new Error("the code was redeemed before")
          return { ...grant, redeemedAtMillis: nowMillis }
        })
      ),
    lapsed: (nowMillis, limit) =>
      read((tables) =>
        tables.oauthGrants
          .filter((grant) => hasLapsed(tables, grant, nowMillis))
          .sort(
            ascending(
              (grant) => grant.createdAtMillis,
              (grant) => grant.grantId
            )
          )
          .slice(0, limit)
      ),
    deleteLapsed: (workspaceId, grantId, nowMillis) =>
      write((tables) => {
        const { oauthGrants, oauthTokens } = tables
        const key = keyOf(workspaceId, grantId)
        const grant = oauthGrants.get(key)
        if (grant === undefined || !hasLapsed(tables, grant, nowMillis)) return false
        for (const { tokenHash } of oauthTokens.where("grant", key)) oauthTokens.delete(tokenHash)
        oauthGrants.delete(key)
        return true
      }),

    insertTokens: (tokens) =>
      write(({ oauthTokens }) => {
        for (const token of tokens) oauthTokens.insert(token.tokenHash, token)
      }),
    token: (tokenHash) => read(({ oauthTokens }) => oauthTokens.find(tokenHash)),
    spend: (tokenHash, nowMillis) =>
      write(({ oauthTokens }) => {
        const token = oauthTokens.get(tokenHash)
        if (token?.kind !== "refresh" || token.spentAtMillis !== null) return false
        oauthTokens.set(tokenHash, { ...token, spentAtMillis: nowMillis })
        return true
      }),
    access: (tokenHash) =>
      read(({ keys, oauthGrants, oauthTokens }) => {
        const token = oauthTokens.get(tokenHash)
        if (token?.kind !== "access") return Option.none()
        const grant = oauthGrants.get(keyOf(token.workspaceId, token.grantId))
        const key = keys.get(grant?.keyId ?? "")
        return key === undefined
          ? Option.none()
          : Option.some({ keyHash: key.secretHash, expiresAtMillis: token.expiresAtMillis })
      }),

    purge: ({ nowMillis, unusedMillis, usedMillis }, limit) =>
      write(({ oauthClients, oauthGrants, oauthRequests, oauthTokens }) => {
        const isOver = ({ expiresAtMillis }: { readonly expiresAtMillis: number }) => expiresAtMillis <= nowMillis
        const requests = oauthRequests.deleteFirst(limit, isOver)
        const tokens = oauthTokens.deleteFirst(limit, isOver)
        const clients = oauthClients.deleteFirst(limit, ({ client, usedAtMillis }) =>
          usedAtMillis === null
            ? client.createdAtMillis <= unusedMillis
            : usedAtMillis <= usedMillis && !oauthGrants.some(({ clientId }) => clientId === client.clientId)
        )
        return requests + tokens + clients
      })
  }
})
