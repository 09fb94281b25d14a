import { Clock, Context, Effect, Layer, Option } from "effect"
import { credits, format } from "../../kernel/money/Credits.js"
import { MINUTE_MILLIS } from "../../kernel/durations.js"
import { type AnyWireError, invalid, type Issue, refuse } from "../../kernel/errors/Wire.js"
import { readEmail } from "../../kernel/people/EmailAddress.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { Settings } from "../../kernel/Settings.js"
import { DomainRecords } from "../../outreach/mail/DomainRecords.js"
import { Mailer } from "../alerts/Mailer.js"
import { Console, makeSessions } from "../console/Console.js"
import { makePost } from "../console/posting.js"
import { ASKS_PER_ADDRESS_MAX, ASKS_PER_CLIENT_MAX, signInLetter } from "../console/SignInMail.js"
import { makeKeyChanges, nameIssues } from "../KeyControl.js"
import { makeNewWorkspace, SIGNUP_CREDITS } from "../NewWorkspace.js"
import { makeAsks } from "../users/asks.js"
import { UserStore } from "../users/UserStore.js"
import { secondLetter, SIGN_UP_LINK_MINUTES, signUpLetter } from "./letters.js"
import { personOf } from "./person.js"
import { dayFrom, decideSignUp, SignUpPolicy, type SignUpRefusal, takesDomain } from "./policy.js"
import { DisposableDomains } from "../../kernel/people/DisposableDomains.js"
import { type SignUpLink, SignUpStore } from "./SignUpStore.js"

export interface Wanted {
  readonly email: string
  readonly workspaceName: string
}

/** What a request became. It never says whether the address is known. */
export type SignUpAsked =
  | { readonly _tag: "Taken" }
  | { readonly _tag: "TooMany" }
  | { readonly _tag: "Full"; readonly because: Exclude<SignUpRefusal, "person"> }
  | { readonly _tag: "Invalid"; readonly issues: ReadonlyArray<Issue> }

/** What a link became. */
export type SignUpOpened =
  | {
      readonly _tag: "Made"
      readonly sessionSecret: string
      /** Shown once. */
      readonly apiKey: string
      readonly workspaceName: string
      readonly credits: string
    }
  /** The address has become somebody's meanwhile: they are signed in. */
  | { readonly _tag: "SignedIn"; readonly sessionSecret: string }
  | { readonly _tag: "Refused"; readonly because: SignUpRefusal }
  | { readonly _tag: "Over" }

/** People make a workspace of their own (contract: surfaces, signing up). */
export class SignUp extends Context.Service<
  SignUp,
  {
    readonly isOpen: boolean
    /** False: no mail server is configured, so the operator makes the links. */
    readonly isMailOn: boolean
    /** `client`: their network address. What the address gets is sent in the background. */
    readonly ask: (wanted: Wanted, client: string) => FromStore<SignUpAsked>
    /** The secret of a link that the operator hands over; refused where the person needs none. */
    readonly makeLink: (wanted: Wanted) => FromStore<string, AnyWireError>
    readonly find: (secret: string) => FromStore<Option.Option<Wanted>>
    /** Uses the link up, unless today's workspaces are all made. */
    readonly open: (secret: string) => FromStore<SignUpOpened>
  }
>()("@outbound/domain/control/signUp/SignUp") {}

/** Requests per day in all, for each workspace that may be made: more would make a sender of spam of our mail server. */
const ASKS_PER_GRANT = 10
const DAY_MINUTES = 24 * 60

const FIRST_KEY = "first"

const emailIssue = (message: string): ReadonlyArray<Issue> => [{ path: "email", message }]

