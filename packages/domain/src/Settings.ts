import { Context } from "effect"

/** What the domain needs to know of where it is served. */
export class Settings extends Context.Tag("@outbound/domain/Settings")<
  Settings,
  {
    /** Without a trailing slash. */
    readonly baseUrl: string
  }
>() {}

export const consoleUrl = (baseUrl: string): string => `${baseUrl}/console`

export const approvalUrl = (baseUrl: string, approvalId: string): string =>
  `${consoleUrl(baseUrl)}/approvals/${approvalId}`

export const unsubscribeUrl = (baseUrl: string, workspaceId: string, token: string): string =>
  `${baseUrl}/u/${workspaceId}/${token}`
