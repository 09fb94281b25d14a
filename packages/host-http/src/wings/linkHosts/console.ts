import { LinkHostAdmin } from "@outbound/domain/wings/linkHosts/LinkHostAdmin.js"
import type { WingConsole } from "../WingConsole.js"
import { LINK_HOSTS_PATH, linkHostPages } from "./LinkHostsPage.js"

export const linkHostsConsole = {
  pages: linkHostPages,
  settings: [{ path: LINK_HOSTS_PATH, text: "link hosts", service: LinkHostAdmin, isFor: () => true }]
} satisfies WingConsole
