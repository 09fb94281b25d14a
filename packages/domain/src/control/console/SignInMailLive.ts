import { Clock, Duration, Effect, FiberSet, Layer, Schedule } from "effect"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import { Mailer, type Letter } from "../alerts/Mailer.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { Settings } from "../../kernel/Settings.js"
import { makeAsks } from "../users/asks.js"
import { Console, SIGN_IN_LINK_MINUTES } from "./Console.js"
import { ASKS_PER_ADDRESS_MAX, ASKS_PER_CLIENT_MAX, SignInMail } from "./SignInMail.js"

/** How many emails are sent at once, and how many may wait; more are dropped. */
const SENDING_MAX = 4
const UNDER_WAY_MAX = 200

/** How long emails under way may take once the host stops. */
const DRAIN = Duration.seconds(5)

/** Retries after temporary failures. An email that may have been sent is not retried. */
const again = Schedule.intersect(Schedule.exponential("2 seconds", 5), Schedule.recurs(2))

const signInLetter = (baseUrl: string, to: string, secret: string): Letter => ({
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

const invitation = (baseUrl: string, to: string, by: string, workspaceName: string): Letter => ({
  to,
  subject: "You were added to a workspace on outbound",
  text: [
    `${by} added you to the workspace "${workspaceName}" on outbound.`,
    "",
    "To sign in, enter this email address; we send you a link:",
    "",
    `${baseUrl}/console/sign-in`,
    ""
  ].join("\n")
})

const passkeyLetter = (baseUrl: string, to: string, name: string): Letter => ({
  to,
  subject: "A passkey was added",
  text: [
    `You can now sign in to outbound with the passkey "${name}".`,
    "",
    "If you did not add it, sign in, remove it, and tell the operator of the service:",
    "",
    `${baseUrl}/console/settings#passkeys`,
    ""
  ].join("\n")
})

export const layer = Layer.scoped(
  SignInMail,
  Effect.gen(function* () {
    const { makeSignInLink } = yield* Console
    const mailer = yield* Mailer
    const { baseUrl } = yield* Settings
    const { atomically } = yield* UnitOfWork
    const mayAsk = yield* makeAsks
    const underWay = yield* FiberSet.make<void>()
    const turns = yield* Effect.makeSemaphore(SENDING_MAX)
    yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(FiberSet.awaitEmpty(underWay)), DRAIN))

    const deliver = (letter: Letter) =>
      mailer.send === null
        ? Effect.void
        : mailer.send(letter).pipe(
            Effect.retry({
              schedule: again,
              while: ({ reason }) => reason === "transient" || reason === "rate_limited"
            })
          )

    /** Sends the email that `write` makes, if any, in the background. */
    const post = <E>(write: Effect.Effect<Letter | null, E>): Effect.Effect<void> =>
      Effect.gen(function* () {
        if (mailer.send === null) return
        if ((yield* FiberSet.size(underWay)) >= UNDER_WAY_MAX) {
          return yield* Effect.logWarning("sign-in mail: too many emails are waiting; one was dropped")
        }
        const work = write.pipe(
          Effect.flatMap((letter) => (letter === null ? Effect.void : turns.withPermits(1)(deliver(letter)))),
          Effect.catchAllCause((cause) => Effect.logWarning("sign-in mail: sending an email failed", cause))
        )
        yield* FiberSet.run(underWay, work)
      })

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
