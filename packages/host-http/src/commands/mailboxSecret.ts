/** A mailbox's credentials. Secrets come from the environment or standard input, never from a flag. */
import type { MailboxConnection } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { grantPlace, type GrantProvider, grantSecret } from "@outbound/domain/outreach/sending/mailGrant.js"
import { Effect, Redacted, Schema } from "effect"
import type { Actions } from "./Actions.js"
import { optional, switched } from "./Command.js"
import * as Flags from "./flags.js"
import { flagError, fromStdin, fromVariable } from "./secrets.js"

export const SECRET_FLAGS = {
  "password-env": optional(Schema.String, "VAR", "The environment variable with the password"),
  "password-stdin": switched("Read the password from standard input"),
  oauth: optional(Flags.GrantPlace, "PROVIDER", "Sign in with OAuth 2 and a refresh token: google, microsoft or other"),
  "client-id": optional(Schema.String, "ID", "With --oauth: the client id of the refresh token"),
  "client-secret-env": optional(Schema.String, "VAR", "With --oauth: the variable with the client secret, if any"),
  "refresh-token-env": optional(Schema.String, "VAR", "With --oauth: the variable with the refresh token"),
  "refresh-token-stdin": switched("With --oauth: read the refresh token from standard input"),
  "token-url": optional(Schema.String, "URL", "With --oauth: the token endpoint; default: the provider's"),
  "xoauth2-env": optional(Schema.String, "VAR", "The variable with an OAuth 2 access token, which is not renewed")
}

interface SecretFlags {
  readonly "password-env"?: string
  readonly "password-stdin"?: "on"
  readonly "xoauth2-env"?: string
  readonly oauth?: GrantProvider | "other"
  readonly "client-id"?: string
  readonly "client-secret-env"?: string
  readonly "refresh-token-env"?: string
  readonly "refresh-token-stdin"?: "on"
  readonly "token-url"?: string
}

const PLAIN_SECRETS = ["password-env", "password-stdin", "xoauth2-env"] as const
const GRANT_SECRETS = [
  "client-id",
  "client-secret-env",
  "refresh-token-env",
  "refresh-token-stdin",
  "token-url"
] as const

const flagsOf = (names: ReadonlyArray<string>): string => names.map((name) => `--${name}`).join(", ")

type SignIn = Pick<MailboxConnection, "auth" | "secret">

/** Reads a mailbox's credentials from the flags. */
export const secretReader = (
  actions: Pick<Actions, "readStdin">,
  environment: Readonly<Record<string, string | undefined>>
): ((flags: SecretFlags) => Effect.Effect<SignIn, unknown>) => {
  const inVariable = (flag: string, name: string) => fromVariable(environment, flag, name)
  const onStdin = fromStdin(actions)

  const grantIn = (oauth: NonNullable<SecretFlags["oauth"]>, flags: SecretFlags) =>
    Effect.gen(function* () {
      const { "client-id": clientId, "client-secret-env": clientSecretIn, "refresh-token-env": tokenIn } = flags
      if (PLAIN_SECRETS.some((flag) => flags[flag] !== undefined)) {
        return yield* flagError(`--oauth can't be combined with ${flagsOf(PLAIN_SECRETS)}`)
      }
      const place = grantPlace(oauth === "other" ? null : oauth, flags["token-url"] ?? null)
      if (place === null) return yield* flagError("--token-url is required with --oauth other")
      if (clientId === undefined) return yield* flagError("--client-id is required")
      if ((tokenIn === undefined) === (flags["refresh-token-stdin"] === undefined)) {
        return yield* flagError("Use either --refresh-token-env or --refresh-token-stdin")
      }
      const clientSecret =
        clientSecretIn === undefined ? null : Redacted.make(yield* inVariable("client-secret-env", clientSecretIn))
      const text: string = yield* tokenIn === undefined ? onStdin : inVariable("refresh-token-env", tokenIn)
      return {
        auth: "oauth" as const,
        secret: grantSecret({ ...place, clientId, clientSecret, refreshToken: Redacted.make(text) })
      }
    })

  return (flags: SecretFlags): Effect.Effect<SignIn, unknown> => {
    const { "password-env": password, "password-stdin": stdin, "xoauth2-env": token } = flags
    if (flags.oauth !== undefined) return grantIn(flags.oauth, flags)
    if (GRANT_SECRETS.some((flag) => flags[flag] !== undefined)) {
      return flagError(`${flagsOf(GRANT_SECRETS)} need --oauth`)
    }
    if ([password, stdin, token].filter((given) => given !== undefined).length !== 1) {
      return flagError("Use one of --password-env, --password-stdin, --oauth and --xoauth2-env")
    }
    const secret: Effect.Effect<string, unknown> =
      password !== undefined
        ? inVariable("password-env", password)
        : token !== undefined
          ? inVariable("xoauth2-env", token)
          : onStdin
    return Effect.map(secret, (text) => ({
      auth: token === undefined ? ("password" as const) : ("xoauth2" as const),
      secret: Redacted.make(text)
    }))
  }
}
