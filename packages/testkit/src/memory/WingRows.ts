import type { Alert, AlertCause, AlertKind } from "@outbound/domain/control/alerts/AlertStore.js"
import type { CrmStanding } from "@outbound/domain/outreach/suppression/keepingOut.js"
import type { Table, UndoLog } from "./Table.js"

interface Whom {
  readonly workspaceId: string
  readonly addressHash: string
  readonly email: string
}

/** Whom a wing keeps out of campaigns, and whether that is not known any more. */
export interface Keeper {
  readonly standings: (whom: Whom) => ReadonlyArray<CrmStanding>
  readonly isUnread: (workspaceId: string, nowMillis: number) => boolean
}

/** What a clock that was set back does to times. */
export interface SetBack {
  readonly sooner: <At extends number | null>(at: At) => At
  readonly atLatestNow: <At extends number | null>(at: At) => At
}

type Standing = Omit<AlertCause, "kind">

/** The rows that wings hold in memory, and what the core asks of them. A wing's store adds its own when it is made. */
export class WingRows {
  readonly keepers = new Map<string, Keeper>()
  /** What owners are alerted to of a wing, as it stands now. */
  readonly alerts = new Map<AlertKind, () => ReadonlyArray<Standing>>()
  /** Which of them are open, where that is not whether it stands. */
  readonly openAlerts = new Map<AlertKind, (alert: Alert) => boolean>()
  readonly clocks = new Map<string, (setBack: SetBack) => void>()
  readonly #made = new Map<unknown, Readonly<Record<string, unknown>>>()
  readonly #log: UndoLog

  constructor(log: UndoLog) {
    this.#log = log
  }

  /** The tables that `make` makes: the same ones each time. */
  of<Tables extends Readonly<Record<string, unknown>>>(make: (log: UndoLog) => Tables): Tables {
    const made = (this.#made.get(make) as Tables | undefined) ?? make(this.#log)
    this.#made.set(make, made)
    return made
  }

  alertsOf(kind: AlertKind): ReadonlyArray<Standing> {
    return this.alerts.get(kind)?.() ?? []
  }

  isOpen(alert: Alert): boolean {
    const { kind, subject, workspaceId } = alert
    const open = this.openAlerts.get(kind)
    if (open !== undefined) return open(alert)
    return this.alertsOf(kind).some((cause) => cause.workspaceId === workspaceId && cause.subject === subject)
  }

  /** Every table, under its name. */
  get all(): ReadonlyArray<readonly [string, Table<unknown>]> {
    return [...this.#made.values()].flatMap((made) => Object.entries(made) as Array<[string, Table<unknown>]>)
  }
}
