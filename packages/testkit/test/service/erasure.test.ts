import { Layer } from "effect"
import { erasureContract } from "../../src/contracts/service/erasure.js"
import { erasureReachContract } from "../../src/contracts/service/erasureReach.js"
import { erasureSendingContract } from "../../src/contracts/service/erasureSending.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"
import { quietMemory } from "../../src/service/Service.js"

const service = Layer.provideMerge(MemoryHosts.layer, quietMemory)

erasureContract("memory", service)
erasureReachContract("memory", service)
erasureSendingContract("memory", service)
