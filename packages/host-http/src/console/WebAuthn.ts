import { type NewCredential, type PasskeyAnswer, Passkeys } from "@outbound/domain/control/users/Passkeys.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import type { Passkey } from "@outbound/domain/control/users/PasskeyStore.js"
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server"
import { Effect, Layer, Option } from "effect"

const NAME = "outbound"

/** Loaded at the first passkey: it is large, and a restart must not wait for it. */
const library = () => import("@simplewebauthn/server")

/** ES256, EdDSA, RS256 (WebAuthn Level 3, §5.4). */
const ALGORITHMS = [-7, -8, -257]

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(base64url, "base64url"))
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url")
const handleOf = (userId: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(userId, "utf8"))

const descriptorOf = ({ credentialId, transports }: Passkey) => ({ id: credentialId, transports: [...transports] })

type Members = { readonly [name: string]: unknown }

const membersOf = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {}

const parsed = (text: string): Members => {
  try {
    return membersOf(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Parses an answer. The library verifies its claims later. */
const read = (answer: string): PasskeyAnswer | null => {
  const { id, response } = parsed(answer)
  const { clientDataJSON, userHandle } = membersOf(response)
  if (typeof id !== "string" || typeof clientDataJSON !== "string") return null
  const { challenge } = parsed(Buffer.from(clientDataJSON, "base64url").toString("utf8"))
  if (typeof challenge !== "string") return null
  return { credentialId: id, challenge, userHandle: typeof userHandle === "string" ? userHandle : null }
}

/** Refuses an answer that does not verify. The reason goes to the log, not to the caller. */
const verified = <A, B>(verify: () => Promise<A>, use: (result: A) => Option.Option<B>) =>
  Effect.tryPromise(verify).pipe(
    Effect.map(use),
    Effect.catch(({ cause }) =>
      Effect.as(Effect.logInfo("console: a passkey's answer was refused", cause), Option.none<B>())
    )
  )

/** Web Authentication for the base URL of the settings. */
export const layer: Layer.Layer<Passkeys, never, Settings> = Layer.effect(
  Passkeys,
  Effect.map(Settings, ({ baseUrl }) => {
    const { hostname: rpID, origin } = new URL(baseUrl)
    const expected = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true }

    return Passkeys.of({
      registration: ({ challenge, email, known, timeoutMillis, userId }) =>
        Effect.promise(async () =>
          (await library()).generateRegistrationOptions({
            rpName: NAME,
            rpID,
            userName: email,
            userDisplayName: email,
            userID: handleOf(userId),
            challenge: bytesOf(challenge),
            timeout: timeoutMillis,
            attestationType: "none",
            excludeCredentials: known.map(descriptorOf),
            authenticatorSelection: { residentKey: "required", userVerification: "required" },
            supportedAlgorithmIDs: ALGORITHMS
          })
        ),
      authentication: ({ allowed, challenge, timeoutMillis }) =>
        Effect.promise(async () =>
          (await library()).generateAuthenticationOptions({
            rpID,
            challenge: bytesOf(challenge),
            timeout: timeoutMillis,
            userVerification: "required",
            allowCredentials: allowed.map(descriptorOf)
          })
        ),
      read,
      registered: (answer, challenge) =>
        verified(
          async () =>
            (await library()).verifyRegistrationResponse({
              ...expected,
              response: JSON.parse(answer) as RegistrationResponseJSON,
              expectedChallenge: challenge,
              supportedAlgorithmIDs: ALGORITHMS
            }),
          ({ registrationInfo, verified: isVerified }): Option.Option<NewCredential> =>
            isVerified && registrationInfo !== undefined
              ? Option.some({
                  credentialId: registrationInfo.credential.id,
                  publicKey: textOf(registrationInfo.credential.publicKey),
                  counter: registrationInfo.credential.counter,
                  transports: registrationInfo.credential.transports ?? []
                })
              : Option.none()
        ),
      authenticated: (answer, challenge, passkey) =>
        verified(
          async () =>
            (await library()).verifyAuthenticationResponse({
              ...expected,
              response: JSON.parse(answer) as AuthenticationResponseJSON,
              expectedChallenge: challenge,
              credential: {
                id: passkey.credentialId,
                publicKey: bytesOf(passkey.publicKey),
                counter: passkey.counter,
                transports: [...passkey.transports]
              }
            }),
          ({ authenticationInfo, verified: isVerified }) =>
            isVerified ? Option.some({ counter: authenticationInfo.newCounter }) : Option.none()
        ),
      userHandle: (userId) => textOf(handleOf(userId))
    })
  })
)
