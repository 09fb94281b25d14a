import type { Migration } from "./Migration.js"

/** A program that does not know a migration can't ask it. So the database says what each one demands of programs. */
export const needs: Migration = {
  id: 38,
  name: "needs",
  note: "Which migration a program must know to run on the database, so that two versions can run side by side.",
  sql: `
ALTER TABLE migrations ADD COLUMN needs integer NOT NULL DEFAULT 0;
`
}
