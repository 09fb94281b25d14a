import { isoOrNull } from "@outbound/domain/kernel/text.js"
import { LinkHosts } from "@outbound/domain/wings/linkHosts/LinkHosts.js"
import type { LinkHost } from "@outbound/domain/wings/linkHosts/LinkHost.js"
import { Effect } from "effect"
import type { OutboundConfig } from "../../Config.js"
import type { Actions } from "../../commands/Actions.js"
import { command, group } from "../../commands/Command.js"

/** How many are read at once. */
const PAGE = 500

const hostJson = ({ answeredAtMillis, host, state, trouble, workspaceId }: LinkHost) => ({
  host,
  workspace_id: workspaceId,
  state,
  trouble,
  answered_at: isoOrNull(answeredAtMillis)
})

/** Which names links lead to, for proxies that are given their names. */
export const linkHostCommands = (actions: Pick<Actions, "operate">, config: Effect.Effect<OutboundConfig, unknown>) => {
  const all = Effect.gen(function* () {
    const { known } = yield* LinkHosts
    const found: Array<LinkHost> = []
    for (let after: string | null = null; ;) {
      const page: ReadonlyArray<LinkHost> = yield* known(after, PAGE)
      found.push(...page)
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE) return found
      after = last.host
    }
  })

  const list = command(
    "list",
    "Lists the hosts of all workspaces that links lead to. Each needs a certificate, retired ones too: old mail names them.",
    {},
    () =>
      Effect.flatMap(config, (read) =>
        actions.operate(
          read,
          Effect.map(all, (hosts) => ({
            json: { hosts: hosts.map(hostJson) },
            text:
              hosts.length === 0
                ? "No workspace has a link host."
                : hosts.map(({ host, state, workspaceId }) => `${host}  ${state}  ${workspaceId}`).join("\n")
          }))
        )
      )
  )

  return [group("link-hosts", "Hosts of senders' own for the links in their mail.", [list])]
}
