import * as JournalSwitch from "@outbound/testkit/contracts/JournalSwitch.js"
import { replyCapsContract } from "@outbound/testkit/contracts/service/replyCaps.js"
import { replyOutcomesContract } from "@outbound/testkit/contracts/service/replyOutcomes.js"
import { replyToThreadContract } from "@outbound/testkit/contracts/service/replyToThread.js"
import { over } from "@outbound/testkit/service/Service.js"
import { Layer } from "effect"
import * as PgStores from "../../src/postgres/PgStores.js"
import { suspension } from "../outbound/stores.js"
import { hosts } from "../postgres/stores.js"
import { quietDatabase, service } from "./service.js"

const controlled = Layer.mergeAll(Layer.provideMerge(JournalSwitch.layer, PgStores.layer), hosts, suspension)

replyToThreadContract("postgres", service)
replyCapsContract("postgres", service)
replyOutcomesContract("postgres", over(controlled).pipe(Layer.provideMerge(quietDatabase), Layer.orDie))
