import { approvalsReplayContract } from "../../src/contracts/replay/approvalsReplay.js"
import { quietMemory } from "../../src/service/Service.js"

approvalsReplayContract("memory", quietMemory, { count: 30, length: 40, seed: 1 })
approvalsReplayContract("memory", quietMemory, { count: 30, length: 40, seed: 2, needed: 2 })
