import type { ControlLogEntry } from "@outbound/domain/control/ControlLog.js"
import type { Reply } from "../../http/Reply.js"
import { History } from "../control/History.js"
import { Pager } from "../Parts.js"
import type { Viewer } from "../Shell.js"
import type { Listing } from "../paging.js"
import { titledPage } from "../titledPage.js"

export const historyPage = (
  options: Listing<ControlLogEntry> & {
    readonly viewer: Viewer
  }
): Reply =>
  titledPage(
    {
      title: "Change history",
      viewer: options.viewer,
      at: "settings",
      isNarrow: true,
      lead: "Who changed keys, caps, members and sending, newest first. Entries can’t be changed or deleted."
    },
    <>
      <History of={options.shown} />
      <Pager path="/console/settings/history" name="before" of={options} />
    </>
  )
