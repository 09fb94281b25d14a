import type {
  AuthorizationRequest,
  Grant,
  IssuedToken,
  RegisteredClient
} from "@outbound/domain/control/oauth/OAuthStore.js"
import { keyOf, Table, type UndoLog } from "./Table.js"

export interface OAuthClientRow {
  readonly client: RegisteredClient
  readonly usedAtMillis: number | null
}

/** Programs that people let in. */
export const oauthTables = (log: UndoLog) => ({
  /** By client, request, workspace and grant, and hash. */
  oauthClients: new Table<OAuthClientRow>(log),
  oauthRequests: new Table<AuthorizationRequest>(log),
  oauthGrants: new Table<Grant, "code">(log, { code: ({ codeHash }) => codeHash }),
  oauthTokens: new Table<IssuedToken, "grant">(log, {
    grant: ({ grantId, workspaceId }) => keyOf(workspaceId, grantId)
  })
})
