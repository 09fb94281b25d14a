import { chatContract } from "@outbound/testkit/contracts/service/chat.js"
import { chatStreamsContract } from "@outbound/testkit/contracts/service/chatStreams.js"
import { over } from "@outbound/testkit/service/Service.js"
import { Layer } from "effect"
import * as PgStores from "../../src/postgres/PgStores.js"
import { database } from "../postgres/stores.js"

const service = over(PgStores.layer.pipe(Layer.provideMerge(database), Layer.orDie))

chatContract("postgres", service)
chatStreamsContract("postgres", service)
