import type { SignUpGrant, SignUpLink } from "@outbound/domain/control/signUp/SignUpStore.js"
import { Table, type UndoLog } from "./Table.js"

/** How often somebody asked for something, in a window that is over then. */
export interface AskRow {
  readonly subject: string
  readonly overMillis: number
  readonly asks: number
}

/** How people come in: asks by their subject, links by their hash, and grants by their person. */
export const signUpTables = (log: UndoLog) => ({
  asks: new Table<AskRow>(log),
  signUps: new Table<SignUpLink>(log),
  signUpGrants: new Table<SignUpGrant>(log)
})
