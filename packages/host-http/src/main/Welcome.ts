import { SIGN_IN_LINK_MINUTES } from "@outbound/domain/control/console/Console.js"
import type { WorkspaceSummary } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Option } from "effect"

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

/** In a checkout it is a script; where the packages are installed, a program of theirs. */
const LOOP = import.meta.url.includes("/node_modules/")
  ? "npx @outbound/examples --approve"
  : "npm run loop -- --approve"

const tryIt = (baseUrl: string, apiKey: string): string =>
  `curl -s ${baseUrl}/v1/verify_email -H 'authorization: Bearer ${apiKey}' ` +
  `-H 'content-type: application/json' -d '{"email":"valid@magic.test"}'`

const sandboxLines = (baseUrl: string, sandbox: Option.Option.Value<Welcome["sandbox"]>): ReadonlyArray<string> => {
  const { link, newApiKey, workspace } = sandbox
  return [
    ...(Option.isNone(link)
      ? []
      : [
          "",
          `Console sign-in link for ${workspace.ownerEmail} (works once, for ${SIGN_IN_LINK_MINUTES} minutes):`,
          `  ${link.value}`
        ]),
    "",
    ...(Option.isSome(newApiKey)
      ? [`API key of the workspace "${workspace.name}" (shown only once):`, `  ${newApiKey.value}`]
      : [
          "API keys are shown only once. To create another:",
          `  npx outbound key create --workspace ${workspace.workspaceId} --name mine`
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
