import { consoleReadsContract } from "@outbound/testkit/contracts/consoleReads.js"
import { Layer } from "effect"
import * as PgConsoleReads from "../../src/postgres/PgConsoleReads.js"
import { layer } from "./stores.js"

consoleReadsContract("PostgreSQL", Layer.provideMerge(PgConsoleReads.layer, layer))
