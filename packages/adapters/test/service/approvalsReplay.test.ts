import { approvalsReplayContract } from "@outbound/testkit/contracts/replay/approvalsReplay.js"
import { service } from "./service.js"

approvalsReplayContract("postgres", service, { count: 10, length: 40, seed: 1 })
approvalsReplayContract("postgres", service, { count: 10, length: 40, seed: 2, needed: 2 })
