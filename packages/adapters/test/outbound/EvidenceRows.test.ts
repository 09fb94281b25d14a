import { evidenceRowsContract } from "@outbound/testkit/contracts/evidenceRows.js"
import { Layer } from "effect"
import * as PgEvidenceStore from "../../src/postgres/PgEvidenceStore.js"
import * as PgListStore from "../../src/postgres/PgListStore.js"
import { layer } from "./stores.js"

evidenceRowsContract("PostgreSQL", Layer.provideMerge(Layer.mergeAll(PgEvidenceStore.layer, PgListStore.layer), layer))
