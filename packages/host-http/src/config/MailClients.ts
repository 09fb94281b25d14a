import { authorizeUrlOf, tokenUrlOf } from "@outbound/domain/outreach/sending/connect/consent.js"
import type { MailClient } from "@outbound/domain/outreach/sending/connect/MailClients.js"
import type { GrantProvider } from "@outbound/domain/outreach/sending/mailGrant.js"
import { Option, type Redacted, Result } from "effect"
import type { VariableName } from "../ConfigVariables.js"
import { all, mapped, mistake, type Mistakes, parsed, secretOf, withDefault } from "./Setting.js"

/** Ids and secrets as providers issue them: without white space. */
const WORD = /^[\x21-\x7e]{1,512}$/

const wordOf = (name: VariableName, expected: string) =>
  parsed(name, expected, (text) => (WORD.test(text) ? text : undefined))

const secret = (name: VariableName) =>
  secretOf(name, (text) => WORD.test(text.trim()), "must be a secret without white space")

type Given = Option.Option<string>

const clientOf = (
  provider: GrantProvider,
  tenant: string,
  clientId: Given,
  clientSecret: Option.Option<Redacted.Redacted>
): ReadonlyArray<MailClient> =>
  Option.match(clientId, {
    onNone: () => [],
    onSome: (id) => [
      {
        provider,
        authorizeUrl: authorizeUrlOf(provider, tenant),
        tokenUrl: tokenUrlOf(provider, tenant),
        clientId: id,
        clientSecret: Option.getOrNull(clientSecret)
      }
    ]
  })

/** A tenant's id or domain, or one of Microsoft's names for several. */
const TENANT = /^[a-z0-9](?:[a-z0-9.-]{0,253}[a-z0-9])?$/i

/** The operator's clients at providers of mailboxes. */
export const mailClients = mapped(
  all({
    googleId: wordOf("OUTBOUND_GOOGLE_CLIENT_ID", "a client id, such as 123-abc.apps.googleusercontent.com"),
    googleSecret: secret("OUTBOUND_GOOGLE_CLIENT_SECRET"),
    microsoftId: wordOf("OUTBOUND_MICROSOFT_CLIENT_ID", "an application (client) id"),
    microsoftSecret: secret("OUTBOUND_MICROSOFT_CLIENT_SECRET"),
    tenant: withDefault(
      parsed("OUTBOUND_MICROSOFT_TENANT", "a tenant id, a domain, or common", (text) =>
        TENANT.test(text) ? text : undefined
      ),
      "common"
    )
  }),
  ({
    googleId,
    googleSecret,
    microsoftId,
    microsoftSecret,
    tenant
  }): Result.Result<ReadonlyArray<MailClient>, Mistakes> => {
    const lonely = [
      ...(Option.isNone(googleId) && Option.isSome(googleSecret)
        ? mistake("OUTBOUND_GOOGLE_CLIENT_ID", "is required with OUTBOUND_GOOGLE_CLIENT_SECRET")
        : []),
      ...(Option.isSome(googleId) && Option.isNone(googleSecret)
        ? mistake("OUTBOUND_GOOGLE_CLIENT_SECRET", "is required with OUTBOUND_GOOGLE_CLIENT_ID")
        : []),
      ...(Option.isNone(microsoftId) && Option.isSome(microsoftSecret)
        ? mistake("OUTBOUND_MICROSOFT_CLIENT_ID", "is required with OUTBOUND_MICROSOFT_CLIENT_SECRET")
        : [])
    ]
    return lonely.length > 0
      ? Result.fail(lonely)
      : Result.succeed([
          ...clientOf("google", tenant, googleId, googleSecret),
          ...clientOf("microsoft", tenant, microsoftId, microsoftSecret)
        ])
  }
)
