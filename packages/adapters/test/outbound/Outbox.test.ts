import { outboxContract } from "@outbound/testkit/contracts/outbox.js"
import { Layer } from "effect"
import * as PgNoticeStore from "../../src/postgres/PgNoticeStore.js"
import { layer } from "./stores.js"

outboxContract("PostgreSQL", Layer.provideMerge(PgNoticeStore.layer, layer))
