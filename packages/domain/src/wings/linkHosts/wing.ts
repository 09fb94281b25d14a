import { Effect, Layer } from "effect"
import { Settings } from "../../kernel/Settings.js"
import type { LinkBase } from "../../outreach/suppression/linkBases.js"
import type { Wing } from "../Wing.js"
import { makeLinkHostHandler, makeLostLinkHosts } from "./checkJob.js"
import { baseOn, chosenHost } from "./LinkHost.js"
import * as LinkHostAdmin from "./LinkHostAdmin.js"
import * as LinkHosts from "./LinkHosts.js"
import { LinkHostStore } from "./LinkHostStore.js"

/** A workspace's link host at the moment of sending. A host that stopped answering is none. */
const makeBase = Effect.gen(function* () {
  const store = yield* LinkHostStore
  const { baseUrl } = yield* Settings
  const base: LinkBase = ({ domain, workspaceId }) =>
    Effect.map(store.list(workspaceId), (hosts) => {
      const host = chosenHost(hosts, domain)
      return host === null ? null : baseOn(baseUrl, host)
    })
  return base
})

/** Hosts of senders' own for the links in their mail. */
export const linkHostsWing = {
  name: "linkHosts",
  jobs: { link_host: makeLinkHostHandler },
  lost: [makeLostLinkHosts],
  sweeps: {},
  hears: [],
  links: [makeBase],
  services: Layer.merge(LinkHostAdmin.layer, LinkHosts.layer)
} satisfies Wing
