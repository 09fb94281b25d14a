import { ownAnswersContract } from "@outbound/testkit/contracts/service/ownAnswers.js"
import { Layer } from "effect"
import { suspension } from "../outbound/stores.js"
import { service } from "./service.js"

ownAnswersContract("postgres", Layer.provideMerge(suspension, service))
