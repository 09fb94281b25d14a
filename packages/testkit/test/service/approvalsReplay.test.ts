import { approvalsReplayContract } from "../../src/contracts/replay/approvalsReplay.js"
import { layerMemory } from "../../src/service/Service.js"

approvalsReplayContract("memory", layerMemory, { count: 30, length: 40, seed: 1 })
approvalsReplayContract("memory", layerMemory, { count: 30, length: 40, seed: 2, needed: 2 })