export const layer = Layer.effect(
  SignUp,
  Effect.gen(function* () {
    const store = yield* SignUpStore
    const users = yield* UserStore
    const crypto = yield* Crypto
    const { makeSignInLink } = yield* Console
    const mailer = yield* Mailer
    const { mx } = yield* DomainRecords
    const disposable = yield* DisposableDomains
    const { baseUrl } = yield* Settings
    const policy = yield* SignUpPolicy
    const { atomically } = yield* UnitOfWork
    const mayAsk = yield* makeAsks
    const post = yield* makePost
    const keys = yield* makeKeyChanges
    const newWorkspace = yield* makeNewWorkspace
    const sessions = yield* makeSessions

    const hashOf = (kind: "person" | "network", text: string): string =>
      crypto.mac("session", `sign up ${kind}\n${text}`)

    const linkOf = (email: string, workspaceName: string, client: string | null, nowMillis: number) => {
      const secret = crypto.randomToken()
      const link: SignUpLink = {
        linkHash: crypto.sha256Hex(secret),
        personHash: hashOf("person", personOf(email)),
        networkHash: client === null ? null : hashOf("network", client),
        email,
        workspaceName: workspaceName.trim(),
        createdAtMillis: nowMillis,
        expiresAtMillis: nowMillis + SIGN_UP_LINK_MINUTES * MINUTE_MILLIS
      }
      return { secret, link }
    }

    const subjectOf = ({ networkHash, personHash }: SignUpLink, nowMillis: number) => ({
      personHash,
      networkHash,
      sinceMillis: dayFrom(nowMillis)
    })

    /** Name servers that don't answer say nothing against an address: a link that never arrives makes nothing. */
    const takesMail = (domain: string) =>
      mx(domain).pipe(
        Effect.map((hosts) => hosts.some((host) => host !== "" && host !== ".")),
        Effect.catchTag("RecordsUnavailable", () => Effect.succeed(true))
      )

    const written = ({ email, workspaceName }: Wanted) => {
      const read = readEmail(email)
      const issues = [
        ...(read._tag === "Failure" ? emailIssue(read.failure) : []),
        ...nameIssues(workspaceName).map(({ message }) => ({ path: "name", message }))
      ]
      return { email: read._tag === "Success" ? read.success : "", issues }
    }

    const domainIssues = (domain: string) =>
      Effect.gen(function* () {
        if (!takesDomain(policy.who, domain)) return emailIssue("is in no domain whose people can sign up here")
        if (disposable.has(domain)) return emailIssue("is a disposable address: use one that you keep")
        return (yield* takesMail(domain)) ? [] : emailIssue(`can't receive mail: ${domain} has no mail server (MX)`)
      })

    /** What the address is written. */
    const letterFor = ({ link, secret }: { readonly link: SignUpLink; readonly secret: string }, nowMillis: number) =>
      Effect.gen(function* () {
        const { email } = link
        if (Option.isSome(yield* users.findByEmail(email))) {
          return signInLetter(baseUrl, email, yield* makeSignInLink(email))
        }
        const { personHasOne } = yield* store.facts(subjectOf(link, nowMillis))
        if (personHasOne) return secondLetter(baseUrl, email)
        yield* atomically(store.insert(link))
        return signUpLetter(baseUrl, email, secret)
      })

    const ask = (wanted: Wanted, client: string): FromStore<SignUpAsked> =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const { email, issues } = written(wanted)
        if (issues.length > 0) return { _tag: "Invalid", issues } as const
        const subjects = [
          { kind: "client", name: client, max: ASKS_PER_CLIENT_MAX },
          { kind: "address", name: email, max: ASKS_PER_ADDRESS_MAX }
        ] as const
        // Check the client first: one who asked too often no longer counts against an address, nor against all.
        for (const subject of subjects) {
          if (!(yield* atomically(mayAsk([subject], nowMillis)))) return { _tag: "TooMany" } as const
        }
        const found = yield* domainIssues(email.slice(email.lastIndexOf("@") + 1))
        if (found.length > 0) return { _tag: "Invalid", issues: found } as const
        const made = linkOf(email, wanted.workspaceName, client, nowMillis)
        const facts = yield* store.facts(subjectOf(made.link, nowMillis))
        // Alike for everybody: what is known of the person is left to the letter.
        const decided = decideSignUp({ ...facts, personHasOne: false }, policy)
        if (decided === "day" || decided === "network") return { _tag: "Full", because: decided } as const
        const inAll = { kind: "sign_ups", name: "all", max: policy.perDayMax * ASKS_PER_GRANT } as const
        if (!(yield* atomically(mayAsk([inAll], nowMillis, DAY_MINUTES)))) return { _tag: "TooMany" } as const
        yield* post(letterFor(made, nowMillis))
        return { _tag: "Taken" } as const
      })

    const makeLink = (wanted: Wanted): FromStore<string, AnyWireError> =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const { email, issues } = written(wanted)
        if (issues.length > 0) return yield* Effect.fail(invalid(issues))
        if (policy.who._tag === "Closed") {
          return yield* refuse(
            "not_found",
            {},
            "Sign-up is closed here: set OUTBOUND_SIGN_UP, or create the workspace."
          )
        }
        const { link, secret } = linkOf(email, wanted.workspaceName, null, nowMillis)
        const isKnown = Option.isSome(yield* users.findByEmail(email))
        if (isKnown || (yield* store.facts(subjectOf(link, nowMillis))).personHasOne) {
          return yield* Effect.fail(invalid(emailIssue("belongs to somebody who can sign in: make a sign-in link")))
        }
        yield* atomically(store.insert(link))
        return secret
      })

    /** A workspace with its owner, credits, first key and a session. */
    const make = (link: SignUpLink, nowMillis: number) =>
      Effect.gen(function* () {
        const { kind } = policy
        const { owner, workspace } = yield* newWorkspace(
          {
            name: link.workspaceName,
            ownerEmail: link.email,
            kind,
            credits: credits(SIGNUP_CREDITS),
            postalAddress: null
          },
          nowMillis
        )
        const { workspaceId } = workspace
        const { networkHash, personHash } = link
        yield* store.grant({ personHash, networkHash, grantedAtMillis: nowMillis })
        const key = { name: FIRST_KEY, scopes: [], monthlySpendCap: null, autonomousExternalActions: true }
        const by = { kind: "user" as const, userId: owner.userId, email: owner.email }
        const { apiKey } = yield* keys.create({ ...key, runRequired: false, workspace }, by, nowMillis)
        const session = yield* sessions.begin({ userId: owner.userId, beganBy: "link", workspaceId }, nowMillis)
        return {
          _tag: "Made",
          sessionSecret: Option.getOrThrow(session),
          apiKey,
          workspaceName: workspace.name,
          credits: format(credits(SIGNUP_CREDITS))
        } as const
      })

    const open = (secret: string): FromStore<SignUpOpened> =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const linkHash = crypto.sha256Hex(secret)
        const found = yield* store.find(linkHash, nowMillis)
        if (Option.isNone(found)) return { _tag: "Over" } as const
        const link = found.value
        return yield* Effect.gen(function* () {
          const facts = yield* store.lockFacts(subjectOf(link, nowMillis))
          const user = yield* users.findByEmail(link.email)
          const decided = decideSignUp(facts, policy)
          // Whoever is known needs no workspace, so a full day doesn't keep them out.
          const mayWait = Option.isNone(user) && (decided === "day" || decided === "network")
          if (mayWait) return { _tag: "Refused", because: decided } as const
          if (!(yield* store.spend(linkHash, nowMillis))) return { _tag: "Over" } as const
          if (Option.isSome(user)) {
            const { userId } = user.value
            const session = yield* sessions.begin({ userId, beganBy: "link", workspaceId: null }, nowMillis)
            return Option.match(session, {
              onNone: () => ({ _tag: "Over" }) as const,
              onSome: (sessionSecret) => ({ _tag: "SignedIn", sessionSecret }) as const
            })
          }
          if (decided !== "grant") return { _tag: "Refused", because: decided } as const
          return yield* make(link, nowMillis)
        }).pipe(atomically)
      })

    return SignUp.of({
      isOpen: policy.who._tag !== "Closed",
      isMailOn: mailer.send !== null,
      ask,
      makeLink,
      find: (secret) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => store.find(crypto.sha256Hex(secret), nowMillis)),
      open
    })
  })
)
