import { Effect, Option } from "effect"
import { SqlClient } from "@outbound/adapters/postgres/Sql.js"
import { Admin } from "@outbound/domain/app/Admin.js"
import { SIGNUP_CREDITS } from "@outbound/domain/control/NewWorkspace.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import type { WorkspaceSummary } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Console, SIGN_IN_LINK_MINUTES } from "@outbound/domain/control/console/Console.js"

export interface Welcome {
  readonly baseUrl: string
  readonly place: string
  readonly providers: string
  readonly sandbox: Option.Option<{
    readonly workspace: WorkspaceSummary
    readonly newApiKey: Option.Option<string>
    readonly link: Option.Option<string>
  }>
}

/** In a checkout both are scripts of npm; where the packages are installed, programs on the path. */
const IS_INSTALLED = import.meta.url.includes("/node_modules/")
const LOOP = IS_INSTALLED ? "outbound-loop --approve" : "npm run loop -- --approve"
/** How its reader calls the operator's program. */
export const COMMAND = IS_INSTALLED ? "outbound" : "npm run outbound --"

const tryIt = (baseUrl: string, apiKey: string): string =>
  `curl -s ${baseUrl}/v1/verify_email -H 'authorization: Bearer ${apiKey}' ` +
  `-H 'content-type: application/json' -d '{"email":"valid@magic.test"}'`

const signInLines = (email: string, workspaceId: string, link: Option.Option<string>): ReadonlyArray<string> =>
  Option.match(link, {
    onNone: () => [
      `To sign in to the console as ${email}, create a link:`,
      `  ${COMMAND} sign-in-link --email ${email} --workspace ${workspaceId}`
    ],
    onSome: (url) => [
      `Console sign-in link for ${email} (works once, for ${SIGN_IN_LINK_MINUTES} minutes):`,
      `  ${url}`
    ]
  })

const sandboxLines = (baseUrl: string, sandbox: Option.Option.Value<Welcome["sandbox"]>): ReadonlyArray<string> => {
  const { link, newApiKey, workspace } = sandbox
  return [
    ...(workspace.ownerEmail === null ? [] : ["", ...signInLines(workspace.ownerEmail, workspace.workspaceId, link)]),
    "",
    ...(Option.isSome(newApiKey)
      ? [`API key of the workspace "${workspace.name}" (shown only once):`, `  ${newApiKey.value}`]
      : [
          "API keys are shown only once. To create another:",
          `  ${COMMAND} key create --workspace ${workspace.workspaceId} --name mine`
        ]),
    "",
    "Try it:",
    `  ${tryIt(
      baseUrl,
      Option.getOrElse(newApiKey, () => "<API_KEY>")
    )}`,
    "",
    "Run the whole loop from another terminal:",
    `  ${LOOP}`
  ]
}

/** The text printed at the start. */
export const welcome = ({ baseUrl, place, providers, sandbox }: Welcome): string =>
  [
    `outbound is ready at ${baseUrl}`,
    `  ${providers === "sandbox" ? "sandbox providers" : `providers from ${providers}`}, ${place}`,
    ...Option.match(sandbox, { onNone: () => [], onSome: (shown) => sandboxLines(baseUrl, shown) }),
    ""
  ].join("\n")

/** The advisory lock that makes hosts create the first workspace only once. An arbitrary number. */
const ADVISORY_LOCK = 7_204_119_002

export const FIRST_OWNER_EMAIL = "owner@outbound.test"

/** The sandbox workspace to show at the start, and its key if it was just created. */
export interface Sandbox {
  readonly workspace: WorkspaceSummary
  readonly newApiKey: Option.Option<string>
  /** No workspace is live. */
  readonly isAlone: boolean
}

const makeFirst = Effect.gen(function* () {
  const admin = yield* Admin
  const name = "Sandbox"
  const { workspaceId } = yield* admin.createWorkspace({
    name,
    ownerEmail: FIRST_OWNER_EMAIL,
    kind: "sandbox",
    credits: credits(SIGNUP_CREDITS),
    postalAddress: null
  })
  const { apiKey } = yield* admin.createKey({
    workspaceId,
    name: "first",
    scopes: [],
    monthlySpendCap: null,
    autonomousExternalActions: true
  })
  const workspace: WorkspaceSummary = { workspaceId, name, kind: "sandbox", ownerEmail: FIRST_OWNER_EMAIL }
  return { workspace, newApiKey: Option.some(apiKey), isAlone: true }
})

/** Of all workspaces, oldest first. */
export const oldestSandbox = (workspaces: ReadonlyArray<WorkspaceSummary>): Option.Option<Sandbox> => {
  const isAlone = workspaces.every(({ kind }) => kind === "sandbox")
  return Option.map(Option.fromNullishOr(workspaces.find(({ kind }) => kind === "sandbox")), (workspace): Sandbox => ({
    workspace,
    newApiKey: Option.none(),
    isAlone
  }))
}

/**
 * The oldest sandbox workspace. On an empty database it creates one with an owner, credits and a key, in one transaction
 * and only once.
 */
export const firstSandbox = Effect.gen(function* () {
  const admin = yield* Admin
  const sql = yield* SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`
      const workspaces = yield* admin.listWorkspaces
      if (workspaces.length === 0) return Option.some<Sandbox>(yield* makeFirst)
      return oldestSandbox(workspaces)
    })
  )
})

/**
 * A sign-in link for the sandbox's owner, where a person reads it as it is printed and nobody's mail is at stake: on a
 * terminal, with no live workspace. Elsewhere output is kept, and whoever reads it would be that owner.
 */
export const startLink = (baseUrl: string, { isAlone, workspace }: Sandbox, isTerminal: boolean) => {
  const { ownerEmail, workspaceId } = workspace
  return ownerEmail === null || !isAlone || !isTerminal
    ? Effect.succeed(Option.none<string>())
    : Effect.map(
        Effect.flatMap(Console, (console) => console.makeStartLink(ownerEmail, workspaceId)),
        (secret) => Option.some(`${baseUrl}/console/sign-in?token=${secret}`)
      )
}
