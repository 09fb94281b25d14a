import { sentRepliesContract } from "@outbound/testkit/contracts/sentReplies.js"
import { Layer } from "effect"
import * as PgKillStore from "../../src/postgres/PgKillStore.js"
import { layer } from "./stores.js"

sentRepliesContract("PostgreSQL", PgKillStore.layer.pipe(Layer.provideMerge(layer)))
