import { Clock, Context, Effect, Layer } from "effect"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "../users/UserStore.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import { quoted } from "../alerts/foreignWords.js"
import { type Letter, Mailer } from "../alerts/Mailer.js"
import { Settings } from "../../kernel/Settings.js"
import { makeAsks } from "../users/asks.js"
import { makePost } from "./posting.js"
import { Console, SIGN_IN_LINK_MINUTES } from "./Console.js"

/** Sign-in requests per `ASK_WINDOW_MINUTES`: for one address, and from one client. */
export const ASKS_PER_ADDRESS_MAX = 3
export const ASKS_PER_CLIENT_MAX = 30

/** The result of a request. It never reveals whether the address is a member's. */
export type AskResult = "taken" | "too_many" | "invalid"

/**
 * The service's email to its users. All but `ask` return at once; the email is sent in the background and may be lost.
 */
export class SignInMail extends Context.Service<
  SignInMail,
  {
    /** False: no mail server is configured, so no email is sent. */
    readonly isOn: boolean
    /**
     * Emails a one-time link to the address if it is a member's. `client`: the client's network address. The answer and
     * its timing are the same for an unknown address.
     */
    readonly ask: (email: string, client: string) => FromStore<AskResult>
    /** Tells a new member about their membership. Contains no secret. */
    readonly invite: (by: SignedIn, email: string) => Effect.Effect<void>
    /** Tells a user that a passkey was added, so that they notice one they did not add. */
    readonly passkeyAdded: (to: SignedIn, name: string) => Effect.Effect<void>
  }
>()("@outbound/domain/control/console/SignInMail") {}

export const signInLetter = (baseUrl: string, to: string, secret: string): Letter => ({
  to,
  subject: "Your sign-in link",
  text: [
    "Open this link to sign in to outbound:",
    "",
    `${baseUrl}/console/sign-in?token=${secret}`,
    "",
    `It works once, for ${SIGN_IN_LINK_MINUTES} minutes.`,
    "If you did not ask for it, ignore this email. Nobody can sign in without the link.",
    ""
  ].join("\n")
})

export const invitation = (baseUrl: string, to: string, by: string, workspaceName: string): Letter => ({
  to,
  subject: "You were added to a workspace on outbound",
  text: [
    `${quoted(by)} added you to the workspace ${quoted(workspaceName)} on outbound.`,
    "",
    "To sign in, enter this email address; we send you a link:",
    "",
    `${baseUrl}/console/sign-in`,
    ""
  ].join("\n")
})

export const passkeyLetter = (baseUrl: string, to: string, name: string): Letter => ({
  to,
  subject: "A passkey was added",
  text: [
    `You can now sign in to outbound with the passkey ${quoted(name)}.`,
    "",
    "If you did not add it, sign in, remove it, and tell the operator of the service:",
    "",
    `${baseUrl}/console/settings#passkeys`,
    ""
  ].join("\n")
})

export const layer = Layer.effect(
  SignInMail,
  Effect.gen(function* () {
    const { makeSignInLink } = yield* Console
    const mailer = yield* Mailer
    const { baseUrl } = yield* Settings
    const { atomically } = yield* UnitOfWork
    const mayAsk = yield* makeAsks
    const post = yield* makePost

    const linkFor = (email: string) =>
      makeSignInLink(email).pipe(
        Effect.map((secret): Letter | null => signInLetter(baseUrl, email, secret)),
        Effect.catchIf(
          (error) => error._tag === "not_found",
          () => Effect.succeed(null)
        )
      )

    return SignInMail.of({
      isOn: mailer.send !== null,
      ask: (given, client) =>
        Effect.gen(function* () {
          const email = usableEmail(given)
          if (email === null || mailer.send === null) return "invalid" as const
          const nowMillis = yield* Clock.currentTimeMillis
          // Check the client first: one who asked too often no longer counts against an address.
          for (const subject of [
            { kind: "client", name: client, max: ASKS_PER_CLIENT_MAX },
            { kind: "address", name: email, max: ASKS_PER_ADDRESS_MAX }
          ] as const) {
            if (!(yield* atomically(mayAsk([subject], nowMillis)))) return "too_many" as const
          }
          yield* post(linkFor(email))
          return "taken" as const
        }),
      invite: (by, email) => post(Effect.succeed(invitation(baseUrl, email, by.user.email, by.workspaceName))),
      passkeyAdded: (to, name) => post(Effect.succeed(passkeyLetter(baseUrl, to.user.email, name)))
    })
  })
)
