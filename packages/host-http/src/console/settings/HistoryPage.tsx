import type { ControlLogEntry } from "@outbound/domain/control/ControlLog.js"
import type { Reply } from "../../http/Reply.js"
import { History } from "../control/History.js"
import { Pager } from "../Parts.js"
import { consolePage, type Viewer } from "../Shell.js"

export const historyPage = (options: {
  readonly viewer: Viewer
  readonly shown: ReadonlyArray<ControlLogEntry>
  readonly next: string | null
  readonly isLater: boolean
}): Reply =>
  consolePage({
    title: "Change history",
    viewer: options.viewer,
    at: "settings",
    isNarrow: true,
    children: (
      <>
        <h1>Change history</h1>
        <p class="lead">
          Who changed keys, caps, members and sending, newest first. Entries can’t be changed or deleted.
        </p>
        <History of={options.shown} />
        <Pager path="/console/settings/history" name="before" isLater={options.isLater} next={options.next} />
      </>
    )
  })
